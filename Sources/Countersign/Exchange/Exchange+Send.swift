#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

extension Exchange {
    /// Returns the request of the first send, which something else sends.
    ///
    /// - Throws: The errors of a send; ``CountersignError`` with ``CountersignError/Code/invalidRequest`` if the credential is not a
    ///   part of the request.
    func authorized() async throws -> HTTPRequest {
        do {
            let head = try await attached()
            guard identity == nil, handshake == nil, credentialBody == nil else {
                let place = credentialBody == nil ? "belongs to the connection" : "is in the body"
                throw CountersignError(
                    .invalidRequest, detail: "the credential \(place), so a request that something else sends cannot carry it")
            }
            return head
        } catch {
            throw completed(error)
        }
    }

    /// Sends the caller's request with the additions of the observers and the cookie jar. Repeats it once if the connection was
    /// lost and the repetition is harmless.
    private func send() async throws {
        response = nil
        leg = nil
        let head = try await attached()
        do {
            // A login whose connection was lost may have been counted, or may have used a one-time value, so it is sent over a
            // new connection.
            try await deliver(head, byNewConnection: Session.isAuthenticating && !head.method.isIdempotent)
        } catch {
            guard mayRepeat(after: error) else { throw error }
            // Values for a single send are created again. The connection is new, since a server that has closed one idle
            // connection has usually closed others too.
            try await deliver(try await attached(), byNewConnection: true)
        }
        leg = try await leg()
        takeCookies()
    }

    /// Returns the challenge in the response if it is a leg of the exchange's security context and another leg follows; otherwise
    /// `nil`.
    ///
    /// - Throws: The error of a security context that has failed, or whose server has not authenticated itself.
    private func leg() async throws -> Challenge? {
        guard handshake != nil, let negotiator, let response,
            let observer = observers[negotiator] as? any NegotiatingObserver
        else { return nil }
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

    /// Sends the request. If the server refuses the connection because it requires a client certificate, an observer answers
    /// that.
    ///
    /// - Returns: Whether there is a response. Without one, the request can be sent again, since the server has not processed it.
    func sendOrAnswerRefusal() async throws -> Bool {
        do {
            try await send()
            return true
        } catch {
            guard let challenge = challenge(in: error) else { throw error }
            try await answer(challenge)
            return false
        }
    }

    /// Returns the caller's request with the observers' additions, for the origin that it is sent to.
    ///
    /// An observer may move the request to another origin, as a redirect does. Then the caller's fields are removed, except those
    /// of ``Redirect/isForAnyOrigin(_:)``, and so are the additions of the other observers, which were meant for the former
    /// origin. These observers are called again for the new origin. An observer that has moved the request is not, so that two
    /// observers cannot move it endlessly.
    private func attach() async throws -> HTTPRequest {
        sent = target
        unattached = request.head
        identity = nil
        credentialCookies = nil
        credentialParameters = AttachedParameters()
        credentialBody = nil
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
            if let credentialBody { context = self.context(with: credentialBody) }
            guard !head.hasSameTarget(as: before) else { continue }
            if let observer = observers[index] as? any CredentialObserver {
                noteParameters(of: observer, in: head)
                continue
            }
            if try takeTarget(of: &head, from: before, by: observers[index]) {
                movers.insert(index)
                next = observers.startIndex
            }
            context = self.context(with: credentialBody ?? request.body)
        }
        return head
    }

    /// Records the query parameters of a credential. The URL of the exchange stays the same, since URLs are logged.
    @inline(never)
    private func noteParameters(of observer: any CredentialObserver, in head: HTTPRequest) {
        credentialParameters.note(observer, in: head)
    }

