/// Returns the result of a task that should end soon. A task that does not is cancelled, so that a failing test ends.
func ending<Value: Sendable>(of task: Task<Value, any Error>) async -> Result<Value, any Error> {
    let patience = Task {
        for _ in 0..<1_000_000 where !Task.isCancelled { await Task.yield() }
        if !Task.isCancelled { task.cancel() }
    }
    defer { patience.cancel() }
    return await task.result
}

/// Whether a condition becomes true while other tasks run.
func comesTrue(_ condition: () throws -> Bool) async rethrows -> Bool {
    for _ in 0..<1_000_000 {
        if try condition() { return true }
        await Task.yield()
    }
    return try condition()
}
