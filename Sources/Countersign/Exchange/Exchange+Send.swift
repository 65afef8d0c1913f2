#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

extension Exchange {
    /// Sends the caller's request, with what the observers and the jar add to it; once more if the connection was lost and a repetition can do
    /// no harm.
    func send() async throws -> SessionResponse {
        let head = try await attached()
        var response: SessionResponse
        do {
            // A login that is lost with its connection may have been counted, or have used up what it carried.
            response = try await deliver(head, byNewConnection: Session.isAuthenticating && !head.method.isIdempotent)
        } catch let error as TransportError where mayRepeat(request.head, after: error) {
            // What is good for one send is made anew. Where one idle connection was closed, others were, too.
            response = try await deliver(try await attached(), byNewConnection: true)
        }
        response.address = sent.urlWithFragment
        leg = try await leg(of: response)
        takeCookies(from: response.head)
        return response
    }

    /// What a response is to the security context that the exchange is in, if it is one of its legs.
    ///
    /// - Throws: The error of a context that has failed, or whose server has not proven who it is.
    private func leg(of response: SessionResponse) async throws -> Challenge? {
        guard handshake != nil, let negotiator, let observer = observers[negotiator] as? any NegotiatingObserver else { return nil }
        var context = context
        context.carried = progress[negotiator].carried
        switch await observer.classifyLeg(response.head, in: context) {
        case .resend(let signature): return Challenge(index: negotiator, signature: signature, isAnswered: true)
        case .refuse(let error):
            response.body.cancel()
            throw error
        default: return nil
        }
    }

    /// The same, and if the server refuses the connection for want of a client certificate, has an observer answer that.
    ///
    /// - Returns: `nil` if the refusal was answered: the request can be sent again, for the server has not seen it.
    func sendOrAnswerRefusal() async throws -> SessionResponse? {
        do {
            return try await send()
        } catch let refusal as TransportError where refusal.reason == .clientCertificate {
            guard let challenge = challenge(in: refusal) else { throw refusal }
            try await answer(challenge, in: nil)
            return nil
        }
    }

    /// The caller's request with what the observers add to it, for the origin that it goes to.
    ///
    /// An observer may send the request to another origin, as a redirect does. The caller's fields stay behind then, except those of
    /// ``Redirect/isForAnyOrigin(_:)``; so does what the other observers attached, since it was for the former origin: they are called again
    /// for the new one. An observer that has moved the request is not, so that two of them cannot move it for ever.
    private func attach() async throws -> HTTPRequest {
        sent = target
        unattached = request.head
        identity = nil
        credentialCookies = nil
        var head = unattached
        guard !observers.isEmpty else { return head }
        var context = context
        var movers: Set<Int> = []
        var next = observers.startIndex
        while next < observers.endIndex {
            let index = next
            next += 1
            guard !movers.contains(index) else { continue }
            let before = head
            try await attach(observers[index], at: index, to: &head, in: context)
            guard !head.hasSameTarget(as: before) else { continue }
            let moved = try RequestTarget(taking: &head)
            if moved.origin != sent.origin {
                guard sent.origin.scheme == "http" || moved.origin.scheme == "https" else {
                    throw CountersignError(
                        .insecureDestination, detail: "\(observers[index].name) sent the request from https to http")
                }
                let own = request.head.headerFields
                head.headerFields = HTTPFields(
                    head.headerFields.filter { field in
                        own.has(field) ? Redirect.isForAnyOrigin(field.name) : !before.headerFields.has(field)
                    })
                unattached = head
                identity = nil
                credentialCookies = nil
                handshake = nil
                movers.insert(index)
                next = observers.startIndex
            }
            // Cookies, redirects and errors go by where the request really goes.
            sent = moved
            context = self.context
        }
        return head
    }

