internal import Synchronization

/// A queue that runs asynchronous work sequentially, in the order of submission.
final class OrderedTasks: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Runs work after all work that was submitted before.
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
