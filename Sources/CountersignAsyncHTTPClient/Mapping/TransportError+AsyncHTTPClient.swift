internal import AsyncHTTPClient
internal import Countersign
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension TransportError {
    /// Converts an error of the client. The result contains no field values, no URL, and no text from a server.
    ///
    /// The client does not report whether a request's head was written before a connection was lost, so it is assumed to be
    /// written. Called in the task of the exchange, whose cancellation decides whether the exchange was cancelled.
    static func describe(_ error: any Error, isShutDown: Bool) -> any Error {
        switch error {
        case is CancellationError: return CancellationError()
        case let error as TransportError: return error
        case let error as HTTPClientError: return describe(error, isShutDown: isShutDown)
        case let error as NIOConnectionError: return describe(error)
        case let error as IOError: return describe(error)
        case let error as ChannelError: return describe(error)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError, is NIOSSLCloseTimedOutError:
            return describeTLS(error)
        case HTTPParserError.invalidEOFState: return lost
        case is HTTPParserError:
            return TransportError(.malformed, detail: "the server's response is not HTTP", requestMayHaveBeenProcessed: true)
        default: return describeByModule(error)
        }
    }

    private static func describe(_ error: HTTPClientError, isShutDown: Bool) -> any Error {
        switch error {
        case .cancelled where isShutDown, .alreadyShutdown:
            return TransportError(
                .shutDown, detail: "the transport was shut down", requestMayHaveBeenProcessed: error != .alreadyShutdown)
        // A request that is assigned to an HTTP/2 connection while the server closes it (RFC 9113, section 6.8) has this error too.
        case .cancelled: return Task.isCancelled ? CancellationError() : lost
        case .connectTimeout, .getConnectionFromPoolTimeout:
            return TransportError(.timeout, detail: "no connection could be made in time", requestMayHaveBeenProcessed: false)
        case .tlsHandshakeTimeout:
            return TransportError(.timeout, detail: "the TLS handshake took too long", requestMayHaveBeenProcessed: false)
        case .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
            return TransportError(.timeout, detail: "the proxy took too long", requestMayHaveBeenProcessed: false)
        case .readTimeout:
            return TransportError(.timeout, detail: "the server sent nothing for too long", requestMayHaveBeenProcessed: true)
        case .writeTimeout:
            return TransportError(
                .timeout, detail: "none of the request's body could be sent for too long", requestMayHaveBeenProcessed: true)
        case .deadlineExceeded:
            return TransportError(.timeout, detail: "the exchange took too long", requestMayHaveBeenProcessed: true)
        case .proxyAuthenticationRequired:
            return TransportError(
                .proxy(status: 407), detail: "the proxy asks for a credential", requestMayHaveBeenProcessed: false)
        case .invalidProxyResponse:
            return TransportError(
                .proxy(status: nil), detail: "the proxy refused the connection", requestMayHaveBeenProcessed: false)
        case .remoteConnectionClosed, .requestStreamCancelled:
            return lost
        case .bodyLengthMismatch:
            return TransportError(
                .other, detail: "the request's body does not have the announced length", requestMayHaveBeenProcessed: true)
        default:
            // The remaining errors concern the request itself, such as an invalid field or URL, and occur before anything is
            // sent. The full description can contain field values. The short one is one of a fixed set.
            return TransportError(.other, detail: error.shortDescription, requestMayHaveBeenProcessed: false)
        }
    }

    private static var lost: TransportError {
        TransportError(
            .connectionLost, detail: "the connection ended before the whole response had arrived", requestMayHaveBeenProcessed: true
        )
    }

    private static func describe(_ error: NIOConnectionError) -> TransportError {
        if error.connectionErrors.isEmpty {
            return TransportError(
                .nameResolution, detail: "the name '\(error.host)' has no address", requestMayHaveBeenProcessed: false)
        }
        let timedOut = error.connectionErrors.allSatisfy {
            if case .connectTimeout = $0.error as? ChannelError { true } else { false }
        }
        // Of several addresses, the reason of the last one is reported, which was tried after the others had failed.
        let reason = error.connectionErrors.lazy.compactMap { $0.error as? IOError }.last?.systemReason
        return TransportError(
            timedOut ? .timeout : .connect,
            detail: "no connection to '\(error.host)' port \(error.port) could be made" + (reason.map { ": \($0)" } ?? ""),
            requestMayHaveBeenProcessed: false)
    }

    private static func describe(_ error: IOError) -> TransportError {
        switch error.errnoCode {
        case ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, EAFNOSUPPORT, EMFILE, ENFILE, EACCES,
            EPERM:
            TransportError(
                .connect, detail: "no connection could be made: \(error.systemReason)", requestMayHaveBeenProcessed: false)
        case ETIMEDOUT:
            TransportError(.timeout, detail: "the connection timed out", requestMayHaveBeenProcessed: true)
        default: lost
        }
    }

    private static func describe(_ error: ChannelError) -> TransportError {
        if case .connectTimeout = error {
            return TransportError(.timeout, detail: "no connection could be made in time", requestMayHaveBeenProcessed: false)
        }
        return lost
    }

    private static func describeTLS(_ error: any Error) -> TransportError {
        if let alert = ClientCertificateAlert(error) {
            // This also holds if the client has finished the handshake and sent the request, as TLS 1.3 allows, because a server
            // does not process a request before it has finished the handshake itself.
            return TransportError(.clientCertificate, detail: alert.detail, requestMayHaveBeenProcessed: false)
        }
        switch error {
        case NIOSSLError.uncleanShutdown, is NIOSSLCloseTimedOutError: return lost
        case NIOSSLError.handshakeFailed(let failure):
            return TransportError(.tls, detail: reason(ofHandshake: failure), requestMayHaveBeenProcessed: false)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            return TransportError(
                .tls, detail: "the server's certificate is for another name", requestMayHaveBeenProcessed: false)
        case is NIOSSLExtraError:
            return TransportError(.tls, detail: "the server's name cannot be used for TLS", requestMayHaveBeenProcessed: false)
        default:
            // With TLS 1.3, servers refuse a client after the handshake, when the request may already have been sent.
            return TransportError(.tls, detail: "TLS failed", requestMayHaveBeenProcessed: true)
        }
    }

    /// Returns the reason of a failed handshake, which the library reports only as text.
    private static func reason(ofHandshake failure: BoringSSLError) -> String {
        let text = "\(failure)"
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            return "the server's certificate is not trusted: its authority is unknown, or it has expired"
        }
        if text.contains("WRONG_VERSION_NUMBER") { return "the server does not speak TLS at this port" }
        return "the TLS handshake failed, or the server's certificate is not trusted"
    }

    /// Converts errors by the names of their modules, which are not dependencies of this package.
    private static func describeByModule(_ error: any Error) -> TransportError {
        let type = String(reflecting: Swift.type(of: error))
        if type.hasPrefix("NIOSOCKS.") {
            return TransportError(
                .proxy(status: nil), detail: "the SOCKS proxy refused the connection", requestMayHaveBeenProcessed: false)
        }
        if type.hasPrefix("NIOHTTP2.") || type.hasPrefix("NIOHPACK.") { return lost }
        return TransportError(.other, detail: "the exchange failed with \(type)", requestMayHaveBeenProcessed: true)
    }
}

extension IOError {
    /// The system's description of the error.
    fileprivate var systemReason: String { String(cString: strerror(errnoCode)) }
}
