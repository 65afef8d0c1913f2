#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// One call of ``Session/send(_:task:)``: the caller's request, and all sends until its final response.
///
/// Additions of observers and the cookie jar are never kept in ``request``. Each send starts from the caller's own request again,
/// so a resend cannot carry a credential twice or an outdated one.
///
/// A class that is used by one task. Thousands of exchanges may wait for one authentication, and the properties of a struct would
/// take space in the frames of the waiting asynchronous functions.
final class Exchange {
    let session: Session
    let task: (any Sendable & AnyObject)?
    let observers: [any SessionObserver]
    let epoch: SessionEpoch
    let number: ExchangeNumber
    var deadline: Deadline

    /// The caller's request, at the current URL of the redirect chain.
    var request: SessionRequest
    /// The target of ``request``.
    var target: RequestTarget
    /// The request of the latest send without the observers' additions: ``request``, unless an observer moved it to another
    /// origin.
    var unattached: HTTPRequest
    /// The progress of each observer, by its index in ``observers``.
    var progress: [ObserverProgress]
    /// The answers to challenges, for the next send.
    let answers = ChallengeAnswers()
    /// The origin of the caller's original URL.
    let firstOrigin: Origin
    /// The client certificate for the connection of the latest send.
    var identity: ConnectionIdentity?
    /// The security context of the sends to the current target.
    var handshake: NegotiationHandshake?
    /// The index of the observer that ``handshake`` belongs to.
    var negotiator: Int?
    /// The challenge in the latest response, if it is a leg of ``handshake``.
    var leg: Challenge?
    /// The cookies that the latest send carried as an observer's credential.
    var credentialCookies: CookieJar?
    /// The query parameters that credentials have added to the latest send. They are only in the request that the transport
    /// receives, and never in ``target``, ``sent`` or ``unattached``, so no response, redirect, cookie, event or error shows them.
    var credentialParameters = AttachedParameters()
    /// The body of the latest send if credentials have added members to it. Only the transport receives it.
    var credentialBody: RequestBody?
    /// The number of redirects that were followed.
    var redirects = 0
    /// The target of the latest send: ``target``, unless an observer moved the request.
    var sent: RequestTarget
    /// The response of the latest send; `nil` if the server refused the connection.
    var response: SessionResponse?

    /// - Throws: ``CountersignError`` with ``CountersignError/Code/invalidRequest``.
    init(_ request: SessionRequest, in session: Session, admission: Admission, task: (any Sendable & AnyObject)?) throws {
        var request = request
        target = try RequestTarget(taking: &request.head, at: request.address)
        request.address = nil
        for field in session.configuration.defaultFields
        where (request.isForNamedServer || Redirect.isForAnyOrigin(field.name)) && !request.head.headerFields.contains(field.name) {
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

    /// Sends the request, answers challenges and follows redirects until a response is neither.
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
    /// - Returns: Whether the response is final, because it is neither a challenge nor a redirect to follow.
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

    /// Returns an error completed with the method and the origin of the request.
    @inline(never)
    func completed(_ error: any Error) -> any Error {
        switch error {
        case let error as CountersignError: error.completed(requestMethod: request.head.method, origin: sent.origin)
        case let error as TransportError: error.completed(requestMethod: request.head.method, origin: sent.origin)
        default: error
        }
    }

    /// The context that the observers receive.
    var context: ExchangeContext { context(with: request.body) }

    /// Returns the context that the observers receive, with the body that the send has so far.
    func context(with body: RequestBody) -> ExchangeContext {
        ExchangeContext(
            session: session, request: unattached, address: sent.address, origin: sent.origin, firstOrigin: firstOrigin,
            body: body, epoch: epoch, handshake: handshake, number: number, answers: answers, task: task)
    }

    /// Reads the rest of a response's body, which is not needed, so that the connection can be reused. Size and time are limited.
    ///
    /// The body is also released: a body that was cut off after its beginning was read keeps its connection until then, and a login
    /// can follow.
    @inline(never)
    func discardBody() async {
        guard let body = response?.body else { return }
        response?.body = ResponseBody()
        await body.discard(
            upTo: session.configuration.maximumChallengeBodySize, within: min(.seconds(2), deadline.remaining),
            clock: session.configuration.clock)
    }
}
