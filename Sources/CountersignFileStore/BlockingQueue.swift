internal import Countersign
internal import Dispatch

/// Threads for the blocking calls of a store, which must not block the threads of Swift's cooperative pool.
struct BlockingQueue: Sendable {
    private let queue: DispatchQueue

    /// Creates a queue.
    ///
    /// - Parameter isSerial: Whether work is executed one after another.
    init(_ label: String, isSerial: Bool) {
        queue = DispatchQueue(label: label, attributes: isSerial ? [] : .concurrent)
    }

    /// Runs work on a thread of the queue. Cancelling the task has no effect on it.
    func run<Success: Sendable>(
        _ work: @escaping @Sendable () throws(CredentialStoreError) -> Success
    ) async throws(CredentialStoreError) -> Success {
        let result = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}
