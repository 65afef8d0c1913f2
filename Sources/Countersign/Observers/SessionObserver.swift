public import HTTPTypes

/// An observer of a session's exchanges that attaches credentials, recognises challenges and answers them.
///
/// Observers are called in the order of their registration. ``attach(to:in:)`` and ``classify(_:in:)`` are called for every request
/// and should return quickly.
public protocol SessionObserver: AnyObject, Sendable {
    /// The observer's name in errors and events, such as `SAMLObserver`.
    var name: String { get }

    /// Adds the credential to a request that is about to be sent.
    ///
    /// Called for each send: the first one, after a redirect, after a challenge. The request is the caller's, with the additions of
    /// earlier observers in this send. After ``Attachment/later``, the request is passed to ``prepare(_:in:)`` with the changes
    /// of this call.
    ///
    /// An observer may change the request's URL, though not from `https` to `http`. A new origin is treated like a redirect: the
    /// caller's credentials and the additions of other observers are removed, and those observers are called again for the new
    /// origin. The additions of this observer are kept.
    ///
    /// The request can have query parameters that a method with `query`, or with a signature `in: query`, under `attach` has added.
    /// They are secrets, and are not in ``ExchangeContext/url``.
    func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment

    /// Prepares and attaches the credential asynchronously. Called only after ``attach(to:in:)`` has returned ``Attachment/later``.
    ///
    /// - Returns: The attachment. ``Attachment/later`` is not allowed.
    /// - Throws: The error with which the exchange fails; nothing is sent.
    func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Attachment

    /// Classifies a response's head as a challenge or not. Called at most once per response. The first observer that recognises a
    /// challenge ends the round.
    func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict

    /// Returns whether the beginning of a response's body is needed to recognise a challenge. It is then in
    /// ``ExchangeContext/bodyPrefix`` when ``classify(_:in:)`` is called. Called for each response.
    ///
    /// If these bytes have not arrived at the exchange's time limit, the exchange fails with ``CountersignError/Code/timedOut``, so
    /// that a possible challenge is never returned as data.
    func needsBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool

    /// Classifies a TLS connection that was refused because the server requires a client certificate. Returns the name of the
    /// matching signature, or `nil`.
    func classify(refusal: TransportError, in exchange: ExchangeContext) -> String?

    /// Answers a challenge. On return, the caller's request is sent again.
    ///
    /// An observer answers at most one challenge for each generation that it attaches. If the same generation is challenged again
    /// (``ChallengeOccurrence/isRepeated``), this method is called once more so that it can throw its own error; otherwise the
    /// exchange fails with ``CountersignError/Code/challengedAgain``. After a redirect, the same generation can be challenged once
    /// more. The time spent here does not count toward the exchange's time limit.
    ///
    /// - Throws: The error with which the exchange fails.
    func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws

    /// Called before a redirect is followed. The observer may change the new request, or refuse it by throwing.
    ///
    /// If the new request's origin differs, the caller's credentials are removed, as with any redirect to another origin.
    ///
    /// - Throws: The error with which the exchange fails.
    func redirect(_ response: HTTPResponse, to request: inout HTTPRequest, in exchange: ExchangeContext) async throws

    /// Called when the observer was registered on a session.
    func didRegister(on session: Session)

    /// Returns the revocations of the current credentials. A logout calls it before ``didEndSession(_:)``, and runs the
    /// revocations after that.
    ///
    /// They send requests without the credentials of observers, and throw if a server could not be notified.
    func revocations(in session: Session) -> [Revocation]

    /// Called when the session was logged out, another user logs in, or the observer was unregistered. The observer drops its state
    /// of the session.
    func didEndSession(_ session: Session)

    /// Deletes the stored credentials of the user who has just logged out. Called after ``didEndSession(_:)``.
    ///
    /// - Parameters:
    ///   - origin: The server that was notified of the logout, which this observer may not have seen yet.
    ///   - session: The session.
    /// - Throws: The error of a store that could not delete a credential.
    func forget(at origin: Origin?, in session: Session) async throws
}

extension SessionObserver {
    public func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment { .nothing }
    public func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Attachment { .nothing }
    public func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict { .pass }
    public func needsBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool { false }
    public func classify(refusal: TransportError, in exchange: ExchangeContext) -> String? { nil }
    public func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws {}
    public func redirect(_ response: HTTPResponse, to request: inout HTTPRequest, in exchange: ExchangeContext) async throws {}
    public func didRegister(on session: Session) {}
    public func revocations(in session: Session) -> [Revocation] { [] }
    public func didEndSession(_ session: Session) {}
    public func forget(at origin: Origin?, in session: Session) async throws {}
}

