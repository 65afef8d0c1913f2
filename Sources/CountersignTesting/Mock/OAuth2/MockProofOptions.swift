/// How a mock authorization server and its resources take proofs of possession (DPoP, RFC 9449).
public struct MockProofOptions: Sendable, Hashable {
    /// Who looks at a proof; each has nonces of its own.
    public enum Place: Sendable, Hashable {
        case authorizationServer, resources
    }

    /// Whether no token is given out without a proof.
    public var isRequired = false
    /// Whether proofs have to have a nonce, of the authorization server's and of the resources' own.
    public var wantsNonces = false
    /// How many proofs a nonce is good for; then there is another.
    public var nonceUses = Int.max
    /// Who never takes a nonce, as a broken server does not.
    public var refusesNonces: Set<Place> = []

    /// Who refuses every proof.
    public var refusesProofs: Set<Place> = []

    /// The defaults: proofs are taken where a client sends them.
    public init() {}
}
