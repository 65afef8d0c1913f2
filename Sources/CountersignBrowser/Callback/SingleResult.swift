internal import Synchronization

/// A result that arrives once and is waited for by one task.
///
/// The first that is settled counts, and the task that waits is resumed exactly once: by it, whichever comes first, result or wait.
final class SingleResult<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case settled(Result<Value, any Error>)
    }

    private let state = Mutex(State.open)

    /// Settles the result, and says whether this did.
    @discardableResult
    func settle(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, continuation): (Bool, CheckedContinuation<Value, any Error>?) = state.withLock { state in
            switch state {
            case .settled: return (false, nil)
            case .open:
                state = .settled(result)
                return (true, nil)
            case .awaited(let continuation):
                state = .settled(result)
                return (true, continuation)
            }
        }
        continuation?.resume(with: result)
        return isFirst
    }

    /// Waits for the result. One task may, once; cancelling it settles the result.
    func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = state.withLock { state in
                    if case .settled(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            settle(.failure(CancellationError()))
        }
    }
}
