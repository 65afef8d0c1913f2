/// The time after which a test ends: longer than any machine needs. Thousands of tests begin at once, and share its processors for
/// more than a minute.
let longestWait = Duration.seconds(300)

/// Returns the result of a task that should end soon. A task that does not is cancelled, so that a failing test ends.
func ending<Value: Sendable>(of task: Task<Value, any Error>) async -> Result<Value, any Error> {
    let patience = Task {
        if (try? await Task.sleep(for: longestWait)) != nil { task.cancel() }
    }
    defer { patience.cancel() }
    return await task.result
}

/// Whether a condition becomes true while other tasks run.
func comesTrue(_ condition: () throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now.advanced(by: longestWait)
    while ContinuousClock.now < end {
        if try condition() { return true }
        await Task.yield()
    }
    return try condition()
}

/// Returns the result of a task that should end soon on a clock, which is advanced by a minute whenever a task waits for it.
func ending<Value: Sendable>(of task: Task<Value, any Error>, on clock: ManualClock) async -> Result<Value, any Error> {
    let time = Task {
        while !Task.isCancelled {
            await Task.yield()
            if clock.isAwaited { clock.advance(by: .seconds(60)) }
        }
    }
    let result = await ending(of: task)
    time.cancel()
    // After this, the clock is not advanced any more: what the test does next may have a time limit, too.
    await time.value
    return result
}
