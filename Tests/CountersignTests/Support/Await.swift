/// Waits until a condition holds.
///
/// - Throws: `CancellationError` at the test's time limit, so that a condition that never holds ends the test.
func awaitCondition(_ condition: () throws -> Bool) async throws {
    while try !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
