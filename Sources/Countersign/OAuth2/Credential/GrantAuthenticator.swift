#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// Gets and renews tokens by a grant, and makes the observers that need them: what a generated authenticator is made of.
public final class GrantAuthenticator: Sendable {
    /// Where token requests are sent, and whose presenter shows pages if nothing else says which.
    public let session: Session
    /// The origins that may receive the token, as far as the parameters name them.
    public let origins: ProtectedOrigins?
    let source: any TokenSource
    /// The method of the grant by which most tokens come: it has challenges and errors of all of them.
    private let method: PreparedProgram
    private let challenges: [CompiledChallenge]
    private let cancelRuns: @Sendable () -> Void
    private let obtainAlone: @Sendable (Session, TokenClock) async throws -> OAuth2IssuedToken

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - parameters: What the grant is run with.
    ///   - session: Sends the token requests.
    ///   - presenter: Shows the pages; `nil` takes the presenter of the session that needs a token, then that of `session`.
    public convenience init<Parameters: ProgramParameters>(
        _ parameters: Parameters, session: Session, presenter: (any WebPresenter)? = nil
    ) {
        self.init(PreparedProgram(parameters, prompter: nil), session: session, presenter: presenter)
    }

    /// The same of a program that no type of parameters has been generated for.
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

    /// Makes an authenticator whose first token comes by another grant than the later ones.
    ///
    /// - Parameters:
    ///   - parameters: What the first grant is run with. They are dropped once they are used, or too old.
    ///   - session: Sends the token requests; its clock tells how old the parameters are: from this moment on, or from the
    ///     scan where a passcode is redeemed.
    ///   - presenter: Shows the pages; `nil` takes the presenter of the session that needs a token, then that of `session`.
    public init<Parameters: OneTimeParameters>(
        _ parameters: Parameters, session: Session, presenter: (any WebPresenter)? = nil
    ) {
        // Of the parameters that are used once, nothing may be kept.
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

    /// Gets a token without having one.
    ///
    /// - Throws: the method's `busy` error while another authentication runs; the method's other errors; ``CountersignError``;
    ///   `CancellationError`.
    public func authenticate() async throws -> OAuth2Token {
        try await translating { try await obtainAlone(session, clock).token }
    }

    /// Gets a token for the refresh token of another.
    ///
    /// Joins the renewal of the same refresh token that another call, or an observer of this authenticator, has begun: a refresh token is
    /// often good for one use. The server may have replaced the refresh token when it answers, so cancelling the task that waits does not
    /// cancel the request.
    ///
    /// - Throws: ``authenticate()``'s errors but for `busy`.
    public func refresh(_ token: OAuth2Token) async throws -> OAuth2Token {
        try await translating {
            do {
                return try await source.renew(token, in: session, clock: clock).token
            } catch let failure as FlightFailure {
                // A session had begun the same renewal and was ended before it was sent.
                throw CountersignError(failure, authenticationMethod: source.authenticationMethod)
            }
        }
    }

    /// Ends a running authentication; all who wait for it get the method's error for that. Does nothing when none runs.
    public func cancel() { cancelRuns() }

    /// Whether the head of a response that came from `url` is a challenge of this method.
    public func matches(_ response: HTTPResponse, url: URL) -> Bool { challenges.match(response, from: url) }

    /// An observer that attaches this authenticator's tokens and answers challenges.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - store: Keeps the tokens.
    ///   - origins: The origins that may receive the token; `nil` for ``origins``, or for the first that the application asks if the
    ///     parameters name none.
    ///   - isChallenge: Replaces the comparison of heads by the application's own; asked once per response.
    ///   - review: Can refuse each login of a user before the requests that wait for it go on.
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
        } catch let failure as OAuth2TokenFailure {
            throw source.error(for: failure)
        }
    }
}

extension ProgramParameters {
    /// An observer that attaches the tokens of an application's own authentication and answers challenges with it.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - store: Keeps the tokens.
    ///   - origins: The origins that may receive the token; `nil` for the first that the application asks.
    ///   - authenticate: Gets a token without having one.
    ///   - refresh: Gets a token for the refresh token of another. An ``OAuth2ServerError``, or an error that carries one, ends the
    ///     session if it says `invalid_grant`; every other error leaves the token as it is.
    ///   - isChallenge: Replaces the comparison of heads by the application's own; asked once per response.
    ///   - review: Can refuse each login of a user before the requests that wait for it go on.
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
    /// The challenges of a method with tokens, which no parameter is a part of.
    fileprivate var compiledChallenges: [CompiledChallenge] { challenges.compactMap { CompiledChallenge($0, []) } }
}
