public import Countersign

/// Makes a private key.
public struct KeyStep<Values: Sendable, Failure: AuthenticationError>: Sendable {
    /// The name of a kind, `p256` or `rsa2048`; empty for ``otherwise``.
    public let kind: @Sendable (Values) -> [String]
    /// The kind where nothing names one.
    public let otherwise: IdentityKey.Kind
    /// The discovery's error for what went wrong; `nil` where the spec maps none.
    public let failure: @Sendable (DiscoveryFailure) -> Failure?

    /// Makes a step.
    public init(
        kind: @escaping @Sendable (Values) -> [String] = { _ in [] }, otherwise: IdentityKey.Kind,
        failure: @escaping @Sendable (DiscoveryFailure) -> Failure?
    ) {
        self.kind = kind
        self.otherwise = otherwise
        self.failure = failure
    }
}
