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

extension HTTPRequest.Method {
    /// Whether the method is idempotent (RFC 9110, section 9.2.2).
    fileprivate var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .put, .delete: true
        default: false
        }
    }
}
