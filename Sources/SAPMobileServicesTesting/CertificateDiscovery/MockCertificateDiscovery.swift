public import CountersignTesting
public import Foundation

/// Where a mock landscape's certificate discovery service is. All three addresses want an access token of the mock's OAuth 2.0 server.
public struct MockCertificateDiscovery: Sendable, Hashable {
    private let baseURL: URL

    init(baseURL: URL) { self.baseURL = baseURL }

    static let path = "/product-api.svc/UserCertificates/"

    /// Says by GET what a certificate of the user has to look like.
    public var attributesEndpoint: URL { endpoint("getUserCertificateAttributes") }
    /// Takes a certificate request by POST and answers with the certificate.
    public var requestEndpoint: URL { endpoint("requestUserCertificate") }
    /// Takes a serial number by POST, and the certificate is good no more.
    public var retireEndpoint: URL { endpoint("retireUserCertificate") }

    private func endpoint(_ name: String) -> URL { baseURL.appending(path: Self.path + name) }
}

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

/// What a mock landscape has counted about its certificate discovery service. Requests without a good token count, too.
public struct MockCertificateDiscoveryStatistics: Sendable, Hashable {
    /// Requests for the attributes of a certificate.
    public var attributes = 0
    /// Requests for a certificate.
    public var requests = 0
    /// Requests to take a certificate back.
    public var retirements = 0
    /// The serial numbers of certificates that were given out, in order: lower case hexadecimal digits, two for each byte.
    public var issued: [String] = []
    /// Those that were taken back.
    public var retired: [String] = []

    /// Nothing counted.
    public init() {}
}
