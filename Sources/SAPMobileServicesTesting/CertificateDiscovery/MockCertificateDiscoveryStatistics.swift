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
