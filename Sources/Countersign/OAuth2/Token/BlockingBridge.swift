internal import Dispatch
internal import Synchronization

/// Lets a caller that cannot suspend wait for work that does.
///
/// The work runs on a queue of the bridge's own. If it ran on the few threads that tasks share, and callers blocked all of those, none would
/// be left to do what they wait for.
package final class BlockingBridge: TaskExecutor {
    private let queue = DispatchQueue(label: "countersign.blocking-bridge")

    /// Makes a bridge.
    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Does work and blocks the caller's thread until it is done; cancelling the caller's task has no effect on it.
    package func wait<Success: Sendable, Failure: Error>(
        for work: @escaping @Sendable () async throws(Failure) -> Success
    ) throws(Failure) -> Success {
        let answer = Answer<Success, Failure>()
        Task.detached(executorPreference: self) {
            do throws(Failure) {
                answer.give(.success(try await work()))
            } catch {
                answer.give(.failure(error))
            }
        }
        return try answer.take().get()
    }

    private final class Answer<Success: Sendable, Failure: Error>: Sendable {
        private let result = Mutex<Result<Success, Failure>?>(nil)
        private let given = DispatchSemaphore(value: 0)

        func give(_ result: Result<Success, Failure>) {
            self.result.withLock { $0 = result }
            given.signal()
        }

        func take() -> Result<Success, Failure> {
            while true {
                given.wait()
                if let result = result.withLock({ $0 }) { return result }
            }
        }
    }
}
