/// The certificate chain and private key that a client presents in the TLS handshake.
///
/// A connection with one identity is never reused for another identity or for requests without one. Two identities are equal if
/// their first certificates are. `CountersignIdentity` creates them from PKCS #12 archives and certificates.
public struct ConnectionIdentity: Sendable {
    /// The certificates in DER: the client's own first, each followed by its issuer.
    public let certificateChain: [[UInt8]]
    /// The private key of the first certificate: PKCS #8 in DER, unencrypted.
    public let privateKey: SecretBytes

    /// Creates an identity. It is not checked before a transport uses it.
    public init(certificateChain: [[UInt8]], privateKey: SecretBytes) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }
}

extension ConnectionIdentity: Hashable {
    public static func == (left: ConnectionIdentity, right: ConnectionIdentity) -> Bool {
        left.certificateChain == right.certificateChain
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(certificateChain.first) }
}

extension ConnectionIdentity: ReducedDescription {
    /// The number of certificates. Their names are not shown, since they identify users.
    public var visibleParts: KeyValuePairs<String, String> { ["certificates": "\(certificateChain.count)", "key": redacted] }
}
