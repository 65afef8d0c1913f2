/// What makes a mock authorization server an OpenID provider: metadata, keys, and an ID token beside each access token that a user has
/// agreed to with the scope `openid`.
public struct MockOpenIDOptions: Sendable, Hashable {
    /// Where the metadata are: OpenID Connect Discovery 1.0, section 4, by default.
    public var metadataPath = "/.well-known/openid-configuration"
    /// Where the keys are (RFC 7517).
    public var keysPath = "/oauth2/api/v1/keys"
    /// Where clients register themselves (RFC 7591); `nil` for nowhere.
    public var registrationPath: String?
    /// Whether the metadata name another token endpoint for clients with certificates (RFC 8705, section 5).
    public var hasCertificateEndpoint = false
    /// How clients can authenticate that register themselves, as the metadata say it; `nil` if they say nothing, and clients have no secret.
    public var authenticationMethods: [String]?
    /// Whether the metadata say that a client's identifier can be the address of its metadata; the clients are those of the options all the
    /// same.
    public var announcesClientMetadata = false
    /// Whether the metadata name where requests are pushed (RFC 9126).
    public var announcesPush = false
    /// Whether the metadata say that answers of the authorization endpoint name their issuer (RFC 9207).
    public var announcesIssuer = true
    /// How long an ID token is good.
    public var tokenLifetime: Duration = .seconds(600)

    /// The defaults.
    public init() {}
}

/// Something that is wrong about an ID token.
public enum MockIDTokenFault: Sendable, Hashable {
    /// Claims are replaced by these JSON texts, added, or taken away by `nil`.
    case claims([String: String?])
    /// Members of the header are, before it is signed.
    case header([String: String?])
    /// There is none.
    case missing
    /// It says `none` for its algorithm, and has no signature.
    case unsigned
    /// It is signed with another key under the name of the right one.
    case foreignKey
    /// It is signed with HMAC, and what is published of the key as the secret.
    case sharedSecret
    /// A claim was changed after it was signed.
    case tampered
}

/// Something that is wrong about what an OpenID provider publishes.
public enum MockPublicationFault: Sendable, Hashable {
    /// Members of the metadata are replaced by these JSON texts, added, or taken away by `nil`.
    case metadata([String: String?])
    /// The metadata are answered with this status.
    case metadataStatus(Int)
    /// Members of the metadata of the resource (RFC 9728) are.
    case resource([String: String?])
    /// The keys are answered with this status.
    case keysStatus(Int)
    /// What the member `keys` has in place of the list of keys, as JSON.
    case keys(String)
    /// The keys have so many bytes more.
    case hugeKeys(bytes: Int)
}