/// Notifies a server that a credential is no longer used.
public typealias Revocation = @Sendable (Session) async throws -> Void

/// The effect of an observer on a request.
public enum Attachment: Sendable, Hashable {
    /// Nothing was attached.
    case nothing
    /// The credential of this generation is in the request, or will be added by the session (cookies).
    case ready(Generation)
    /// The credential of this generation is the client certificate of the connection.
    case connection(ConnectionIdentity, Generation)
    /// The credential of this generation is the cookies of this jar. They are sent before the session's cookies, replacing those of
    /// the same name, and the response's cookies are stored in this jar.
    case cookies(CookieJar, Generation)
    /// The credential of this generation is a security context. The request carries its next leg, or the context begins with the
    /// response.
    case handshake(NegotiationHandshake, Generation)
    /// The credential is in members of the body too, which the session adds to the caller's. The rest of the credential is attached
    /// as described by the second value.
    indirect case body(BodyMembers, Attachment)
    /// The credential has to be prepared asynchronously.
    case later
}

/// The number of an observer's credential. A challenge to a request with an older generation needs no new authentication.
public struct Generation: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number of credentials before this one.
    public let number: UInt64
    /// Creates the generation with a number.
    public init(_ number: UInt64) { self.number = number }
    /// The generation before the first credential.
    public static let none = Generation(0)
    /// The next generation.
    public var next: Generation { Generation(number + 1) }
    public static func < (left: Generation, right: Generation) -> Bool { left.number < right.number }
    public var description: String { "generation \(number)" }
}

/// The classification of a response by an observer.
public enum Verdict: Sendable {
    /// The response is not a challenge for this observer.
    case pass
    /// The response is a challenge. The associated value is the name of the matching signature.
    case challenge(signature: String)
    /// The response is a challenge that can be answered by a resend, since the next attachment differs, for example in its nonce.
    case resend(signature: String)
    /// The response is not a challenge, and its head is replaced by this one.
    case replace(HTTPResponse)
    /// The exchange fails with this error.
    case refuse(any Error)
}

/// A challenge, as it was received.
public struct ChallengeOccurrence: Sendable {
    /// The name of the signature.
    public let signature: String
    /// The generation of the credential in the challenged request.
    public let generation: Generation
    /// Whether this observer has already answered a challenge of the same origin in this exchange. Unless it has a newer generation
    /// than ``generation``, that answer had no effect.
    public let isRepeated: Bool
    /// The head of the response; `nil` if the server refused the connection.
    public let response: HTTPResponse?

    /// Creates a challenge, for example to test an observer.
    public init(signature: String, generation: Generation, isRepeated: Bool, response: HTTPResponse?) {
        self.signature = signature
        self.generation = generation
        self.isRepeated = isRepeated
        self.response = response
    }
}

/// An observer that answers a challenge only by waiting for an authentication. The authentication has its own task, and the wait
/// ends when the session is closed, so the recovery needs no separate task that could be cancelled.
protocol FlightObserver: SessionObserver {}

/// An observer that changes the target of a request only to attach its credential. The URL of the exchange then stays the same.
protocol CredentialObserver: SessionObserver {
    /// The names of the query parameters that carry the credential, or a signature with it.
    var parameterNames: [String] { get }
    /// The names among them whose values are secret or belong to one signature alone.
    var secretParameterNames: [String] { get }
}

/// An observer whose credentials can be in a store that this process has not read. A logout uses the members of this protocol
/// instead of ``SessionObserver/revocations(in:)`` and ``SessionObserver/didEndSession(_:)``.
protocol StoringObserver: SessionObserver {
    /// The credentials, which end in one step with the user's session; `nil` if there are none.
    var credentials: CredentialManager? { get }

    /// Returns the revocations of stored credentials that this process does not hold.
    ///
    /// - Throws: ``CredentialStoreError``; an error of the application's store.
    func storedRevocations(in session: Session) async throws -> [Revocation]
}

/// An observer whose credentials can be security contexts.
protocol NegotiatingObserver: SessionObserver {
    /// Classifies a response as a leg of the exchange's security context; `nil` if it is not one. Called before the response is
    /// used in any other way, since the server has to authenticate itself first.
    func classifyLeg(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict?
}
