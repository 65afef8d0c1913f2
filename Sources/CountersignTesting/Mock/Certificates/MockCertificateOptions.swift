/// The options of TLS and client certificates in a mock landscape.
public struct MockCertificateOptions: Sendable {
    /// The server's reaction to a missing or invalid client certificate.
    public enum Demand: Sendable, Hashable, CaseIterable {
        /// The server aborts the handshake.
        case handshake
        /// The server answers with status 400 and a page, like nginx, if the certificate is missing or revoked. A certificate of
        /// another authority, or an expired one, aborts the handshake.
        case page
    }

    /// The authority of the servers' and users' certificates.
    public var authority: MockCertificateAuthority
    /// The reaction to a missing or invalid client certificate.
    public var demand: Demand
    /// Whether TLS 1.2 is the maximum version. In TLS 1.3 the server can request a certificate after the request was sent.
    public var isLimitedToTLS12: Bool

    /// Creates options.
    public init(authority: MockCertificateAuthority, demand: Demand = .handshake, isLimitedToTLS12: Bool = false) {
        self.authority = authority
        self.demand = demand
        self.isLimitedToTLS12 = isLimitedToTLS12
    }
}
