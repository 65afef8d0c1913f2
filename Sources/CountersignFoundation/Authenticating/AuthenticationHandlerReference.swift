@_spi(Generated) public import Countersign
internal import Synchronization

/// Where a generated observer keeps its authentication handler, which can be set at any time.
public final class AuthenticationHandlerReference: Sendable {
    private let state = Mutex<(any FoundationAuthenticationHandling)?>(nil)

    /// Makes a reference without a handler.
    public init() {}

    /// The handler. It is kept alive: a handler that checks users must not be gone by accident.
    public var handler: (any FoundationAuthenticationHandling)? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// The handler's say on the logins of an observer.
    ///
    /// - Parameters:
    ///   - observer: The observer.
    ///   - session: Where it is registered; not kept alive.
    public func review(of observer: any FoundationSessionObserving, in session: FoundationSession) -> AuthenticationReview {
        weak let registered = session
        return AuthenticationReview(
            isWanted: { self.handler != nil },
            review: { session, identifier in
                guard let handler = self.handler else { return }
                let session = registered ?? FoundationSession(session: session)
                try await GeneratedCodeVersion3.completion(
                    of: { completionHandler in
                        handler.authenticationObserver(
                            observer, didAuthenticate: session, requestBypassIdentifier: identifier,
                            completionHandler: completionHandler)
                    }, cancel: {})
            },
            failed: { session, error in
                self.handler?.authenticationObserver(
                    observer, didFailToAuthenticate: registered ?? FoundationSession(session: session),
                    error: error.forFoundation)
            })
    }
}
