/// The certificates in a certification authority's response, in any of the usual formats.
///
/// ```swift
/// let bundle = try CertificateBundle(reading: body)
/// let identity = try ClientIdentity(certificates: bundle.certificates, privateKey: key)
/// ```
///
/// The format is detected from the content, not from the media type:
/// - PEM with one or more blocks: `CERTIFICATE`, `X509 CERTIFICATE`, `PKCS7` and `CMS` (RFC 7468). Other text and blocks of other
///   kinds, such as `TRUSTED CERTIFICATE`, are skipped.
/// - One certificate in DER (RFC 5280, section 4.1).
/// - Signed data in DER or BER: PKCS #7 or CMS (RFC 5652, section 5), usually a certs-only message (RFC 8551, section 3.8). Only
///   its certificates are used.
/// - Base64 of the latter two, with or without line breaks.
///
/// Signatures are not verified. The authenticity of the response rests on its TLS connection.
public struct CertificateBundle: Sendable, Hashable {
    /// The certificates in DER, in the order of the response. In a CMS message, which contains a set, the order has no meaning;
    /// `ClientIdentity` accepts any order.
    public let certificates: [[UInt8]]

    /// Parses a response of at most 1 MiB and 100 certificates.
    ///
    /// - Parameter bytes: The response: PEM, DER, BER or Base64.
    /// - Throws: ``IdentityError`` with ``IdentityError/Code/truncated`` if the response ends early,
    ///   ``IdentityError/Code/malformed`` if its format is unknown or it is damaged, ``IdentityError/Code/noCertificate`` if it
    ///   contains no certificate, ``IdentityError/Code/tooLarge``, or ``IdentityError/Code/unsupported`` for another kind of
    ///   message, such as an encrypted one.
    public init(reading bytes: some Collection<UInt8>) throws(IdentityError) {
        let count = bytes.count
        guard count <= CertificateBundleReader.maximumSize else {
            throw IdentityError(
                .tooLarge, detail: "The response has \(count) bytes; \(CertificateBundleReader.maximumSize) is the limit.")
        }
        certificates = try CertificateBundleReader.read(Array(bytes))
    }

    /// Parses a text response: PEM or Base64.
    ///
    /// - Throws: ``IdentityError``, as for a binary response.
    public init(reading text: String) throws(IdentityError) { try self.init(reading: text.utf8) }
}

extension CertificateBundle: CustomStringConvertible, CustomReflectable {
    /// The number of certificates. Names are not shown, since they identify users.
    public var description: String { "CertificateBundle(\(certificates.count) certificates)" }
    public var customMirror: Mirror {
        Mirror(self, children: ["certificateCount": certificates.count], displayStyle: .struct)
    }
}
