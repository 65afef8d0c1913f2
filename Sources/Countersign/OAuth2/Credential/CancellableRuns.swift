internal import Synchronization

/// Pieces of work that can be ended from outside, apart from the tasks that wait for them.
final class CancellableRuns: Sendable {
    private struct State {
        var next: UInt64 = 0
        var cancellations: [UInt64: @Sendable () -> Void] = [:]
        var cancelled: Set<UInt64> = []
    }

    private let state = Mutex(State())

    /// Does work until it ends or ``cancelAll()`` ends it.
    ///
    /// - Parameters:
    ///   - busy: What is thrown instead while there is other work under way; `nil` lets them run side by side.
    ///   - error: What is thrown when it was ended, whatever the work throws on being cancelled.
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
            // A result that came nonetheless is not thrown away: it may be a token that exists once.
            _ = wasCancelled()
            return result
        } catch let failure {
            throw wasCancelled() ? error() : failure
        }
    }

    /// Ends all work that is under way.
    func cancelAll() {
        let cancellations = state.withLock { state in
            state.cancelled.formUnion(state.cancellations.keys)
            return Array(state.cancellations.values)
        }
        for cancel in cancellations { cancel() }
    }
}
