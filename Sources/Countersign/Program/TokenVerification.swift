/// What a JSON Web Token (RFC 7519) has to be and to say, to be taken for what it says.
public struct TokenVerification: Sendable, Hashable {
    /// The slot of the token.
    public let token: Int
    /// The slot of the URL of its issuer's keys (RFC 7517).
    public let keys: Int
    /// What claims have to be; of `aud`, one of its values. What is absent here is not compared, but for `iss` and `aud`, without which no
    /// token is taken.
    public let claims: NamedList<HTTPCall.Member>
    /// The slot of the access token that `at_hash` is the hash of; `nil` for none.
    public let accessToken: Int?
    /// The slot of a number of seconds, which is how long ago the user may have logged in (`auth_time`); `nil` for however long.
    public let maximumAge: Int?
    /// What is taken of its claims, as of a body of JSON.
    public let captures: [ChallengePattern.Capture]

    /// Makes a verification.
    public init(
        token: Int, keys: Int, claims: NamedList<HTTPCall.Member>, accessToken: Int? = nil, maximumAge: Int? = nil,
        captures: [ChallengePattern.Capture] = []
    ) {
        self.token = token
        self.keys = keys
        self.claims = claims
        self.accessToken = accessToken
        self.maximumAge = maximumAge
        self.captures = captures
    }
}

/// Verifies the signatures of tokens, for which the runtime's core has no code; `CountersignJWT` conforms.
@_spi(Generated) public protocol SignatureVerifying: Sendable {
    /// What a token says, if one of the keys has signed it.
    ///
    /// - Parameters:
    ///   - token: A token in the compact form (RFC 7515, section 7.1).
    ///   - keys: A set of keys in JSON (RFC 7517, section 5).
    /// - Throws: ``TokenProblem``.
    func signed(_ token: String, by keys: [UInt8]) async throws(TokenProblem) -> SignedClaims
}

/// What a signed token says.
@_spi(Generated) public struct SignedClaims: Sendable {
    /// The claims, as JSON.
    package let claims: [UInt8]
    /// The left half of the hash of an access token, by the hash function of the signature, in base64url (OpenID Connect Core, section
    /// 3.1.3.6).
    package let halfHash: @Sendable (String) -> String

    /// Makes the claims.
    package init(_ claims: [UInt8], halfHash: @escaping @Sendable (String) -> String) {
        self.claims = claims
        self.halfHash = halfHash
    }
}

@_spi(Generated) extension SignedClaims: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "SignedClaims(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

/// Why a token is not taken.
@_spi(Generated) public enum TokenProblem: Error, Sendable, Hashable {
    /// It is none, or has more in its header than is understood (RFC 7515, section 4.1.11).
    case malformed
    /// It is signed by no asymmetric algorithm, or not at all.
    case algorithm
    /// The key that it names is not among those that its issuer has.
    case unknownKey
    /// What the issuer has is no set of keys.
    case keys
    /// The signature is by none of the keys.
    case signature
}
