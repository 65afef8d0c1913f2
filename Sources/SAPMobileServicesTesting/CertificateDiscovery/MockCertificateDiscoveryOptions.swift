public import CountersignTesting

/// How a mock landscape's certificate discovery service behaves.
public struct MockCertificateDiscoveryOptions: Sendable {
    /// The kinds of key that the service asks for.
    public enum KeyType: String, Sendable, Hashable, CaseIterable {
        /// ECDSA on the curve P-256.
        case p256
        /// RSA of 2048 bits.
        case rsa2048
    }

    /// The subject of certificates as text (RFC 4514); `nil` makes it of the user's name. The mock knows users by the common name.
    public var subject: String?
    /// The names of hosts among a certificate's alternative names.
    public var dns: [String] = []
    /// The mail addresses among them.
    public var email: [String] = []
    /// The kind of key; with `nil` the answer says nothing of it, and every kind is taken.
    public var keyType: KeyType? = .p256
    /// The authority that signs; `nil` takes the authority of `MockOptions.certificates`, and without TLS a new one.
    public var authority: MockCertificateAuthority?

    /// Signs in place of the authority: gets a certificate request as DER, and answers with the certificate and its issuers, each as DER;
    /// `nil` for the authority.
    public var sign: (@Sendable (_ request: [UInt8]) throws -> [[UInt8]])?

    /// The defaults.
    public init() {}
}
