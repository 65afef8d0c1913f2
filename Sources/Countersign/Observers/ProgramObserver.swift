public import HTTPTypes

/// Executes a method on a session: recognises its challenges, obtains, stores and renews its credential, and attaches it to
/// requests.
///
/// Generated code has a type for each method, such as `HTTPBasicObserver`:
///
/// ```swift
/// let observer = HTTPBasicObserver(parameters: HTTPBasicParameters(servers: [server]), prompting: application)
/// session.register(observer)
/// ```
///
/// **Recipients.** Only the origins of the spec's `for` receive the credential, also after a redirect. A challenge of another
/// origin is not answered and is reported as ``SessionEvent/Kind/withheld``. Nothing is attached to a request in which the caller
/// has set the header field. A credential with a secret is never sent unencrypted, except to this machine: a challenge that would
/// require it fails with ``CountersignError/Code/insecureDestination``.
///
/// If a field of the credential is under `for`, the origin of its URL receives the credential too, as long as the credential names
/// it: not before the login, not after a renewal that names another one, and not after a logout. A stored credential is read before
/// the first request, to any server, since it may name that server. To log in, send a request to another server under `for`, or pass
/// its URL to ``authenticate(for:in:)``.
///
/// **One user.** An observer has the credentials of one user. Sessions on which the same observer is registered all send them, and
/// the logout of one ends them for all. Sessions of different users therefore need an observer each.
///
/// **Storage.** Credentials are kept in memory, or in a ``CredentialStore`` of the application. With a store, a challenged process
/// reads it before it asks or logs in, a new credential is stored before it is used, and a refused one is deleted. Entries are
/// named by the method and the parameters that identify a credential (``ProgramSlot/identifiesCredential``); several users with the
/// same ones need separate stores. A logout deletes all entries and notifies their servers; unregistering the observer keeps them.
/// If the store fails, ``SessionEvent/Kind/notStored`` is reported, and the credential is used nevertheless. Processes that share a
/// store log in and renew one after another, and each uses the result of the one before it.
///
/// **Expiry.** Shortly before its expiry, a credential is renewed in the background while requests still use it; afterwards, before
/// the next request is sent. The renewal uses ``MethodProgram/renewal`` if the credential has the required values, otherwise the
/// steps to a new credential if they need neither a challenge nor the user. Otherwise the request is sent without a credential, and
/// the server's challenge is answered.
///
/// **Refusal.** A credential that a server has accepted before is replaced once for all pending requests. A credential that was
/// refused before any server accepted it is replaced at most `retry` times in a row (a key of the spec). The same holds for one
/// that the application provided less than ``SessionConfiguration/authenticationWindow`` ago, since the resource that accepted it
/// may be public. Then the requests fail with ``CountersignError/Code/challengedAgain``, and the next request starts again. A
/// credential that was just renewed is kept for other requests if the spec has no `retry`, since one server's refusal does not make
/// it invalid. A refused credential is never sent again within one request. If a server refuses a login with a secret of the
/// parameters, the requests fail with ``CountersignError/Code/refusedByServer``, and the login is not repeated within
/// ``SessionConfiguration/refusedLoginInterval``.
public final class ProgramObserver<Parameters: ProgramParameters>: SessionObserver {
    public let name: String
    /// The parameters of the method.
    public let parameters: Parameters
    let manager: CredentialManager

    /// Creates an observer. Generated code has an initialiser with the method's own prompts.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the method.
    ///   - prompter: Asks the application for credentials; `nil` for a method without prompts.
    ///   - store: The persistent store of credentials; `nil` for memory only.
    public convenience init(parameters: Parameters, prompter: (any ProgramPrompting)?, store: (any CredentialStore)? = nil) {
        let method = PreparedProgram(parameters, prompter: prompter)
        self.init(parameters, CredentialManager(method, keptIn: store.map { StoredCredentials($0, of: method) }))
    }

    /// Creates an observer that a generated class wraps.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the method.
    ///   - prompter: Asks the application for credentials; `nil` for a method without prompts.
    ///   - store: The persistent store of credentials; `nil` for memory only.
    ///   - isChallenge: Replaces the spec's challenge recognition; called once per response.
    ///   - review: Reviews each credential from a login or the application before pending requests resume.
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

    public func revocations(in session: Session) -> [Revocation] { manager.revocations }

    public func forget(at origin: Origin?, in session: Session) async throws { try await manager.forget(at: origin, in: session) }

    public func didEndSession(_ session: Session) {
        manager.end(isRegistered: session.isRegistered(self), in: session)
    }
}

extension ProgramObserver: FlightObserver, CredentialObserver, RedirectedObserver, StoringObserver, NegotiatingObserver {
    var redirects: [AuthorizationRedirect] { manager.redirects }

    var parameterNames: [String] { manager.parameterNames }
    var secretParameterNames: [String] { manager.secretParameterNames }

    func classifyLeg(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict? {
        await manager.classifyLeg(response, in: exchange)
    }

    var credentials: CredentialManager? { manager }

    func storedRevocations(in session: Session) async throws -> [Revocation] { try await manager.storedRevocations(in: session) }
}
