public import HTTPTypes

/// Executes a method of `countersign: 2` on a session: recognises its challenges, manages its credential and attaches it.
///
/// Generated code names one for each method, such as `HTTPBasicObserver`:
///
/// ```swift
/// let observer = HTTPBasicObserver(parameters: HTTPBasicParameters(servers: [server]), prompting: application)
/// session.register(observer)
/// ```
///
/// **Where a credential goes.** To the origins that the spec's `for` names, also when a redirect leads there, and to no other:
/// ``SessionEvent/Kind/withheld`` reports an origin that asks in vain. Nothing is attached to a request that has such a header field of the
/// caller's own. A credential with a secret in it goes nowhere unencrypted but to this machine: a challenge that would need that ends in
/// ``CountersignError/Code/insecureDestination``.
///
/// **Where it is kept.** In memory, or in a ``CredentialStore`` of the application's: then a process that is challenged takes what is stored
/// before it asks or logs in, what was obtained is stored before it is used, and what a server refuses is deleted. Under one name are the
/// credentials of one method with the same parameters, secrets aside; users of one application who have the same need stores of their own.
/// A logout deletes all of them, and tells their servers; taking the observer off its session keeps them. Where the store
/// fails, ``SessionEvent/Kind/notStored`` says so, and the credential is used all the same. Processes with one store log in and renew one
/// after another, and each takes what the one before it has got.
///
/// **When it runs out.** Shortly before, another one is fetched while requests go on with it; afterwards, before a request is sent. By
/// ``MethodProgram/renewal``, if the credential has what that needs, else by the steps to a credential, if they take neither a challenge
/// nor a user. Otherwise the request is sent without, and what the server demands is answered.
///
/// **When it is refused.** A credential that a server has accepted is replaced, once for all requests that wait. One that was refused before
/// any server accepted it is replaced as often in a row as the spec's `retry` says, and so is one that the application gave less than
/// ``SessionConfiguration/authenticationWindow`` ago, since what has accepted it may be open to all; then the requests end in
/// ``CountersignError/Code/challengedAgain``, and the next request starts over. One that was just renewed is kept for other requests, if the
/// spec has no `retry`: a single server that refuses it says nothing against it. Within one request what was refused is not sent again. A login
/// with a secret of the parameters that a server refuses ends in ``CountersignError/Code/refusedByServer``, and is not repeated within
/// ``SessionConfiguration/refusedLoginInterval``.
public final class ProgramObserver<Parameters: ProgramParameters>: SessionObserver {
    public let name: String
    /// What the method needs to know.
    public let parameters: Parameters
    private let manager: CredentialManager

    /// Makes an observer; generated code has an initialiser with the method's own prompts.
    ///
    /// - Parameters:
    ///   - parameters: What the method needs to know.
    ///   - prompter: Asks the application; `nil` for a method that asks nothing.
    ///   - store: Where credentials outlive the process; `nil` for nowhere.
    public convenience init(parameters: Parameters, prompter: (any ProgramPrompting)?, store: (any CredentialStore)? = nil) {
        let method = PreparedProgram(parameters, prompter: prompter)
        self.init(parameters, CredentialManager(method, keptIn: store.map { StoredCredentials($0, of: method) }))
    }

    /// Makes an observer around which generated code has a class of its own.
    ///
    /// - Parameters:
    ///   - parameters: What the method needs to know.
    ///   - prompter: Asks the application; `nil` for a method that asks nothing.
    ///   - store: Where credentials outlive the process; `nil` for nowhere.
    ///   - isChallenge: Replaces the comparison with the spec's patterns by the application's own; asked once for each response.
    ///   - review: Reviews each credential that is obtained by a login or from the application, before the requests that wait for
    ///     it go on.
    @_spi(Generated) public convenience init(
        parameters: Parameters, prompter: (any ProgramPrompting)?, places store: (any PlaceCredentialStore)?,
        isChallenge: (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? = nil, review: AuthenticationReview? = nil
    ) {
        self.init(
            parameters,
            CredentialManager(
                PreparedProgram(
                    parameters, prompter: prompter,
                    hooks: ApplicationHooks(isChallenge: isChallenge, review: review)),
                keptIn: store.map(PlaceCredentials.init)))
    }

    private init(_ parameters: Parameters, _ manager: CredentialManager) {
        self.parameters = parameters
        self.manager = manager
        name = "\(Parameters.program.name)Observer"
    }

    public func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment {
        manager.attach(to: &request, in: exchange, by: name)
    }

    public func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Attachment {
        try await manager.prepare(&request, in: exchange)
    }

    public func needsBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool {
        manager.needsBody(of: response, in: exchange)
    }

    public func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict {
        manager.classify(response, in: exchange, by: name)
    }

    public func classify(refusal: TransportError, in exchange: ExchangeContext) -> String? {
        manager.classify(refusal: refusal, in: exchange, by: name)
    }

    public func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws {
        try await manager.recover(challenge, in: exchange)
    }

    public func revocations(in session: Session) -> [Revocation] { manager.revocations() }

    public func forget(at origin: Origin?, in session: Session) async throws { try await manager.forget(at: origin, in: session) }

    public func didEndSession(_ session: Session) {
        manager.end(isRegistered: session.isRegistered(self), in: session)
    }
}

extension ProgramObserver: RedirectedObserver, StoringObserver, NegotiatingObserver {
    var redirects: [AuthorizationRedirect] { manager.redirects }

    func classifyLeg(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict? {
        await manager.classifyLeg(response, in: exchange)
    }

    func storedRevocations(in session: Session) async throws -> [Revocation] { try await manager.storedRevocations(in: session) }
}
