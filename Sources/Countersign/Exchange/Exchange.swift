#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// One call of ``Session/send(_:task:)``: the caller's request, and every send that it takes to get its final response.
///
/// Nothing that an observer or the jar adds is ever kept in ``request``: each send starts from the caller's own request again, so
/// a resend cannot carry a credential twice or one of yesterday.
///
/// A class, used by one task: thousands of exchanges may wait for one authentication, and what each has would be in the frames of the
/// asynchronous functions that wait otherwise.
final class Exchange {
    let session: Session
    let task: (any Sendable & AnyObject)?
    let observers: [any SessionObserver]
    let epoch: SessionEpoch
    let number: ExchangeNumber
    var deadline: Deadline

    /// The caller's request, at the present URL of the redirect chain.
    var request: SessionRequest
    /// Where ``request`` goes.
    var target: RequestTarget
    /// The request of the latest send before the observers added anything: ``request``, unless an observer sent it to another origin.
    var unattached: HTTPRequest
    /// What each observer has done so far, by its place in ``observers``.
    var progress: [ObserverProgress]
    /// What the next send carries because of challenges that were answered.
    let answers = ChallengeAnswers()
    /// Where the caller's request went at first.
    let firstOrigin: Origin
    /// What the connection of the latest send had to be made with.
    var identity: ConnectionIdentity?
    /// The security context that the sends to one place are in.
    var handshake: NegotiationHandshake?
    /// The place of the observer that it is of.
    var negotiator: Int?
    /// What the response of the latest send is to it, if it is one of its legs.
    var leg: Challenge?
    /// The cookies that the latest send carried as an observer's credential.
    var credentialCookies: CookieJar?
    /// How many redirects were followed.
    var redirects = 0
    /// Where the latest send went: ``target``, unless an observer sent it elsewhere.
    var sent: RequestTarget
    /// What the latest send brought; `nil` if the server refused the connection.
    var response: SessionResponse?

    /// - Throws: ``CountersignError`` with ``CountersignError/Code/invalidRequest``.
    init(_ request: SessionRequest, in session: Session, admission: Admission, task: (any Sendable & AnyObject)?) throws {
        var request = request
        target = try RequestTarget(taking: &request.head, at: request.address)
        request.address = nil
        for field in session.configuration.defaultFields where !request.head.headerFields.contains(field.name) {
            request.head.headerFields.append(field)
        }
        self.session = session
        self.task = task
        self.request = request
        unattached = request.head
        observers = admission.observers
        epoch = admission.epoch
        number = admission.number
        progress = Array(repeating: ObserverProgress(), count: admission.observers.count)
        deadline = Deadline(request.timeout ?? session.configuration.requestTimeout, now: session.now)
        sent = target
        firstOrigin = target.origin
    }

    /// Sends, answers challenges and follows redirects until a response is neither.
    func run() async throws -> SessionResponse {
        do {
            while true {
                if try await sendOrAnswerRefusal(), try await isFinal(), let response { return response }
            }
        } catch {
            throw completed(error)
        }
    }

    /// Answers a challenge, or follows a redirect.
    ///
    /// - Returns: Whether the response is neither.
    private func isFinal() async throws -> Bool {
        if let challenge = try await challenge() {
            try await answer(challenge)
        } else if request.followsRedirects, let redirect = try redirect() {
            try await follow(redirect)
        } else {
            return true
        }
        return false
    }

    /// An error with what is known of the request.
    @inline(never)
    private func completed(_ error: any Error) -> any Error {
        switch error {
        case let error as CountersignError: error.completed(requestMethod: request.head.method, origin: sent.origin)
        case let error as TransportError: error.completed(requestMethod: request.head.method, origin: sent.origin)
        default: error
        }
    }

    /// What the observers receive.
    var context: ExchangeContext {
        ExchangeContext(
            session: session, request: unattached, address: sent.address, origin: sent.origin, firstOrigin: firstOrigin,
            body: request.body, epoch: epoch, handshake: handshake, number: number, answers: answers, task: task)
    }

    /// Reads what is left of a response's body that is not needed, so that the connection can be used again, but not for ever.
    @inline(never)
    func discardBody() async {
        await response?.body.discard(
            upTo: session.configuration.challengeBodyLimit, within: min(.seconds(2), deadline.remaining),
            clock: session.configuration.clock)
    }
}
