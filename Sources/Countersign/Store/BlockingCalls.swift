internal import Dispatch

/// Calls what may block, such as an application's store: in order, one call at a time, and off the threads that tasks run on.
package final class BlockingCalls: Sendable {
    private let queue: DispatchQueue

    /// - Parameter label: The queue's, for debuggers.
    package init(_ label: String) { queue = DispatchQueue(label: label) }

    /// Does something, after all that was asked for before.
    package func perform<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: .init(catching: work)) }
        }
    }

    /// The same without waiting for it.
    package func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