    /// Applies the target that an observer has set. Cookies, redirects and errors refer to it from now on, without the query
    /// parameters of credentials.
    ///
    /// - Returns: Whether the origin has changed.
    @inline(never)
    private func takeTarget(
        of head: inout HTTPRequest, from before: HTTPRequest, by observer: any SessionObserver
    ) throws -> Bool {
        var moved = try RequestTarget(taking: &head)
        var visible = head
        if !credentialParameters.isEmpty {
            visible.removeQueryParameters(of: credentialParameters)
            let fragment = moved.fragment
            moved = try RequestTarget(taking: &visible)
            moved.fragment = fragment
        }
        guard moved.origin != sent.origin else {
            sent = moved
            return false
        }
        guard sent.origin.scheme == "http" || moved.origin.scheme == "https" else {
            throw CountersignError(.insecureDestination, detail: "\(observer.name) sent the request from https to http")
        }
        let own = request.head.headerFields
        head = visible
        head.headerFields = HTTPFields(
            head.headerFields.filter { field in
                own.has(field) ? Redirect.isForAnyOrigin(field.name) : !before.headerFields.has(field)
            })
        unattached = head
        identity = nil
        credentialCookies = nil
        credentialParameters = AttachedParameters()
        credentialBody = nil
        handshake = nil
        sent = moved
        return true
    }

    private func attach(
        _ observer: any SessionObserver, at index: Int, to head: inout HTTPRequest, in context: ExchangeContext
    ) async throws {
        var attachment = observer.attach(to: &head, in: context)
        if attachment == .later { attachment = try await prepare(&head, by: observer, in: context) }
        try note(attachment, by: observer, at: index)
    }

    private func prepare(
        _ head: inout HTTPRequest, by observer: any SessionObserver, in context: ExchangeContext
    ) async throws -> Attachment {
        // The time of a login is not counted, since a login has its own limit.
        let elapsed = deadline.elapsed
        defer { deadline.elapsed = elapsed }
        let (attachment, prepared) = try await session.untilClosed { [head] in
            var head = head
            let attachment = try await observer.prepare(&head, in: context)
            return (attachment, head)
        }
        head = prepared
        return attachment
    }

    @inline(never)
    private func note(_ attachment: Attachment, by observer: any SessionObserver, at index: Int) throws {
        switch attachment {
        case .nothing: progress[index].carried = .none
        case .ready(let generation): progress[index].carried = generation
        case .connection(let identity, let generation):
            progress[index].carried = generation
            // A connection has one identity. The first observer takes precedence, as with challenges.
            self.identity = self.identity ?? identity
        case .cookies(let jar, let generation):
            // A request has the cookies of one login. The first observer takes precedence, as with challenges.
            progress[index].carried = credentialCookies == nil ? generation : .none
            credentialCookies = credentialCookies ?? jar
        case .handshake(let handshake, let generation):
            progress[index].carried = generation
            self.handshake = handshake
            negotiator = index
        case .body(let members, let rest):
            guard let body = members.added(to: credentialBody ?? request.body) else {
                throw CountersignError(.invalidRequest, detail: "the body has no place for the credential of \(observer.name)")
            }
            credentialBody = body
            try note(rest, by: observer, at: index)
        case .later:
            throw CountersignError(
                .refusedByObserver, detail: "\(observer.name) prepared a credential and still has none to attach")
        }
    }

    /// Adds the cookies, unless the caller has a `Cookie` field of its own. Cookies that observers have set as a field replace those
    /// of the same names.
    @inline(never)
    private func attachCookies(to head: inout HTTPRequest) {
        let isCallers = sent.origin == target.origin && request.head.headerFields.contains(.cookie)
        guard !isCallers,
            let cookies = credentialCookies.map({ $0.header(for: sent.url, with: cookies) }) ?? cookies.header(at: sent.address)
        else { return }
        if let own = head.headerFields[.cookie] {
            head.headerFields[.cookie] = nil
            appendCookies(Self.cookies(own, beside: cookies), to: &head)
        } else {
            appendCookies(cookies, to: &head)
        }
    }

