package import HTTPTypes

/// Executes a method on a session, with type-erased parameters.
///
/// Generated observers for `token: oauth2` wrap it.
///
/// **Recipients of a token.** The named origins receive it, also after a redirect. If no origin is named, the first origin that
/// receives a request of the application does; then a redirect never changes the recipient, since a server must not choose it.
/// Nothing is attached to token requests, nor to a request that already has an `Authorization` field of the caller or of an earlier
/// observer, unless the server has asked for the token. A challenge of another origin is not answered, and
/// ``SessionEvent/Kind/withheld`` is reported. A challenge over an unencrypted connection to another machine fails with
/// ``CountersignError/Code/insecureDestination``.
///
/// **Storage.** Tokens are stored in the application's ``OAuth2TokenStore``, by origin. The store is read before the first request
/// to an origin.
///
/// For credentials of other kinds, see ``ProgramObserver``.
package final class ManagedObserver: FlightObserver, CredentialObserver, RedirectedObserver, StoringObserver, NegotiatingObserver {
    package let name: String
    private let manager: CredentialManager

    /// Creates an observer of a method with tokens.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - method: The challenges and errors of the method.
    ///   - source: The source of tokens.
    ///   - store: The store of tokens.
    ///   - origins: The origins that may receive the token; `nil` for the first origin that the application sends a request to.
    ///   - clock: Creates the clock and random source of a session.
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

    /// Creates an observer of a method without errors of its own.
    ///
    /// - Parameter challenges: The patterns of challenges.
    package convenience init(
        name: String, source: any TokenSource, store: any OAuth2TokenStore, challenges: [ChallengePattern]
    ) {
        let program = MethodProgram(
            name: source.authenticationMethod, summary: "Tokens of a source.", slots: [], challenges: challenges,
            credential: CredentialShape(destinations: [], token: CredentialShape.Token()))
        self.init(
            name: name, method: PreparedProgram(program, values: []) { _, _, _ in nil }, source: source, store: store, origins: nil)
    }

    /// Creates an observer of a program.
    ///
    /// - Parameters:
    ///   - prompter: Asks the application for credentials; `nil` if there is none to ask.
    ///   - store: The persistent store of credentials; `nil` for memory only.
    package init(_ program: FilledProgram, prompter: (any ProgramPrompting)?, store: (any CredentialStore)?) {
        name = "\(program.program.name)Observer"
        let method = program.prepared(prompter: prompter)
        manager = CredentialManager(method, keptIn: store.map { StoredCredentials($0, of: method) })
    }

    /// The redirects that end this observer's logins.
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

    var parameterNames: [String] { manager.parameterNames }
    var secretParameterNames: [String] { manager.secretParameterNames }

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

    /// The access key that signs requests; `nil` if none is available now, or if requests are not signed by one.
    package var accessKey: AccessKey? { manager.accessKey }

    /// The names of the header fields that carry the current credentials, including those that a server has named for them.
    package var fieldNames: Set<HTTPField.Name> { manager.currentFieldNames }

    package func revocations(in session: Session) -> [Revocation] { manager.revocations }

    var credentials: CredentialManager? { manager }

    func storedRevocations(in session: Session) async throws -> [Revocation] { try await manager.storedRevocations(in: session) }

    package func didEndSession(_ session: Session) { manager.end(isRegistered: session.isRegistered(self), in: session) }

    package func forget(at origin: Origin?, in session: Session) async throws { try await manager.forget(at: origin, in: session) }
}
