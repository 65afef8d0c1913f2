internal import NIOSSL

/// The alert of a server that ends a handshake because of the client's certificate (RFC 8446, section 6.2; RFC 5246, section 7.2.2).
///
/// The library gives alerts as text alone. Only what a server sent is an `ALERT` there; what is wrong with the server's own certificate has
/// other words.
struct ClientCertificateAlert {
    let detail: String

    private static let words: [(alert: String, detail: String)] = [
        ("CERTIFICATE_REQUIRED", "the server demands a client certificate"),
        // Before TLS 1.3 there is no alert of its own for a certificate that is missing; servers use this one, and others.
        ("HANDSHAKE_FAILURE", "the server ended the handshake, which it does where a client certificate is missing"),
        ("BAD_CERTIFICATE", "the server refuses the client certificate, or its absence"),
        ("UNSUPPORTED_CERTIFICATE", "the server does not take client certificates of this kind"),
        ("CERTIFICATE_REVOKED", "the client certificate was revoked"),
        ("CERTIFICATE_EXPIRED", "the client certificate has expired"),
        ("CERTIFICATE_UNKNOWN", "the server refuses the client certificate"),
        ("UNKNOWN_CA", "the server does not know who issued the client certificate"),
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
