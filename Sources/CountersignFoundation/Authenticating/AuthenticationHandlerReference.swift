@_spi(Generated) public import Countersign
internal import Synchronization

/// The settable authentication handler of a generated observer.
public final class AuthenticationHandlerReference: Sendable {
    private let state = Mutex<(any FoundationAuthenticationHandling)?>(nil)

    /// Creates a reference without a handler.
    public init() {}

    /// The handler. It is retained, so that the check of users cannot end by accident.
    public var handler: (any FoundationAuthenticationHandling)? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Returns the review of an observer's logins by the handler.
    ///
    /// - Parameters:
    ///   - observer: The observer.
    ///   - session: The session of the observer. It is not retained.
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
