internal import Synchronization

// Authentications of the application, which call a completion handler.
extension GeneratedCodeVersion3 {
    /// Waits until an application's own authentication calls its completion handler. Only the first call counts.
    ///
    /// - Parameters:
    ///   - start: Starts the authentication.
    ///   - cancel: Cancels it; called when the waiting task is cancelled.
    /// - Throws: The error that the completion handler receives; `CancellationError`; ``CountersignError`` if the handler is
    ///   released without being called.
    @_spi(Generated)
    public static func completion(
        of start: @Sendable (@escaping @Sendable ((any Error)?) -> Void) -> Void, cancel: @escaping @Sendable () -> Void
    ) async throws {
        try await result(
            of: { complete in start { error in complete(error.map { .failure($0) } ?? .success(())) } }, cancel: cancel)
    }

    /// Waits for an authentication whose completion handler receives a token.
    @_spi(Generated)
    public static func token(
        of start: @Sendable (@escaping @Sendable (OAuth2Token?, (any Error)?) -> Void) -> Void,
        cancel: @escaping @Sendable () -> Void
    ) async throws -> OAuth2Token {
        try await result(
            of: { complete in
                start { token, error in
                    if let token, error == nil { return complete(.success(token)) }
                    complete(
                        .failure(
                            error
                                ?? CountersignError(
                                    .refusedByObserver,
                                    detail: "the application's authentication ended with neither a token nor an error")))
                }
            }, cancel: cancel)
    }

    /// Waits for an answer of the application of any type.
    package static func answer<Value: Sendable>(
        _ start: @Sendable (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) async throws -> Value {
        try await result(of: start, cancel: {})
    }

    private static func result<Value: Sendable>(
        of start: @Sendable (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void,
        cancel: @escaping @Sendable () -> Void
    ) async throws -> Value {
        let pending = PendingCompletion<Value>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard pending.wait(with: continuation) else { return }
                let handler = CompletionHandler(pending)
                start { handler.complete($0) }
            }
        } onCancel: {
            cancel()
            // The application may call late or never, and no caller waits for it any more.
            pending.complete(.failure(CancellationError()))
        }
    }
}

/// A continuation that is resumed once, with the first result.
private final class PendingCompletion<Value: Sendable>: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Value, any Error>)
        case done(Result<Value, any Error>)
    }

    private let state = Mutex(State.idle)

    /// - Returns: `false` if there already was a result, with which the continuation was resumed.
    func wait(with continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let result: State = state.withLock { state in
            if case .idle = state { state = .waiting(continuation) }
            return state
        }
        guard case .done(let result) = result else { return true }
        continuation.resume(with: result)
        return false
    }

    func complete(_ result: Result<Value, any Error>) {
        let before = state.withLock { state in
            defer { if case .done = state {} else { state = .done(result) } }
            return state
        }
        if case .waiting(let continuation) = before { continuation.resume(with: result) }
    }
}

/// The completion handler that an application retains. If it is released without a call, the wait ends with an error.
private final class CompletionHandler<Value: Sendable>: Sendable {
    private let pending: PendingCompletion<Value>

    init(_ pending: PendingCompletion<Value>) {
        self.pending = pending
    }

    deinit {
        pending.complete(
            .failure(
                CountersignError(
                    .refusedByObserver, detail: "the application's authentication ended without calling its completion handler")))
    }

    func complete(_ result: Result<Value, any Error>) { pending.complete(result) }
}
