public import CountersignTesting
public import Foundation

/// The endpoints of a mock landscape's Certificate Discovery service. All three require an access token of the mock's OAuth 2.0
/// server.
public struct MockCertificateDiscovery: Sendable, Hashable {
    private let baseURL: URL

    init(baseURL: URL) { self.baseURL = baseURL }

    static let path = "/product-api.svc/UserCertificates/"

    /// The endpoint of the certificate attributes for a user (`GET`).
    public var attributesEndpoint: URL { endpoint("getUserCertificateAttributes") }
    /// The endpoint of certificate requests (`POST`), whose response is the certificate.
    public var requestEndpoint: URL { endpoint("requestUserCertificate") }
    /// The endpoint that revokes a certificate by its serial number (`POST`).
    public var retireEndpoint: URL { endpoint("retireUserCertificate") }

    private func endpoint(_ name: String) -> URL { baseURL.appending(path: Self.path + name) }
}

/// The options of a mock landscape's Certificate Discovery service.
public struct MockCertificateDiscoveryOptions: Sendable {
    /// The key types that the service can request.
    public enum KeyType: String, Sendable, Hashable, CaseIterable {
        /// ECDSA on the curve P-256.
        case p256
        /// RSA of 2048 bits.
        case rsa2048
    }

    /// The subject of certificates (RFC 4514); `nil` for one with the user's name. The mock identifies users by the common name.
    public var subject: String?
    /// The host names among a certificate's alternative names.
    public var dns: [String] = []
    /// The e-mail addresses among a certificate's alternative names.
    public var email: [String] = []
    /// The key type; `nil` for any.
    public var keyType: KeyType? = .p256
    /// The certification authority; `nil` for the authority of `MockOptions.certificates`, or without TLS a new one.
    public var authority: MockCertificateAuthority?

    /// Signs in place of the authority: receives a certificate request in DER, and returns the certificate and its issuers in DER;
    /// `nil` for the authority.
    public var sign: (@Sendable (_ request: [UInt8]) throws -> [[UInt8]])?

    /// Creates options with the default values.
    public init() {}
}

/// The request counts of a mock landscape's Certificate Discovery service. Requests without a valid token are included.
public struct MockCertificateDiscoveryStatistics: Sendable, Hashable {
    /// Requests for the attributes of a certificate.
    public var attributes = 0
    /// Requests for a certificate.
    public var requests = 0
    /// Requests to revoke a certificate.
    public var retirements = 0
    /// The serial numbers of issued certificates, in order: lowercase hexadecimal, two digits per byte.
    public var issued: [String] = []
    /// The serial numbers of revoked certificates.
    public var retired: [String] = []

    /// Creates statistics with zero counts.
    public init() {}
}
