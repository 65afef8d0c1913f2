#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import HTTPTypes

/// Sends single requests to servers and returns their responses.
///
/// A transport follows no redirects, stores no cookies and repeats no requests; the session does, since it knows the recipients of
/// credentials. Cancelling the task of ``send(_:)`` closes the exchange on the socket.
public protocol HTTPTransport: Sendable {
    /// Sends a request, and returns when the response's head has arrived.
    ///
    /// ``SessionRequest/timeout`` is the remaining time of the exchange. A transport throws ``TransportError/Reason/timeout`` if no
    /// head has arrived by then. The session sets no additional timer.
    ///
    /// Requests with the same ``SessionRequest/connection`` use one connection exclusively, and the transport records each new
    /// connection there. Without this support, security contexts with several legs or channel bindings fail with an error.
    ///
    /// A request with ``SessionRequest/pins`` is sent only to a server with one of the keys. A transport that cannot ensure this
    /// throws ``TransportError/Reason/pinMismatch``.
    ///
    /// - Throws: ``TransportError``, or `CancellationError`.
    func send(_ request: SessionRequest) async throws -> SessionResponse

    /// Closes the connections. Every later ``send(_:)`` throws.
    ///
    /// - Throws: The error of a connection that could not be closed properly; it is closed nevertheless.
    func shutdown() async throws
}

/// The reason why an exchange has no response.
public struct TransportError: SecretFreeError, Sendable, Hashable {
    /// The kind of error.
    public enum Reason: Sendable, Hashable {
        /// No connection could be established; nothing was sent.
        case connect
        /// The TLS handshake failed, or the server's certificate is not trusted.
        case tls
        /// The TLS handshake failed because the server requires a client certificate, or a different one. The server has not
        /// processed the request.
        case clientCertificate
        /// The server's certificate has none of the pinned keys, or there is no certificate. Nothing of the request was sent.
        case pinMismatch
        /// The host name could not be resolved.
        case nameResolution
        /// The proxy refused the connection, with this status if known.
        case proxy(status: Int?)
        /// A limit of time was reached.
        case timeout
        /// The connection ended before the complete response had arrived.
        case connectionLost
        /// The response is not HTTP.
        case malformed
        /// The transport was shut down.
        case shutDown
        /// Another error.
        case other
    }

    /// The kind of error.
    public let reason: Reason
    /// A sentence for the user, without secrets.
    public let detail: String
    /// Whether the server may have processed the request, so that repeating it could act twice.
    public let requestMayHaveBeenProcessed: Bool
    /// The HTTP method of the request, if known.
    public private(set) var requestMethod: String?
    /// The origin of the request, if known.
    public private(set) var origin: Origin?

    /// Creates an error.
    public init(_ reason: Reason, detail: String, requestMayHaveBeenProcessed: Bool) {
        self.reason = reason
        self.detail = detail
        self.requestMayHaveBeenProcessed = requestMayHaveBeenProcessed
    }

    /// Returns the error completed with the request's method and origin. Values that are already set are kept.
    func completed(requestMethod: HTTPRequest.Method, origin: Origin) -> TransportError {
        var error = self
        error.requestMethod = self.requestMethod ?? requestMethod.rawValue
        error.origin = self.origin ?? origin
        return error
    }
}

extension TransportError: LocalizedError {
    public var description: String {
        let place = [requestMethod, origin?.description].compactMap { $0 }.joined(separator: " ")
        return "\(place.isEmpty ? "" : "\(place): ")\(detail) [transport.\(reason.word)]"
    }
    public var errorDescription: String? { description }
    public var failureReason: String? { detail }
    /// The remedy, for developers or users.
    public var recoverySuggestion: String? {
        switch reason {
        case .connect, .nameResolution: "Check the address and the network, then try again."
        case .tls: "Check the server's certificate and the trust roots of the transport."
        case .clientCertificate: "Register an observer that has a client certificate for the server, or another certificate."
        case .pinMismatch:
            "Check which server answers at the address. If the server has a new key, get its pins from the server's operator."
        case .proxy: "Check the proxy's address and credentials."
        case .timeout, .connectionLost: "Try again."
        case .malformed: "Check that the address is that of an HTTP server."
        case .shutDown: "Make a new session."
        case .other: "Check the address and the network, then try again."
        }
    }
}

extension TransportError.Reason {
    fileprivate var word: String {
        switch self {
        case .connect: "connect"
        case .tls: "tls"
        case .clientCertificate: "client-certificate"
        case .pinMismatch: "pin-mismatch"
        case .nameResolution: "name-resolution"
        case .proxy: "proxy"
        case .timeout: "timeout"
        case .connectionLost: "connection-lost"
        case .malformed: "malformed"
        case .shutDown: "shut-down"
        case .other: "other"
        }
    }
}
