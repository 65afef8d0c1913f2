/// Carries one request to a server and brings back the response, and does nothing else.
///
/// A transport follows no redirect, keeps no cookie and repeats no request: all three belong to the session, which knows which
/// credentials may go where. Cancelling the task that waits in ``send(_:)`` closes the exchange on the socket.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns as soon as the response's head has arrived.
    ///
    /// ``SessionRequest/timeout`` is what is left of the exchange's time: a transport throws ``TransportError/Reason/timeout`` when
    /// no head has arrived by then. The session sets no timer of its own beside it, so that an ordinary request costs none.
    ///
    /// - Throws: ``TransportError``, or `CancellationError`.
    func send(_ request: SessionRequest) async throws -> SessionResponse

    /// Closes the connections; every later ``send(_:)`` throws.
    func shutdown() async throws
}

/// Why an exchange brought no response.
public struct TransportError: Error, Sendable, Hashable {
    /// What went wrong.
    public enum Reason: Sendable, Hashable {
        /// No connection could be made; nothing was sent.
        case connect
        /// TLS could not be agreed on, or the server's certificate was refused.
        case tls
        /// The name could not be resolved.
        case nameResolution
        /// The proxy refused, with this status if it said one.
        case proxy(status: Int?)
        /// A limit of time was reached.
        case timeout
        /// The connection ended before the whole response had arrived.
        case connectionLost
        /// What arrived is not HTTP.
        case malformed
        /// The transport was shut down.
        case shutDown
        /// Anything else.
        case other
    }

    /// What went wrong.
    public let reason: Reason
    /// A sentence for a person, without secrets.
    public let detail: String
    /// Whether bytes of the request may have reached the server, so that a repetition could act twice.
    public let requestMayHaveBeenProcessed: Bool

    /// Makes an error.
    public init(_ reason: Reason, detail: String, requestMayHaveBeenProcessed: Bool) {
        self.reason = reason
        self.detail = detail
        self.requestMayHaveBeenProcessed = requestMayHaveBeenProcessed
    }
}
