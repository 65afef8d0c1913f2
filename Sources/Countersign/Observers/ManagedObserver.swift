package import HTTPTypes

/// Executes a method on a session, whatever its parameters' type is.
///
/// It is what a generated observer for `token: oauth2` is made of:
///
/// **Where a token goes.** To the origins that it is for, if they are named, also when a redirect leads there. If none is named: to the
/// first origin that the application asks; a redirect leads no token anywhere, since a server must not choose who receives it. Nothing is
/// attached to a request that has an `Authorization` field of the caller's own or of an observer before this one, unless the server has asked
/// for the token, nor to a request for a token. A challenge of any other origin is left unanswered, and ``SessionEvent/Kind/withheld``
/// reported; one on an unencrypted connection to another machine ends in ``CountersignError/Code/insecureDestination``.
///
/// **Where it is kept.** In the application's ``OAuth2TokenStore``, by origin. The store is asked before the first request to an origin is
/// sent.
///
/// For a credential of any other kind, ``ProgramObserver`` says both.
package final class ManagedObserver: RedirectedObserver, StoringObserver, NegotiatingObserver {
    package let name: String
    private let manager: CredentialManager

    /// Makes an observer of a method with tokens.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - method: What challenges it, and its errors.
    ///   - source: Gets tokens.
    ///   - store: Keeps them.
    ///   - origins: The origins that may receive the token; `nil` for the first that the application asks.
    ///   - clock: Time and chance.
    init(
        name: String, method: PreparedProgram, source: any TokenSource, store: any OAuth2TokenStore, origins: ProtectedOrigins?,
        clock: @escaping @Sendable (Session) -> TokenClock = { TokenClock(elapsed: $0.now) }
    ) {
        self.name = name
        var method = method
        method.tokens = source
        manager = CredentialManager(
            method, keptIn: TokenCredentials(store, for: origins), for: CredentialDestinations(origins), as: name, clock: clock)
    }

    /// Makes an observer of a method that has no errors of its own.
    ///
    /// - Parameter challenges: What a response is compared with.
    package convenience init(
        name: String, source: any TokenSource, store: any OAuth2TokenStore, challenges: [ChallengePattern]
    ) {
        let program = MethodProgram(
            name: source.authenticationMethod, summary: "Tokens of a source.", slots: [], challenges: challenges,
            credential: CredentialShape(destinations: [], token: CredentialShape.Token()))
        self.init(
            name: name, method: PreparedProgram(program, values: []) { _, _, _ in nil }, source: source, store: store, origins: nil)
    }

    /// Makes an observer of a program.
    ///
    /// - Parameters:
    ///   - prompter: Asks the application; `nil` where nothing answers.
    ///   - store: Where credentials outlive the process; `nil` for nowhere.
    package init(_ program: FilledProgram, prompter: (any ProgramPrompting)?, store: (any CredentialStore)?) {
        name = "\(program.program.name)Observer"
        let method = program.prepared(prompter: prompter)
        manager = CredentialManager(method, keptIn: store.map { StoredCredentials($0, of: method) })
    }

    /// Where the logins of this observer end.
    var redirects: [AuthorizationRedirect] { manager.redirects }

    package func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment {
        manager.attach(to: &request, in: exchange, by: name)
    }

    package func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Attachment {
        try await manager.prepare(&request, in: exchange)
    }

    package func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict {
        manager.classify(response, in: exchange, by: name)
    }

    func classifyLeg(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict? {
        await manager.classifyLeg(response, in: exchange)
    }

    package func classify(refusal: TransportError, in exchange: ExchangeContext) -> String? {
        manager.classify(refusal: refusal, in: exchange, by: name)
    }

    package func needsBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool {
        manager.needsBody(of: response, in: exchange)
    }

    package func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws {
        try await manager.recover(challenge, in: exchange)
    }

    /// The access key that requests are signed with; `nil` where there is none now, or requests are not signed so.
    package var accessKey: AccessKey? { manager.accessKey }

    package func revocations(in session: Session) -> [Revocation] { manager.revocations() }

    func storedRevocations(in session: Session) async throws -> [Revocation] { try await manager.storedRevocations(in: session) }

    package func didEndSession(_ session: Session) { manager.end(isRegistered: session.isRegistered(self), in: session) }

    package func forget(at origin: Origin?, in session: Session) async throws { try await manager.forget(at: origin, in: session) }
}
