internal import Dispatch
internal import Synchronization

/// Lets synchronous callers wait for asynchronous work.
///
/// The work runs on the bridge's own queue. On Swift's cooperative threads it could deadlock when callers block all of them.
package final class BlockingBridge: TaskExecutor {
    private let queue = DispatchQueue(label: "countersign.blocking-bridge")

    /// Creates a bridge.
    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs work and blocks the calling thread until it is done. Cancelling the caller's task has no effect on the work.
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
