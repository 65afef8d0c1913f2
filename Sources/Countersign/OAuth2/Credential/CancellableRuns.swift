internal import Synchronization

/// Running work that can be cancelled independently of the tasks that wait for it.
final class CancellableRuns: Sendable {
    private struct State {
        var next: UInt64 = 0
        var cancellations: [UInt64: @Sendable () -> Void] = [:]
        var cancelled: Set<UInt64> = []
    }

    private let state = Mutex(State())

    /// Runs work until it ends or ``cancelAll()`` cancels it.
    ///
    /// - Parameters:
    ///   - busy: The error if other work is running; `nil` to run the work concurrently.
    ///   - error: The error if the work was cancelled by ``cancelAll()``, regardless of the error of the work itself. A token that
    ///     the work has obtained before is kept.
    func perform<Result: Sendable>(
        unless busy: (any Error)? = nil, orThrow error: @autoclosure () -> any Error,
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let begun = state.withLock { state -> (number: UInt64, task: Task<Result, any Error>)? in
            guard busy == nil || state.cancellations.isEmpty else { return nil }
            let task = Task { try await work() }
            state.next += 1
            state.cancellations[state.next] = { task.cancel() }
            return (state.next, task)
        }
        guard let (number, task) = begun else { throw busy ?? error() }
        func wasCancelled() -> Bool {
            state.withLock { state in
                state.cancellations[number] = nil
                return state.cancelled.remove(number) != nil
            }
        }
        do {
            let result = try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
            // A result in spite of the cancellation is returned, since it may be a token that the server issues only once.
            _ = wasCancelled()
            return result
        } catch let failure {
            guard wasCancelled() else { throw failure }
            guard let incomplete = failure as? IncompleteGrant else { throw error() }
            throw IncompleteGrant(issued: incomplete.issued, error: error())
        }
    }

    /// Cancels all running work.
    func cancelAll() {
        let cancellations = state.withLock { state in
            state.cancelled.formUnion(state.cancellations.keys)
            return Array(state.cancellations.values)
        }
        for cancel in cancellations { cancel() }
    }
}