    /// Returns the value of a `Cookie` field with the cookies of two, without those of the second whose name is in the first.
    private static func cookies(_ own: String, beside others: String) -> String {
        func pairs(_ value: String) -> [Substring] { value.split(separator: ";").map { $0.trimmingPrefix { $0 == " " } } }
        func name(_ pair: Substring) -> Substring { pair.prefix { $0 != "=" } }
        let names = Set(pairs(own).map(name))
        return (pairs(own) + pairs(others).filter { !names.contains(name($0)) }).joined(separator: "; ")
    }

    private func appendCookies(_ cookies: String, to head: inout HTTPRequest) {
        // HTTP/1.1 requires a single field. It must never be kept in a compression table.
        var field = HTTPField(name: .cookie, value: cookies)
        field.indexingStrategy = .disallow
        head.headerFields.append(field)
    }

    @inline(never)
    private func takeCookies() {
        guard let head = response?.head, head.headerFields.contains(.setCookie) else { return }
        let jar = credentialCookies ?? cookies
        let change = jar.change(storing: head.headerFields[values: .setCookie], from: sent.url)
        // The jar of a login belongs to that login alone. After a logout, its cookies are needed to end the session at the server.
        if credentialCookies == nil, request.cookies != nil {
            if let change { jar.make(change) }
        } else {
            session.changeCookies(in: epoch, change, of: jar)
        }
    }

    /// The session's cookies, or those of a running login for its own requests and those of its review.
    private var cookies: CookieJar { request.cookies ?? FlightScope.provisionalCookies(in: session) ?? session.cookies }

    /// Returns the request as it is sent.
    private func attached() async throws -> HTTPRequest {
        var head = try await attach()
        // Cookies are attached after the observers, so that a generation that an observer reports is never newer than the
        // cookies.
        attachCookies(to: &head)
        try session.requireCurrent(epoch)
        return head
    }

    /// Passes the request to the transport.
    private func deliver(_ head: HTTPRequest, byNewConnection isNew: Bool) async throws {
        try Task.checkCancellation()
        do {
            let message = try message(head, byNewConnection: isNew)
            TokenRequest.noteDeparture()
            response = try await session.transport.send(message)
        } catch {
            throw timedOut(error)
        }
        response?.address = sent.urlWithFragment
    }

    @inline(never)
    private func message(_ head: HTTPRequest, byNewConnection isNew: Bool) throws -> SessionRequest {
        let remaining = deadline.remaining
        guard remaining > .zero else { throw deadline.exceeded }
        var message = SessionRequest(head, body: credentialBody ?? request.body, timeout: remaining)
        // The caller's certificate is only for the origin that the caller named.
        message.identity = identity ?? (sent.origin == target.origin ? request.identity : nil)
        message.pins = request.pins
        message.connection = handshake?.connection
        message.needsNewConnection = isNew && message.connection == nil
        return message
    }

    /// Returns the session's error for a timeout of the transport; any other error is returned unchanged.
    @inline(never)
    private func timedOut(_ error: any Error) -> any Error {
        guard let error = error as? TransportError, error.reason == .timeout else { return error }
        // The transport may have its own limits, for a connection or for inactivity, which its error describes.
        return deadline.remaining > .zero ? CountersignError(.timedOut, detail: error.detail) : deadline.exceeded
    }

    /// Whether the request may be repeated. A server may close an idle connection while a request is written to it (RFC 9110,
    /// section 9.2.2).
    @inline(never)
    private func mayRepeat(after error: any Error) -> Bool {
        guard let error = error as? TransportError else { return false }
        return error.reason == .connectionLost && request.body.isReplayable
            && (!error.requestMayHaveBeenProcessed || request.head.method.isIdempotent)
    }
}

extension HTTPRequest {
    /// Whether both requests have the same URL.
    func hasSameTarget(as other: HTTPRequest) -> Bool {
        path == other.path && authority == other.authority && scheme == other.scheme
    }
}

extension HTTPRequest.Method {
    /// Whether the method is idempotent (RFC 9110, section 9.2.2).
    fileprivate var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .put, .delete: true
        default: false
        }
    }
}
