internal import Dispatch
internal import Synchronization

/// Runs the library calls of one context, which may wait for the network, one at a time and in order, outside of Swift's
/// cooperative threads.
struct GSSCalls: Sendable {
    private let queue = DispatchQueue(label: "countersign.gssapi")

    /// Runs work after all work that was submitted before.
    ///
    /// - Parameters:
    ///   - work: The work. It cannot be interrupted. If the task is cancelled, the result is discarded.
    ///   - discarded: Called on the queue if the result was discarded, or if the task was cancelled before the work began.
    /// - Throws: The error of the work; `CancellationError` as soon as the task is cancelled.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value, discarded: @escaping @Sendable () -> Void = {}
    ) async throws -> Value {
        let answer = Answer<Value>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                answer.wait(with: continuation)
                queue.async {
                    if answer.isGiven || !answer.give(Result(catching: work)) { discarded() }
                }
            }
        } onCancel: {
            answer.give(.failure(CancellationError()))
        }
    }
}

/// The answer to a caller: the result of the work, or the cancellation, whichever is first.
private final class Answer<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Value, any Error>)
        /// The answer was given before the caller waited.
        case early(Result<Value, any Error>)
        case given
    }

    private let state = Mutex(State.new)

    var isGiven: Bool {
        state.withLock { state in
            switch state {
            case .new, .waiting: false
            case .early, .given: true
            }
        }
    }

    func wait(with continuation: CheckedContinuation<Value, any Error>) {
        let early: Result<Value, any Error>? = state.withLock { state in
            if case .early(let result) = state {
                state = .given
                return result
            }
            state = .waiting(continuation)
            return nil
        }
        if let early { continuation.resume(with: early) }
    }

    /// - Returns: Whether this is the first answer.
    @discardableResult
    func give(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, continuation): (Bool, CheckedContinuation<Value, any Error>?) = state.withLock { state in
            switch state {
            case .new:
                state = .early(result)
                return (true, nil)
            case .waiting(let continuation):
                state = .given
                return (true, continuation)
            case .early, .given: return (false, nil)
            }
        }
        continuation?.resume(with: result)
        return isFirst
    }
}
