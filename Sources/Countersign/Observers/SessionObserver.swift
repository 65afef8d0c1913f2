#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// Takes part in the exchanges of a session: attaches what it has, recognises challenges, answers them.
///
/// Observers are asked in the order of their registration. ``attach(to:in:)`` and ``classify(_:in:)`` are synchronous and on the
/// path of every request: they read a snapshot and return.
public protocol SessionObserver: AnyObject, Sendable {
    /// A name for errors and events, such as `SAMLObserver`.
    var name: String { get }

    /// Adds the credential to a request about to be sent.
    ///
    /// Called for each send: at first, after a redirect, after a challenge. The request is always the caller's own with what
    /// earlier observers added, never what was sent before. An observer that answers ``Attachment/later`` leaves the request as it
    /// is.
    ///
    /// An observer may send the request elsewhere, though not from `https` to `http`. To another origin the request goes as after a
    /// redirect: without the caller's credentials, and without what other observers attached for the former origin, which are called
    /// once more for the new one. What the observer itself adds goes along.
    func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment

    /// Does what ``attach(to:in:)`` could not do at once; called only after that answered ``Attachment/later``.
    ///
    /// - Returns: what was attached; ``Attachment/later`` again is an error of the observer.
    func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Attachment

    /// Says whether a response's head is a challenge that this observer answers. Asked at most once per response: the first
    /// observer that sees a challenge ends the round.
    func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict

    /// Whether a response can only be told from a challenge by the beginning of its body, which is then in
    /// ``ExchangeContext/bodyPrefix`` when ``classify(_:in:)`` is asked. Asked for each response.
    ///
    /// If those bytes have not arrived when the exchange's time is over, the exchange ends with ``CountersignError/Code/timedOut``: what may
    /// be a challenge is not returned as data.
    func needsBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool

    /// Says whether a connection that was refused for want of a client certificate is a challenge that this observer answers: the name of
    /// the signature that matched, or `nil`.
    func classify(refusal: TransportError, in exchange: ExchangeContext) -> String?

    /// Answers a challenge; on return the request is sent again, from the caller's own.
    ///
    /// An observer answers at most one challenge for each generation that it attaches. When it is challenged again for the same one
    /// (``ChallengeOccurrence/isRepeated``), it is asked once more so that it can throw an error of its own; if it does not, the
    /// exchange ends with ``CountersignError/Code/challengedAgain``. Time spent here does not count against the exchange's limit.
    func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws

    /// Sees a redirect before it is followed, and may change or refuse the new request.
    ///
    /// Where it changes the new request's origin, the caller's credentials stay behind, as with any redirect to another origin.
    func redirect(_ response: HTTPResponse, to request: inout HTTPRequest, in exchange: ExchangeContext) async throws

    /// The observer is now part of a session.
    func didRegister(on session: Session)

    /// What tells servers that the present credentials are no longer used; taken before a logout, and run after it.
    ///
    /// It sends requests without the credentials of observers, and throws what keeps a server from knowing.
    func revocations(in session: Session) -> [Revocation]

    /// The session was logged out, another user logs in, or the observer was taken off the session: forget what belonged to it.
    func didEndSession(_ session: Session)

    /// Ensures that stores have forgotten what belonged to the user who has just logged out, after ``didEndSession(_:)``.
    ///
    /// - Parameters:
    ///   - origin: The server that was notified of the logout, where this observer may not have been asked anything yet.
    ///   - session: The session.
    /// - Throws: what keeps a store from forgetting.
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

/// Tells a server that a credential is no longer used.
public typealias Revocation = @Sendable (Session) async throws -> Void

/// What an observer did to a request.
public enum Attachment: Sendable, Hashable {
    /// Nothing to add.
    case nothing
    /// The credential of this generation is in the request, or will be by the session's own means (cookies).
    case ready(Generation)
    /// The credential of this generation is the identity that the connection has to be made with.
    case connection(ConnectionIdentity, Generation)
    /// The credential of this generation is the cookies of this jar. They go with the request before the session's, in place of those of
    /// the same name, and what the response sets is kept with them.
    case cookies(CookieJar, Generation)
    /// The credential of this generation is a security context, of which the request carries the next leg, or which begins with the answer.
    case handshake(NegotiationHandshake, Generation)
    /// A credential has to be prepared first.
    case later
}

/// Counts the credentials that an observer has had; a challenge to an older one needs no new authentication.
public struct Generation: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// How many credentials came before.
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
    /// Before the first credential.
    public static let none = Generation(0)
    /// The next one.
    public var next: Generation { Generation(number + 1) }
    public static func < (left: Generation, right: Generation) -> Bool { left.number < right.number }
    public var description: String { "generation \(number)" }
}

/// What an observer makes of a response.
public enum Verdict: Sendable {
    /// Not a challenge for this observer.
    case pass
    /// A challenge, with the name of the signature that matched.
    case challenge(signature: String)
    /// A challenge, with its name, that is answered already: what is attached next is another answer, such as one with another nonce.
    case resend(signature: String)
    /// Not a challenge, and from here on this is the head of the response.
    case replace(HTTPResponse)
    /// The exchange ends with this error.
    case refuse(any Error)
}

