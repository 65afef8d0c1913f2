internal import Dispatch

/// Runs blocking calls, such as those of an application's store, in order and one at a time, outside of Swift's cooperative
/// threads.
package final class BlockingCalls: Sendable {
    private let queue: DispatchQueue

    /// Creates a queue.
    ///
    /// - Parameter label: The label of the queue for debuggers.
    package init(_ label: String) { queue = DispatchQueue(label: label) }

    /// Runs a call after all earlier ones, and returns its result.
    package func perform<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: .init(catching: work)) }
        }
    }

    /// Runs a call after all earlier ones, and returns its result, unless the caller is cancelled. A cancellation ends the wait at
    /// once. A call that has not begun by then never runs; one that has begun continues to its end, and its result is lost.
    ///
    /// - Throws: The errors of the call; `CancellationError`.
    package func performUnlessCancelled<Success: Sendable>(
        _ work: @escaping @Sendable () throws -> Success
    ) async throws -> Success {
        let turn = LockTurn()
        return try await withTaskCancellationHandler {
            try await firstValue { [self] _ in
                try await perform { () throws -> Success in
                    guard turn.end(in: .working) else { throw CancellationError() }
                    return try work()
                }
            }
        } onCancel: {
            _ = turn.end(in: .over)
        }
    }

    /// Runs a call after all earlier ones, without waiting for it.
    package func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
