internal import Countersign
internal import Dispatch

/// Threads on which a store may block, so that it takes none of the few on which Swift's tasks run.
struct BlockingQueue: Sendable {
    private let queue: DispatchQueue

    /// Creates a queue.
    ///
    /// - Parameter isSerial: Whether one piece of work ends before the next begins.
    init(_ label: String, isSerial: Bool) {
        queue = DispatchQueue(label: label, attributes: isSerial ? [] : .concurrent)
    }

    /// Does work on a thread of the queue. Cancelling the task has no effect on it.
    func run<Success: Sendable>(
        _ work: @escaping @Sendable () throws(CredentialStoreError) -> Success
    ) async throws(CredentialStoreError) -> Success {
        let result = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}
