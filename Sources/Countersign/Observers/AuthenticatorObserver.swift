public import HTTPTypes

/// Recognises the challenges of a method and answers them with its authenticator, which can also be run explicitly: what a
/// generated observer of such a method is made of.
public final class AuthenticatorObserver: SessionObserver {
    public let name: String
    /// Answers the challenges.
    public let authenticator: ProgramAuthenticator
    private let hooks: ApplicationHooks

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - authenticator: Answers the challenges.
    ///   - authenticate: Replaces the method's steps by the application's own, which leave the credential in the session; one at a time.
    ///   - isChallenge: Replaces the comparison with the spec's patterns by the application's own; asked once for each response.
    ///   - review: Reviews each login before the requests that wait for it go on.
    public init(
        name: String, authenticator: ProgramAuthenticator, authenticate: (@Sendable (Session) async throws -> Void)? = nil,
        isChallenge: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? = nil, review: AuthenticationReview? = nil
    ) {
        self.name = name
        self.authenticator = authenticator
        hooks = ApplicationHooks(authenticate: authenticate, isChallenge: isChallenge, review: review)
    }

    /// What the method has in the exchange's session, and the exchange with what of the application is this observer's.
    private func manager(_ exchange: ExchangeContext) -> (CredentialManager, ExchangeContext) {
        var own = exchange
        own.hooks = hooks
        return (authenticator.manager(in: exchange.session), own)
    }

    public func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment {
        authenticator.manager(in: exchange.session).attach(to: &request, in: exchange, by: name)
    }

    public func needsBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool {
        guard authenticator.comparesBodies else { return false }
        let (manager, exchange) = manager(exchange)
        return manager.needsBody(of: response, in: exchange)
    }

    public func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict {
        let (manager, exchange) = manager(exchange)
        return manager.classify(response, in: exchange, by: name)
    }

    public func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws {
        let (manager, exchange) = manager(exchange)
        try await manager.recover(challenge, in: exchange)
    }

    public func didRegister(on session: Session) { authenticator.noteRegistration(on: session, review: hooks.review) }

    public func didEndSession(_ session: Session) {
        // A logout ends the session's flights by itself; here it only matters whether the observer still is there.
        if !session.isRegistered(self) { authenticator.forgetRegistration(on: session) }
    }
}