/// A challenge as it came.
public struct ChallengeOccurrence: Sendable {
    /// The signature's name.
    public let signature: String
    /// Which credential the challenged request carried.
    public let generation: Generation
    /// Whether this observer has answered a challenge of the same origin in this exchange before. Unless the observer has a newer generation than
    /// ``generation`` by now, its answer did not help.
    public let isRepeated: Bool
    /// The head of the challenging response; `nil` if the server refused the connection.
    public let response: HTTPResponse?

    public init(signature: String, generation: Generation, isRepeated: Bool, response: HTTPResponse?) {
        self.signature = signature
        self.generation = generation
        self.isRepeated = isRepeated
        self.response = response
    }
}

/// Describes the exchange that an observer is asked about.
public struct ExchangeContext: Sendable {
    /// What is the same for all observers that are asked at one time: each gets a reference in place of a copy.
    private final class Facts: Sendable {
        let session: Session
        let request: HTTPRequest
        let address: LazyURL
        let origin: Origin
        let firstOrigin: Origin
        let body: RequestBody
        let epoch: SessionEpoch?
        let handshake: NegotiationHandshake?
        let number: ExchangeNumber
        let task: (any Sendable & AnyObject)?

        init(
            session: Session, request: HTTPRequest, address: LazyURL, origin: Origin, firstOrigin: Origin, body: RequestBody,
            epoch: SessionEpoch?, handshake: NegotiationHandshake?, number: ExchangeNumber, task: (any Sendable & AnyObject)?
        ) {
            self.session = session
            self.request = request
            self.address = address
            self.origin = origin
            self.firstOrigin = firstOrigin
            self.body = body
            self.epoch = epoch
            self.handshake = handshake
            self.number = number
            self.task = task
        }
    }

    private let facts: Facts
    /// The session.
    public var session: Session { facts.session }
    /// The caller's request as it was before any observer touched it, at the present URL of the redirect chain; without the caller's
    /// credentials where an observer has sent it to another origin.
    public var request: HTTPRequest { facts.request }
    /// The present URL.
    public var url: URL { facts.address.url }
    /// The present origin.
    public var origin: Origin { facts.origin }
    /// Where the caller's request went at first; another one than ``origin`` only after a redirect that the caller did not ask for.
    public var firstOrigin: Origin { facts.firstOrigin }
    /// The first bytes of the response's body, at most ``bodyPrefixLimit``, if an observer needs them to recognise a challenge; also while
    /// that is answered.
    public internal(set) var bodyPrefix: [UInt8]?
    /// The credential of the observer that is asked which the request carried, where a response is to be judged.
    public internal(set) var carried = Generation.none
    /// What the request sends after its head.
    public var body: RequestBody { facts.body }
    /// The user's session that the exchange belongs to; `nil` outside of exchanges.
    var epoch: SessionEpoch? { facts.epoch }
    /// The security context that the exchange is in.
    var handshake: NegotiationHandshake? { facts.handshake }
    /// What of the application takes part for the observer that is asked, where several share what they have.
    var hooks: ApplicationHooks?
    /// When the exchange began, among all exchanges.
    package var number: ExchangeNumber { facts.number }
    /// An object of the caller that stands for the whole exchange, such as a data task.
    public var task: (any Sendable & AnyObject)? { facts.task }

    /// How many bytes of a body are looked at for a challenge, at most.
    public static let bodyPrefixLimit = 65_536

    public init(
        session: Session, request: HTTPRequest, url: URL, origin: Origin, firstOrigin: Origin? = nil,
        task: (any Sendable & AnyObject)?
    ) {
        facts = Facts(
            session: session, request: request, address: LazyURL(url), origin: origin, firstOrigin: firstOrigin ?? origin,
            body: .none, epoch: nil, handshake: nil, number: .none, task: task)
    }

    init(
        session: Session, request: HTTPRequest, address: LazyURL, origin: Origin, firstOrigin: Origin, body: RequestBody,
        epoch: SessionEpoch, handshake: NegotiationHandshake?, number: ExchangeNumber, task: (any Sendable & AnyObject)?
    ) {
        facts = Facts(
            session: session, request: request, address: address, origin: origin, firstOrigin: firstOrigin, body: body,
            epoch: epoch,
            handshake: handshake, number: number, task: task)
    }
}

/// An observer whose credentials can be in a store that this process has not read.
protocol StoringObserver: SessionObserver {
    /// What tells servers that stored credentials are no longer used which this process does not hold.
    ///
    /// - Throws: ``CredentialStoreError``; an error of the application's store.
    func storedRevocations(in session: Session) async throws -> [Revocation]
}

/// An observer whose credentials can be security contexts.
protocol NegotiatingObserver: SessionObserver {
    /// What a response is to the security context that the exchange is in; `nil` if it is none of its legs. Asked before the response is looked
    /// at by anything else, since the server has to prove who it is first.
    func classifyLeg(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict?
}
