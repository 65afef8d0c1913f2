#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// Obtains and renews tokens by an OAuth 2.0 grant, and creates the observers that use them. Generated authenticators wrap it.
public final class GrantAuthenticator: Sendable {
    /// The session that sends the token requests. Its presenter shows pages if no other presenter is given.
    public let session: Session
    /// The origins that may receive the token; `nil` if the parameters name none.
    public let origins: ProtectedOrigins?
    let source: any TokenSource
    /// The method of the grant that obtains most tokens. Its challenges and errors are those of all grants of the method.
    private let method: PreparedProgram
    private let challenges: [CompiledChallenge]
    private let cancelRuns: @Sendable () -> Void
    private let obtainAlone: @Sendable (Session, TokenClock) async throws -> OAuth2IssuedToken

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the grant.
    ///   - session: The session that sends the token requests.
    ///   - presenter: The presenter of login pages; `nil` uses the presenter of the session that needs a token, then that of
    ///     `session`.
    public convenience init<Parameters: ProgramParameters>(
        _ parameters: Parameters, session: Session, presenter: (any WebPresenter)? = nil
    ) {
        self.init(PreparedProgram(parameters, prompter: nil), session: session, presenter: presenter)
    }

    /// Creates an authenticator of a program without a generated parameter type.
    package convenience init(_ program: FilledProgram, session: Session, presenter: (any WebPresenter)? = nil) {
        self.init(program.prepared(), session: session, presenter: presenter)
    }

    private init(_ method: PreparedProgram, session: Session, presenter: (any WebPresenter)?) {
        self.method = method
        let source = GrantSource(method, session: session, presenter: presenter)
        self.session = session
        origins = source.origins
        self.source = source
        challenges = method.program.compiledChallenges
        cancelRuns = { source.cancel() }
        obtainAlone = { try await source.obtainAlone(in: $0, clock: $1) }
    }

    /// Creates an authenticator whose first token is obtained by another grant than the later ones.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the first grant. They are dropped once they have been used or are too old.
    ///   - session: The session that sends the token requests. Its clock measures the age of the parameters, from this call or, for
    ///     a passcode, from its scan.
    ///   - presenter: The presenter of login pages; `nil` uses the presenter of the session that needs a token, then that of
    ///     `session`.
    public init<Parameters: OneTimeParameters>(
        _ parameters: Parameters, session: Session, presenter: (any WebPresenter)? = nil
    ) {
        // The single-use parameters must not be retained, so this is the method of the successors.
        method = PreparedProgram(parameters.next, prompter: nil)
        let source = HandoverSource(
            PreparedProgram(parameters, prompter: nil), within: Parameters.life, next: method, session: session,
            presenter: presenter)
        self.session = session
        origins = source.origins
        self.source = source
        challenges = Parameters.program.compiledChallenges
        cancelRuns = { source.cancel() }
        obtainAlone = { try await source.obtainAlone(in: $0, clock: $1) }
    }

    /// Obtains a token without an existing one.
    ///
    /// - Throws: The method's `busy` error if another authentication is running; the method's other errors; ``CountersignError``;
    ///   `CancellationError`.
    public func authenticate() async throws -> OAuth2Token {
        try await translating { try await obtainAlone(session, clock).token }
    }

    /// Obtains a token with the refresh token of another one.
    ///
    /// A renewal of the same refresh token that another call or an observer of this authenticator has started is shared, since a
    /// refresh token can often be used only once. Cancelling the waiting task does not cancel the request, since the server may
    /// have rotated the refresh token already.
    ///
    /// If a step after the token request fails, this throws although the server may have rotated the refresh token. The authenticator
    /// keeps the new refresh token in memory, and sends it in place of the old one when `token` is renewed again. It keeps those of the
    /// last 16 such failures. Another authenticator or process knows only the old one, which a server with rotation no longer accepts:
    /// call ``authenticate()`` if a renewal is refused.
    ///
    /// - Throws: The errors of ``authenticate()`` except `busy`.
    public func refresh(_ token: OAuth2Token) async throws -> OAuth2Token {
        try await translating { try await source.renew(token, in: session, clock: clock).token }
    }

    /// Cancels a running authentication. All callers that wait for it get the method's error for that. Does nothing if none is
    /// running.
    public func cancel() { cancelRuns() }

    /// Returns whether the head of a response from `url` is a challenge of this method.
    public func matches(_ response: HTTPResponse, url: URL) -> Bool { challenges.match(response, from: url) }

    /// Returns an observer that attaches this authenticator's tokens and answers challenges.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - store: The store of the tokens.
    ///   - origins: The origins that may receive the token; `nil` for ``origins``, or, if the parameters name none, the first
    ///     origin that receives a request.
    ///   - isChallenge: Replaces the method's challenge recognition; called once per response.
    ///   - review: Can reject each login before pending requests resume.
    public func observer(
        named name: String, store: any OAuth2TokenStore, origins: ProtectedOrigins? = nil,
        isChallenge: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? = nil, review: AuthenticationReview? = nil
    ) -> any SessionObserver {
        ManagedObserver(
            name: name, method: method.with(ApplicationHooks(isChallenge: isChallenge, review: review)), source: source,
            store: store, origins: origins ?? self.origins)
    }

    private var clock: TokenClock { TokenClock(session.configuration.clock) }

    private func translating<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch {
            let translated = source.translated(error)
            let failure = (translated as? IncompleteGrant)?.error ?? translated
            guard let flight = failure as? FlightFailure else { throw failure }
            // A session had started the same renewal, and was ended before a request was sent.
            throw CountersignError(flight, authenticationMethod: source.authenticationMethod)
        }
    }
}

extension ProgramParameters {
    /// Returns an observer that attaches the tokens of an application's own authentication and answers challenges with it.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - store: The store of the tokens.
    ///   - origins: The origins that may receive the token; `nil` for the first origin that receives a request.
    ///   - authenticate: Obtains a token without an existing one.
    ///   - refresh: Obtains a token with the refresh token of another one. An ``OAuth2ServerError``, or an error that carries one,
    ///     ends the session if its code is `invalid_grant` or `invalid_token`; every other error keeps the token.
    ///   - isChallenge: Replaces the method's challenge recognition; called once per response.
    ///   - review: Can reject each login before pending requests resume.
    @_spi(Generated) public func observer(
        named name: String, store: any OAuth2TokenStore, origins: ProtectedOrigins? = nil,
        authenticate: @escaping @Sendable () async throws -> OAuth2Token,
        refresh: @escaping @Sendable (OAuth2Token) async throws -> OAuth2Token,
        isChallenge: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? = nil, review: AuthenticationReview? = nil
    ) -> any SessionObserver {
        ManagedObserver(
            name: name,
            method: PreparedProgram(
                self, prompter: nil, hooks: ApplicationHooks(isChallenge: isChallenge, review: review)),
            source: OwnTokenSource(
                authenticationMethod: Self.program.name, authenticate: authenticate, refresh: refresh),
            store: store, origins: origins)
    }
}

extension MethodProgram {
    /// The challenges of a method with tokens. They use no parameters.
    fileprivate var compiledChallenges: [CompiledChallenge] { challenges.compactMap { CompiledChallenge($0, []) } }
}
