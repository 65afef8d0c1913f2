#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import HTTPTypes

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
    /// Requests with the same ``SessionRequest/connection`` go over one connection, which no other request uses, and each connection that is made
    /// for it is noted there. Where a transport cannot do so, a security context of several legs, or one that is bound to a connection, ends in
    /// an error.
    ///
    /// A request with ``SessionRequest/pins`` is written only to a server that has one of the keys; a transport that cannot ensure
    /// this refuses it with ``TransportError/Reason/pinMismatch``.
    ///
    /// - Throws: ``TransportError``, or `CancellationError`.
    func send(_ request: SessionRequest) async throws -> SessionResponse

    /// Closes the connections; every later ``send(_:)`` throws.
    ///
    /// - Throws: Whatever kept a connection from being closed in order; it is closed all the same.
    func shutdown() async throws
}

/// Why an exchange brought no response.
public struct TransportError: SecretFreeError, Sendable, Hashable {
    /// What went wrong.
    public enum Reason: Sendable, Hashable {
        /// No connection could be made; nothing was sent.
        case connect
        /// TLS could not be agreed on, or the server's certificate was refused.
        case tls
        /// TLS ended because the server demands a certificate of its client, or another one than it got. The server has not processed the
        /// request: it had not finished the handshake.
        case clientCertificate
        /// The server's certificate has none of the keys that the request's pins name, or there is no certificate; nothing of the request
        /// was sent.
        case pinMismatch
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
    /// A sentence for the user, without secrets.
    public let detail: String
    /// Whether bytes of the request may have reached the server, so that a repetition could act twice.
    public let requestMayHaveBeenProcessed: Bool
    /// The HTTP method of the request, once a session knows it.
    public private(set) var requestMethod: String?
    /// Where the request went, once a session knows it: scheme, host and port only.
    public private(set) var origin: Origin?

    /// Makes an error.
    public init(_ reason: Reason, detail: String, requestMayHaveBeenProcessed: Bool) {
        self.reason = reason
        self.detail = detail
        self.requestMayHaveBeenProcessed = requestMayHaveBeenProcessed
    }

    /// The error with what a session knows; what is known already stays.
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
    /// What the reader can do about it.
    public var recoverySuggestion: String? {
        switch reason {
        case .connect, .nameResolution: "Check the address and the network, then try again."
        case .tls: "Check the server's certificate and the trust roots of the transport."
        case .clientCertificate: "Register an observer that has a client certificate for the server, or another certificate."
        case .pinMismatch: "Check who answers at the address. If the server has a new key, get its pins from the server's operator."
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
