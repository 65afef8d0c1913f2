internal import Synchronization

/// A value that is delivered once and awaited once. Further deliveries are ignored.
final class Once<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case full(Value)
        case done
    }

    private let state = Mutex(State.empty)

    /// Delivers the value. The first call counts.
    func complete(_ value: Value) {
        let continuation: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .empty: state = .full(value)
            case .waiting(let continuation):
                state = .done
                return continuation
            case .full, .done: break
            }
            return nil
        }
        continuation?.resume(returning: value)
    }

    /// Returns the value if it has arrived.
    func valueIfThere() -> Value? {
        state.withLock { state in
            guard case .full(let value) = state else { return nil }
            state = .done
            return value
        }
    }

    /// Waits for the value. It must be called at most once, and not after ``valueIfThere()`` returned the value.
    func value() async -> Value {
        await withCheckedContinuation { continuation in
            let value: Value? = state.withLock { state in
                if case .full(let value) = state {
                    state = .done
                    return value
                }
                state = .waiting(continuation)
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
