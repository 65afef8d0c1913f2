/// What a client proves itself with while a TLS connection is made: certificates, and the private key of the first.
///
/// A value for transports. Connections made with one identity are never used for another, nor for requests without one: two identities are
/// the same if their first certificates are. `CountersignIdentity` makes them of PKCS #12 archives and of certificates.
public struct ConnectionIdentity: Sendable {
    /// The certificates as DER: the client's own first, each followed by its issuer.
    public let certificateChain: [[UInt8]]
    /// The key of the first certificate as PKCS #8 in DER, unencrypted.
    public let privateKey: SecretBytes

    /// Makes an identity; nothing is checked before a transport uses it.
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
    /// How many certificates there are; the names in them are users'.
    public var visibleParts: KeyValuePairs<String, String> { ["certificates": "\(certificateChain.count)", "key": redacted] }
}
