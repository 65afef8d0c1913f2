/// The handling of DPoP proofs (RFC 9449) by a mock authorization server and its resources.
public struct MockProofOptions: Sendable, Hashable {
    /// A verifier of proofs, with its own nonces.
    public enum Place: Sendable, Hashable {
        case authorizationServer, resources
    }

    /// Whether tokens are issued only with a proof.
    public var isRequired = false
    /// Whether authorization requests may be pushed only with a proof (RFC 9449, section 10.1).
    public var isRequiredForPushes = false
    /// Whether proofs need a nonce of the verifier.
    public var wantsNonces = false
    /// The number of proofs for which a nonce is valid.
    public var nonceUses = Int.max
    /// The verifiers that refuse every nonce, like a broken server.
    public var refusesNonces: Set<Place> = []

    /// The verifiers that refuse every proof.
    public var refusesProofs: Set<Place> = []

    /// Creates options that accept proofs but do not require them.
    public init() {}
}
