public import Countersign

/// Signs a certificate request.
public struct CertificateRequestStep<Values: Sendable, Failure: AuthenticationError>: Sendable {
    /// The distinguished name (RFC 4514); empty for none.
    public let subject: @Sendable (Values) -> [String]
    /// Names of hosts.
    public let dns: @Sendable (Values) -> [String]
    /// E-mail addresses.
    public let email: @Sendable (Values) -> [String]
    /// The discovery's error for what went wrong; `nil` where the spec maps none.
    public let failure: @Sendable (DiscoveryFailure) -> Failure?

    /// Makes a step.
    public init(
        subject: @escaping @Sendable (Values) -> [String] = { _ in [] },
        dns: @escaping @Sendable (Values) -> [String] = { _ in [] },
        email: @escaping @Sendable (Values) -> [String] = { _ in [] }, failure: @escaping @Sendable (DiscoveryFailure) -> Failure?
    ) {
        self.subject = subject
        self.dns = dns
        self.email = email
        self.failure = failure
    }
}
