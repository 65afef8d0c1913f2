public import HTTPTypes

/// Recognises the challenges of a method and answers them with an authenticator, which can also be run explicitly. Generated
/// observers of such methods wrap it.
public final class AuthenticatorObserver: SessionObserver, FlightObserver {
    public let name: String
    /// The authenticator that answers the challenges.
    public let authenticator: ProgramAuthenticator
    private let hooks: ApplicationHooks

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - authenticator: The authenticator that answers the challenges.
    ///   - authenticate: Replaces the method's steps by the application's own, which leave the credential in the session. Calls do
    ///     not overlap.
    ///   - isChallenge: Replaces the spec's challenge recognition; called once per response.
    ///   - review: Reviews each login before pending requests resume.
    public init(
        name: String, authenticator: ProgramAuthenticator, authenticate: (@Sendable (Session) async throws -> Void)? = nil,
        isChallenge: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? = nil, review: AuthenticationReview? = nil
    ) {
        self.name = name
        self.authenticator = authenticator
        hooks = ApplicationHooks(authenticate: authenticate, isChallenge: isChallenge, review: review)
    }

    /// Returns the credential manager of the exchange's session, and the exchange with the hooks of this observer.
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
        // A logout ends the session's flights itself. Only the unregistration of the observer has to be handled here.
        if !session.isRegistered(self) { authenticator.forgetRegistration(on: session) }
    }
}
