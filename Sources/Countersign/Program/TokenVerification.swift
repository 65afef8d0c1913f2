/// The verification of a JSON Web Token (RFC 7519): the key set, the required claims, and the claims to capture.
public struct TokenVerification: Sendable, Hashable {
    /// The slot of the token.
    public let token: Int
    /// The slot of the URL of the issuer's key set (RFC 7517).
    public let keys: Int
    /// The required claims; for `aud`, one of its values. Absent values are not compared, except `iss` and `aud`, without which no
    /// token is accepted.
    public let claims: NamedList<HTTPCall.Member>
    /// The slot of the access token that `at_hash` refers to; `nil` for none.
    public let accessToken: Int?
    /// The slot of the maximum age of the authentication (`auth_time`) in seconds; `nil` for no limit.
    public let maximumAge: Int?
    /// The claims to capture, as from a JSON body.
    public let captures: [ChallengePattern.Capture]

    /// Creates a verification.
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

/// Verifies signatures of JSON Web Tokens outside of the core module. `CountersignJWT` has a conforming type.
@_spi(Generated) public protocol SignatureVerifying: Sendable {
    /// Returns the claims of a token that is signed by one of the keys.
    ///
    /// - Parameters:
    ///   - token: A token in compact serialisation (RFC 7515, section 7.1).
    ///   - keys: A key set in JSON (RFC 7517, section 5).
    /// - Throws: ``TokenProblem``.
    func signed(_ token: String, by keys: [UInt8]) async throws(TokenProblem) -> SignedClaims
}

/// The verified claims of a token.
@_spi(Generated) public struct SignedClaims: Sendable {
    /// The claims, as JSON.
    package let claims: [UInt8]
    /// Returns the left half of the hash of an access token, by the hash function of the signature, in Base64url (OpenID Connect
    /// Core, section 3.1.3.6).
    package let halfHash: @Sendable (String) -> String

    /// Creates the claims.
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

/// The reason why a token is rejected.
@_spi(Generated) public enum TokenProblem: Error, Sendable, Hashable {
    /// It is not a JWT, or has a critical header parameter that is not supported (RFC 7515, section 4.1.11).
    case malformed
    /// It is unsigned, or its algorithm is not asymmetric.
    case algorithm
    /// The key set does not contain the key that the token names.
    case unknownKey
    /// The issuer's document is not a key set.
    case keys
    /// The signature is invalid.
    case signature
}
