public import Countersign

/// Makes an identity.
public struct IdentityStep<Values: Sendable, Failure: AuthenticationError>: Sendable {
    /// Texts with certificates: PEM, or base64 of DER.
    public let certificates: @Sendable (Values) -> [String]
    /// The discovery's error for what went wrong; `nil` where the spec maps none.
    public let failure: @Sendable (DiscoveryFailure) -> Failure?

    /// Makes a step.
    public init(
        certificates: @escaping @Sendable (Values) -> [String], failure: @escaping @Sendable (DiscoveryFailure) -> Failure?
    ) {
        self.certificates = certificates
        self.failure = failure
    }
}
