internal import Countersign
internal import Foundation
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension TransportError {
    /// Converts an error of `URLSession`. The result contains no URL and no text of the error.
    ///
    /// - Parameters:
    ///   - hasHead: Whether the response's head has arrived.
    ///   - isEncrypted: Whether the request's URL has the scheme `https`.
    static func describe(_ error: any Error, hasHead: Bool, isEncrypted: Bool) -> any Error {
        switch error {
        case is CancellationError: return CancellationError()
        case let error as TransportError: return error
        case let error as URLError: return describe(error, hasHead: hasHead, isEncrypted: isEncrypted)
        default: return unknown
        }
    }

    private static func describe(_ error: URLError, hasHead: Bool, isEncrypted: Bool) -> any Error {
        switch error.code {
        case .cancelled:
            // It is the system's: an exchange that this transport cancels has ended before its task.
            return TransportError(.connectionLost, detail: "the system ended the exchange", requestMayHaveBeenProcessed: true)
        case .timedOut:
            return TransportError(.timeout, detail: "the server sent nothing for too long", requestMayHaveBeenProcessed: true)
        case .cannotFindHost, .dnsLookupFailed:
            return TransportError(.nameResolution, detail: "the server's name has no address", requestMayHaveBeenProcessed: false)
        case .cannotConnectToHost:
            return TransportError(.connect, detail: "no connection could be made", requestMayHaveBeenProcessed: false)
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
            return TransportError(.connect, detail: "there is no network", requestMayHaveBeenProcessed: false)
        case .networkConnectionLost: return lost
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot:
            return TransportError(.tls, detail: "the server's certificate is not trusted", requestMayHaveBeenProcessed: false)
        case .secureConnectionFailed:
            return TransportError(.tls, detail: "the TLS connection failed", requestMayHaveBeenProcessed: true)
        case .clientCertificateRequired, .clientCertificateRejected:
            return TransportError(
                .clientCertificate, detail: "the server requires a client certificate, or another one",
                requestMayHaveBeenProcessed: false)
        case .appTransportSecurityRequiresSecureConnection:
            return TransportError(
                .other, detail: "App Transport Security does not allow this http URL", requestMayHaveBeenProcessed: false)
        case .badURL:
            // For example an IPv6 address on Linux.
            return TransportError(.other, detail: "URLSession cannot request the URL", requestMayHaveBeenProcessed: false)
        case .unsupportedURL:
            #if canImport(Security)
            return TransportError(.other, detail: "the request's URL is not valid", requestMayHaveBeenProcessed: false)
            #else
            // The scheme was checked before. It is a response without a status line.
            return TransportError(.malformed, detail: "the server's response is not HTTP", requestMayHaveBeenProcessed: true)
            #endif
        case .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData: return malformed
        case .badServerResponse:
            #if canImport(Security)
            return malformed
            #else
            // The connection was closed without a response.
            return lost
            #endif
        case .requestBodyStreamExhausted:
            return TransportError(
                .connectionLost, detail: "the connection was lost while the request's body was sent",
                requestMayHaveBeenProcessed: true)
        default:
            #if canImport(Security)
            return hasHead ? lost : unknown
            #else
            return unnamed(error, hasHead: hasHead, isEncrypted: isEncrypted)
            #endif
        }
    }

    #if !canImport(Security)
    /// Returns an error for which FoundationNetworking has no code. Its text is that of libcurl, by which the kind is recognized.
    private static func unnamed(_ error: URLError, hasHead: Bool, isEncrypted: Bool) -> TransportError {
        let text = error.localizedDescription
        // These texts contain the server's name, in which the words below may occur.
        if text.hasPrefix("Failed to connect to ") {
            return TransportError(.connect, detail: "no connection could be made", requestMayHaveBeenProcessed: false)
        }
        if text.hasPrefix("Could not resolve ") {
            return TransportError(.nameResolution, detail: "the proxy's name has no address", requestMayHaveBeenProcessed: false)
        }
        // Headers of more than 300 KiB, and then a line of more than 100 KiB, which libcurl reports like an allocation that fails.
        let isHeader = text.hasPrefix("Header") || text.contains(" header") || text.hasPrefix("Invalid Content-Length")
        if isHeader || text.contains("content encoding") || text == "Out of memory" { return malformed }
        if hasHead { return lost }
        if isEncrypted, text.contains("certificate required") {
            return TransportError(
                .clientCertificate, detail: "the server requires a client certificate", requestMayHaveBeenProcessed: false)
        }
        if isEncrypted, ["SSL", "TLS", "certificate"].contains(where: text.contains) {
            return TransportError(
                .tls, detail: "the TLS handshake failed, or the server's certificate is not trusted",
                requestMayHaveBeenProcessed: true)
        }
        if ["Send failure", "Recv failure", "transfer closed", "Connection died"].contains(where: text.contains) { return lost }
        return unknown
    }
    #endif

    private static var lost: TransportError {
        TransportError(
            .connectionLost, detail: "the connection ended before the whole response had arrived", requestMayHaveBeenProcessed: true
        )
    }

    private static var malformed: TransportError {
        TransportError(.malformed, detail: "the server's response cannot be read", requestMayHaveBeenProcessed: true)
    }

    private static var unknown: TransportError {
        TransportError(.other, detail: "the exchange failed", requestMayHaveBeenProcessed: true)
    }
}
