/// Runs work for each of several values at once, so that one that hangs does not delay the others.
///
/// - Returns: The results, in the order of the values.
func concurrentResults<Value: Sendable, Success: Sendable>(
    of values: [Value], _ work: @escaping @Sendable (Value) async throws -> Success
) async -> [Result<Success, any Error>] {
    await withTaskGroup(of: (index: Int, result: Result<Success, any Error>).self) { group in
        for (index, value) in values.enumerated() {
            group.addTask {
                do { return (index, .success(try await work(value))) } catch { return (index, .failure(error)) }
            }
        }
        let results = await group.reduce(into: []) { $0.append($1) }
        return results.sorted { $0.index < $1.index }.map(\.result)
    }
}
