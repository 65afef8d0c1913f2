/// Waits until a condition holds.
///
/// - Throws: `CancellationError` once the test's time limit is reached, so that a condition that never holds ends the test.
func awaitCondition(_ condition: () throws -> Bool) async throws {
    while try !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
