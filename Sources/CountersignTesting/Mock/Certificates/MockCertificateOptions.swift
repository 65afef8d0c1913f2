/// How a mock landscape serves over TLS, and what it demands of certificates.
public struct MockCertificateOptions: Sendable {
    /// How a client without a certificate, or with a wrong one, learns of it.
    public enum Demand: Sendable, Hashable, CaseIterable {
        /// The server ends the handshake.
        case handshake
        /// It answers with status 400 and a page, as nginx does where a certificate is missing or revoked. One of another authority, or one
        /// that has expired, ends the handshake here, too.
        case page
    }

    /// The authority that vouches for the servers, and for users.
    public var authority: MockCertificateAuthority
    /// How certificates are demanded.
    public var demand: Demand
    /// Whether TLS 1.2 is the newest version that is spoken; in 1.3 a demand can come after a request has left.
    public var isLimitedToTLS12: Bool

    /// Makes options.
    public init(authority: MockCertificateAuthority, demand: Demand = .handshake, isLimitedToTLS12: Bool = false) {
        self.authority = authority
        self.demand = demand
        self.isLimitedToTLS12 = isLimitedToTLS12
    }
}
