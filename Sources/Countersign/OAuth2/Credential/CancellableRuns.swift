internal import Synchronization

/// Pieces of work that can be ended from outside, apart from the tasks that wait for them.
final class CancellableRuns: Sendable {
    private struct State {
        var next: UInt64 = 0
        var cancellations: [UInt64: @Sendable () -> Void] = [:]
        var cancelled: Set<UInt64> = []
    }

    private let state = Mutex(State())

    /// Whether there is work under way.
    var isBusy: Bool { state.withLock { !$0.cancellations.isEmpty } }

    /// Does work until it ends or ``cancelAll()`` ends it.
    ///
    /// - Parameter error: What is thrown then, whatever the work throws on being cancelled.
    func perform<Result: Sendable>(
        orThrow error: @autoclosure () -> any Error, _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await work() }
        let number = state.withLock { state in
            state.next += 1
            state.cancellations[state.next] = { task.cancel() }
            return state.next
        }
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
