internal import NIOSSL

/// The alert of a server that ends a handshake because of the client's certificate (RFC 8446, section 6.2; RFC 5246, section
/// 7.2.2).
///
/// The library reports alerts only as text. Only alerts from the server contain `ALERT`. Errors about the server's own
/// certificate have other texts.
struct ClientCertificateAlert {
    let detail: String

    private static let words: [(alert: String, detail: String)] = [
        ("CERTIFICATE_REQUIRED", "the server demands a client certificate"),
        // Before TLS 1.3, there is no specific alert for a missing certificate. Servers send this one or others.
        ("HANDSHAKE_FAILURE", "the server ended the handshake, possibly because a client certificate is missing"),
        ("BAD_CERTIFICATE", "the server refuses the client certificate, or its absence"),
        ("UNSUPPORTED_CERTIFICATE", "the server does not accept client certificates of this kind"),
        ("CERTIFICATE_REVOKED", "the client certificate was revoked"),
        ("CERTIFICATE_EXPIRED", "the client certificate has expired"),
        ("CERTIFICATE_UNKNOWN", "the server refuses the client certificate"),
        ("UNKNOWN_CA", "the server does not know the issuer of the client certificate"),
        ("DECRYPT_ERROR", "the server cannot verify a signature of the client certificate"),
        ("ACCESS_DENIED", "the server denies access to the client certificate"),
    ]

    init?(_ error: any Error) {
        let text: String
        switch error {
        case NIOSSLError.handshakeFailed(let error): text = "\(error)"
        case let error as BoringSSLError: text = "\(error)"
        default: return nil
        }
        guard let word = Self.words.first(where: { text.contains("ALERT_\($0.alert)") }) else { return nil }
        detail = word.detail
    }
}
