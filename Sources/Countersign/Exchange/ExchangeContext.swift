#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// The exchange for which an observer is called.
public struct ExchangeContext: Sendable {
    /// The part of the context that is the same for all observers. Each of them gets a reference instead of a copy.
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
        let answers: ChallengeAnswers?
        let task: (any Sendable & AnyObject)?

        init(
            session: Session, request: HTTPRequest, address: LazyURL, origin: Origin, firstOrigin: Origin, body: RequestBody,
            epoch: SessionEpoch?, handshake: NegotiationHandshake?, number: ExchangeNumber, answers: ChallengeAnswers?,
            task: (any Sendable & AnyObject)?
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
            self.answers = answers
            self.task = task
        }
    }

    private let facts: Facts
    /// The session.
    public var session: Session { facts.session }
    /// The caller's request without additions of observers, at the current URL of the redirect chain. The caller's credentials are
    /// removed if an observer has changed the origin.
    public var request: HTTPRequest { facts.request }
    /// The current URL.
    public var url: URL { facts.address.url }
    /// The current URL, created on first use.
    var address: LazyURL { facts.address }
    /// The current origin.
    public var origin: Origin { facts.origin }
    /// The origin of the caller's original URL. It differs from ``origin`` only after a redirect.
    public var firstOrigin: Origin { facts.firstOrigin }
    /// The first bytes of the response's body, at most ``maximumBodyPrefixSize``, if an observer needs them to recognise a challenge;
    /// also available while the challenge is answered.
    public internal(set) var bodyPrefix: [UInt8]?
    /// The generation of the observer's credential in the request, when a response is classified.
    public internal(set) var carried = Generation.none
    /// The body of the request. When credentials are attached, it has the members that earlier observers have added.
    public var body: RequestBody { facts.body }
    /// The user's session that the exchange belongs to; `nil` outside of exchanges.
    var epoch: SessionEpoch? { facts.epoch }
    /// The security context of the exchange.
    var handshake: NegotiationHandshake? { facts.handshake }
    /// The hooks of the called observer, if several observers share one manager; otherwise `nil`.
    var hooks: ApplicationHooks?
    /// The exchange's position among all exchanges.
    package var number: ExchangeNumber { facts.number }
    /// The answers to challenges, for the next send; `nil` outside of exchanges.
    var answers: ChallengeAnswers? { facts.answers }
    /// The caller's object for the whole exchange, such as a data task.
    public var task: (any Sendable & AnyObject)? { facts.task }

    /// The maximum number of body bytes that are searched for a challenge: 65,536.
    public static let maximumBodyPrefixSize = 65_536

    /// Creates the context of a request outside of exchanges, for example to test an observer.
    ///
    /// - Parameters:
    ///   - session: The session that sends the request.
    ///   - request: The request.
    ///   - url: The URL of the request.
    ///   - origin: The origin of `url`.
    ///   - firstOrigin: The origin of the caller's original URL; `nil` for `origin`.
    ///   - task: The caller's object for the whole exchange; `nil` for none.
    public init(
        session: Session, request: HTTPRequest, url: URL, origin: Origin, firstOrigin: Origin? = nil,
        task: (any Sendable & AnyObject)?
    ) {
        facts = Facts(
            session: session, request: request, address: LazyURL(url), origin: origin, firstOrigin: firstOrigin ?? origin,
            body: .none, epoch: nil, handshake: nil, number: .none, answers: nil, task: task)
    }

    init(
        session: Session, request: HTTPRequest, address: LazyURL, origin: Origin, firstOrigin: Origin, body: RequestBody,
        epoch: SessionEpoch, handshake: NegotiationHandshake?, number: ExchangeNumber, answers: ChallengeAnswers,
        task: (any Sendable & AnyObject)?
    ) {
        facts = Facts(
            session: session, request: request, address: address, origin: origin, firstOrigin: firstOrigin, body: body,
            epoch: epoch, handshake: handshake, number: number, answers: answers, task: task)
    }
}
