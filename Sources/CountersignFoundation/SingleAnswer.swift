internal import Synchronization

/// An answer that is waited for once and may be given several times, before or after: the first one counts.
final class SingleAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Value?, Never>)
        case given(Value?)
        case taken
    }
    private let state = Mutex(State.open)

    /// Gives the answer; `nil` is the answer that none will come.
    func give(_ value: Value?) {
        let continuation: CheckedContinuation<Value?, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .given(value)
                return nil
            case .waiting(let continuation):
                state = .taken
                return continuation
            case .given, .taken:
                return nil
            }
        }
        continuation?.resume(returning: value)
    }

    /// Waits for the answer.
    func value() async -> Value? {
        await withCheckedContinuation { continuation in
            let answer: Value?? = state.withLock { state in
                if case .given(let value) = state {
                    state = .taken
                    return .some(value)
                }
                state = .waiting(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
