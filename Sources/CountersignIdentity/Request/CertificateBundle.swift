/// The certificates in an authority's answer, in whichever form it answers.
///
/// ```swift
/// let bundle = try CertificateBundle(reading: body)
/// let identity = try ClientIdentity(certificates: bundle.certificates, privateKey: key)
/// ```
///
/// Read are, by their content and whatever a media type says of it:
/// - PEM, one block or more: `CERTIFICATE`, `X509 CERTIFICATE`, `PKCS7` and `CMS` (RFC 7468). Text around them and blocks of other kinds,
///   `TRUSTED CERTIFICATE` among them, are skipped.
/// - One certificate as DER (RFC 5280, section 4.1).
/// - A message of signed data as DER or BER: PKCS #7, or CMS (RFC 5652, section 5), of which authorities send the kind with nothing but
///   certificates (RFC 8551, section 3.8). Its certificates are taken, whatever else is in it.
/// - Base64 of the latter two, with line breaks or without.
///
/// Nothing here is checked by a signature: that the answer is the authority's, the connection says that it came over.
public struct CertificateBundle: Sendable, Hashable {
    /// The certificates as DER, in the order in which they came. In a message that order means nothing (it is a set); `ClientIdentity`
    /// finds the key's own and its issuers in any order.
    public let certificates: [[UInt8]]

    /// Reads at most 1 MiB and a hundred certificates.
    ///
    /// - Parameter bytes: The answer: PEM, DER, BER or base64.
    /// - Throws: ``IdentityError`` with ``IdentityError/Code/truncated`` if the answer ends early, ``IdentityError/Code/malformed`` if it
    ///   is none of these, or damaged, ``IdentityError/Code/noCertificate`` if it is one and has no certificate,
    ///   ``IdentityError/Code/tooLarge``, or ``IdentityError/Code/unsupported`` for a message of another kind, such as an encrypted one.
    public init(reading bytes: some Collection<UInt8>) throws(IdentityError) {
        let count = bytes.count
        guard count <= CertificateBundleReader.byteLimit else {
            throw IdentityError(
                .tooLarge, detail: "The answer has \(count) bytes; \(CertificateBundleReader.byteLimit) is the limit.")
        }
        certificates = try CertificateBundleReader.read(Array(bytes))
    }

    /// The same for an answer that is text: PEM or base64.
    ///
    /// - Throws: The same.
    public init(reading text: String) throws(IdentityError) { try self.init(reading: text.utf8) }
}

extension CertificateBundle: CustomStringConvertible, CustomReflectable {
    /// How many there are; the names in them are people's.
    public var description: String { "CertificateBundle(\(certificates.count) certificates)" }
    public var customMirror: Mirror {
        Mirror(self, children: ["certificateCount": certificates.count], displayStyle: .struct)
    }
}