    private func attach(
        _ observer: any SessionObserver, at index: Int, to head: inout HTTPRequest, in context: ExchangeContext
    ) async throws {
        var attachment = observer.attach(to: &head, in: context)
        if attachment == .later {
            try await pausing { [session] in
                (attachment, head) = try await session.untilClosed { [head] in
                    var head = head
                    let attachment = try await observer.prepare(&head, in: context)
                    return (attachment, head)
                }
            }
        }
        switch attachment {
        case .nothing: progress[index].carried = .none
        case .ready(let generation): progress[index].carried = generation
        case .connection(let identity, let generation):
            progress[index].carried = generation
            // A connection has one identity: the first observer's, as with challenges.
            self.identity = self.identity ?? identity
        case .cookies(let jar, let generation):
            // A request has the cookies of one login: the first observer's, as with challenges.
            progress[index].carried = credentialCookies == nil ? generation : .none
            credentialCookies = credentialCookies ?? jar
        case .handshake(let handshake, let generation):
            progress[index].carried = generation
            self.handshake = handshake
            negotiator = index
        case .later:
            throw CountersignError(
                .refusedByObserver, detail: "\(observer.name) prepared a credential and still has none to attach")
        }
    }

    private func attachCookies(to head: inout HTTPRequest) {
        guard !head.headerFields.contains(.cookie),
            let cookies = credentialCookies.map({ $0.header(for: sent.url, with: cookies) }) ?? cookies.header(at: sent.address)
        else { return }
        // One field, which HTTP/1.1 demands; and never to be kept in a compression table.
        var field = HTTPField(name: .cookie, value: cookies)
        field.indexingStrategy = .disallow
        head.headerFields.append(field)
    }

    private func takeCookies(from head: HTTPResponse) {
        guard head.headerFields.contains(.setCookie) else { return }
        let jar = credentialCookies ?? cookies
        session.changeCookies(in: epoch, jar.change(storing: head.headerFields[values: .setCookie], from: sent.url), of: jar)
    }

    /// The session's cookies; or those of a login under way, for its own requests, or for those of its review.
    private var cookies: CookieJar { request.cookies ?? FlightScope.provisionalCookies(in: session) ?? session.cookies }

    /// The request as it is sent.
    private func attached() async throws -> HTTPRequest {
        var head = try await attach()
        // After the observers: a generation that they report is never newer than the cookies that go with it.
        attachCookies(to: &head)
        try session.requireCurrent(epoch)
        return head
    }

    /// Hands the request to the transport.
    private func deliver(_ head: HTTPRequest, byNewConnection isNew: Bool) async throws -> SessionResponse {
        try Task.checkCancellation()
        let remaining = deadline.remaining
        guard remaining > .zero else { throw deadline.exceeded }
        do {
            var message = SessionRequest(head, body: request.body, timeout: remaining)
            message.identity = identity ?? request.identity
            message.pins = request.pins
            message.connection = handshake?.connection
            message.needsNewConnection = isNew && message.connection == nil
            TokenRequest.noteDeparture()
            return try await session.transport.send(message)
        } catch let error as TransportError where error.reason == .timeout {
            // The transport may have limits of its own, for a connection or for silence, and says so.
            throw deadline.remaining > .zero ? CountersignError(.timedOut, detail: error.detail) : deadline.exceeded
        }
    }

    /// A server may close an idle connection at the very moment that a request is written to it (RFC 9110, section 9.2.2).
    private func mayRepeat(_ head: HTTPRequest, after error: TransportError) -> Bool {
        error.reason == .connectionLost && request.body.isReplayable
            && (!error.requestMayHaveBeenProcessed || head.method.isIdempotent)
    }
}

extension HTTPRequest {
    /// Whether both go to the same URL.
    func hasSameTarget(as other: HTTPRequest) -> Bool {
        path == other.path && authority == other.authority && scheme == other.scheme
    }
}

extension HTTPRequest.Method {
    /// Whether doing it twice is doing it once (RFC 9110, section 9.2.2).
    fileprivate var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .put, .delete: true
        default: false
        }
    }
}
