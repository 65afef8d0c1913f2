/// The time after which a test ends: longer than any machine needs.
private let longest = Duration.seconds(60)

/// Returns the result of a task that should end soon. A task that does not is cancelled, so that a failing test ends.
func ending<Value: Sendable>(of task: Task<Value, any Error>) async -> Result<Value, any Error> {
    let patience = Task {
        if (try? await Task.sleep(for: longest)) != nil { task.cancel() }
    }
    defer { patience.cancel() }
    return await task.result
}

/// Whether a condition becomes true while other tasks run.
func comesTrue(_ condition: () throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now.advanced(by: longest)
    while ContinuousClock.now < end {
        if try condition() { return true }
        await Task.yield()
    }
    return try condition()
}
