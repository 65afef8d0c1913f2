internal import Synchronization

/// Pieces of asynchronous work, one after another in the order in which they were asked for.
final class OrderedTasks: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Runs work after all that was asked for before.
    ///
    /// Cancelling the task that waits for the result does not cancel the work.
    func enqueue<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) -> Task<Result, Never> {
        last.withLock { last in
            let task = Task { [before = last] in
                await before?.value
                return await work()
            }
            last = Task { _ = await task.value }
            return task
        }
    }
}
