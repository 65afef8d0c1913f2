/// The end of a task that should be over soon. One that is not is cancelled, so that a test that fails ends.
func ending<Value: Sendable>(of task: Task<Value, any Error>) async -> Result<Value, any Error> {
    let patience = Task {
        for _ in 0..<1_000_000 where !Task.isCancelled { await Task.yield() }
        if !Task.isCancelled { task.cancel() }
    }
    defer { patience.cancel() }
    return await task.result
}

/// Whether something comes true while other tasks run.
func comesTrue(_ condition: () throws -> Bool) async rethrows -> Bool {
    for _ in 0..<1_000_000 {
        if try condition() { return true }
        await Task.yield()
    }
    return try condition()
}
