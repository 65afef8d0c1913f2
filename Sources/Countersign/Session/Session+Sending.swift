#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
public import HTTPTypes
internal import Synchronization

extension Session {
    /// Sends a request, answers its challenges, and returns the final response with a streaming body.
    ///
    /// - Parameters:
    ///   - request: The request. A `Cookie` field of the caller is sent unchanged and replaces the jar's cookies in this request.
    ///   - task: An object for the whole exchange, which observers receive as ``ExchangeContext/task``.
    /// - Throws: The error of the method that failed to answer a challenge; ``CountersignError``; ``TransportError``;
    ///   `CancellationError`.
    public func send(_ request: SessionRequest, task: (any Sendable & AnyObject)? = nil) async throws -> SessionResponse {
        try await send(request, task: task, involvingObservers: true)
    }

    /// Sends a request with or without the observers.
    func send(
        _ request: SessionRequest, task: (any Sendable & AnyObject)? = nil, involvingObservers: Bool
    ) async throws -> SessionResponse {
        guard let identifier = request.bypassIdentifier, let scope = state.withLock({ $0.bypasses[identifier] }) else {
            return try await sendNow(request, task: task, involvingObservers: involvingObservers)
        }
        return try await FlightScope.$current.withValue(scope) {
            try await sendNow(request, task: task, involvingObservers: involvingObservers)
        }
    }

    /// Returns a request with the current credentials, for code that sends requests by itself: a WebSocket, a media player, another
    /// HTTP client.
    ///
    /// The result has the fields and query parameters that the session would send now, including cookies. An expired credential is
    /// renewed first. A missing one is obtained only by methods that do so without a challenge; for the others, call
    /// ``ProgramObserver/authenticate(for:in:)`` before. Without a credential, the request is returned with what else the session
    /// adds.
    ///
    /// ```swift
    /// try await observer.authenticate(for: url, in: session)
    /// let request = try await session.authorized(HTTPRequest(url: url))
    /// ```
    ///
    /// Send the result once, and to its own URL: the fields can include a proof or a signature of this request. Do not follow
    /// redirects with them, and do not log them or the URL. The session does not see the response, so it answers no challenge:
    /// after a refusal, send a request with ``send(_:task:)``.
    ///
    /// - Parameters:
    ///   - request: The request, with an `https` or `http` URL, or with a `wss` or `ws` URL, whose handshake is an HTTP request to the
    ///     same server (RFC 6455, section 4.1).
    ///   - body: Its body, if methods sign it; a body that can be read only once cannot be signed.
    /// - Throws: The error of a method that failed to renew or obtain its credential; ``CountersignError``, with
    ///   ``CountersignError/Code/invalidRequest`` if the credential is a client certificate, a security context of the connection or
    ///   a part of the body, or if the URL has another scheme; ``TransportError``; `CancellationError`.
    public func authorized(_ request: HTTPRequest, body: RequestBody = .none) async throws -> HTTPRequest {
        var head = request
        head.scheme = head.scheme.map { Self.handshakeSchemes[$0.lowercased()] ?? $0 }
        let handshake = SessionRequest(head, body: body)
        let admission = try admit(handshake, involvingObservers: true)
        defer { leave() }
        do {
            var authorized = try await untilClosed { [self] in
                try await exchange(handshake, admission: admission, task: nil).authorized()
            }
            let isHandshake = head.scheme != request.scheme
            // An observer may have moved the request from http to https, where its credential belongs.
            if isHandshake { authorized.scheme = authorized.scheme == head.scheme ? request.scheme : "wss" }
            return authorized
        } catch {
            guard isClosed, !Task.isCancelled else { throw error }
            throw Self.invalidated(handshake)
        }
    }

    /// The schemes of the handshakes of WebSockets, by those of their URLs.
    private static let handshakeSchemes = ["wss": "https", "ws": "http"]

    private func sendNow(
        _ request: SessionRequest, task: (any Sendable & AnyObject)?, involvingObservers: Bool
    ) async throws -> SessionResponse {
        let admission = try admit(request, involvingObservers: involvingObservers)
        defer { leave() }
        do {
            if ownsTransport {
                return try await exchange(request, admission: admission, task: task).run()
            }
            return try await sendInTask(request, admission: admission, task: task)
        } catch {
            // The invalidation is the reason for any error of the session's exchanges, unless the caller's own task was
            // cancelled.
            guard isClosed, !Task.isCancelled else { throw error }
            throw Self.invalidated(request)
        }
    }

    private func sendInTask(
        _ request: SessionRequest, admission: Admission, task: (any Sendable & AnyObject)?
    ) async throws -> SessionResponse {
        try await untilClosed { [self] in
            try await exchange(request, admission: admission, task: task).run()
        }
    }

    @inline(never)
    private func exchange(
        _ request: SessionRequest, admission: Admission, task: (any Sendable & AnyObject)?
    ) throws -> Exchange {
        try Exchange(request, in: self, admission: admission, task: task)
    }

    /// Runs work in its own task, which ``invalidate(cancelling:)`` cancels.
    func untilClosed<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let work = Task { try await work() }
        let number = addCancellation { work.cancel() }
        defer { removeCancellation(number) }
        if isClosed { work.cancel() }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }

    /// Registers a function that ``invalidate(cancelling:)`` calls. A session that is already closed does not call it, so check
    /// ``isClosed`` afterwards.
    ///
    /// - Returns: The number for ``removeCancellation(_:)``.
    func addCancellation(_ cancel: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.nextCancellation += 1
            state.cancellations[state.nextCancellation] = cancel
            return state.nextCancellation
        }
    }

    func removeCancellation(_ number: UInt64) { state.withLock { $0.cancellations[number] = nil } }

    @inline(never)
    private func admit(_ request: SessionRequest, involvingObservers: Bool) throws -> Admission {
        try state.withLock { state in
            // The requests of a flow belong to the exchanges that wait for the flow, so a finishing session still accepts them.
            guard state.phase == .open || (state.phase == .finishing && Self.isInsideFlow) else {
                throw Self.invalidated(request)
            }
            state.exchangesUnderWay += 1
            return Admission(observers: involvingObservers ? state.observers : [], epoch: state.epoch)
        }
    }

    @inline(never)
    private func leave() {
        let waiters = state.withLock { state in
            state.exchangesUnderWay -= 1
            return state.takeIdleWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    @inline(never)
    private static func invalidated(_ request: SessionRequest) -> CountersignError {
        CountersignError(
            .sessionInvalidated, detail: "the session was invalidated and accepts no more requests",
            requestMethod: request.head.method.rawValue, origin: request.head.url.flatMap { Origin($0) })
    }
}
