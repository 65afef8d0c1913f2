/// The options of an OpenID provider: metadata, keys, and an ID token with each access token of a user with the scope `openid`.
public struct MockOpenIDOptions: Sendable, Hashable {
    /// The error of a request with `prompt=none` for which the user is needed (OpenID Connect Core, section 3.1.2.6).
    public enum SilentRefusal: String, Sendable, Hashable, CaseIterable {
        /// The user has to log in.
        case loginRequired = "login_required"
        /// The user has to do something else.
        case interactionRequired = "interaction_required"
        /// The user has to select an account.
        case accountSelectionRequired = "account_selection_required"
        /// The user has to consent.
        case consentRequired = "consent_required"
    }

    /// The path of the metadata; the default is that of OpenID Connect Discovery 1.0, section 4.
    public var metadataPath = "/.well-known/openid-configuration"
    /// The path of the key set (RFC 7517).
    public var keysPath = "/oauth2/api/v1/keys"
    /// The path of dynamic client registration (RFC 7591); `nil` for none.
    public var registrationPath: String?
    /// Whether the metadata name another token endpoint for clients with certificates (RFC 8705, section 5).
    public var hasCertificateEndpoint = false
    /// The authentication methods of registered clients in the metadata; `nil` for none, and clients without a secret.
    public var authenticationMethods: [String]?
    /// Whether the metadata announce that a client identifier can be the URL of its metadata. The clients are nevertheless those of
    /// the options.
    public var announcesClientMetadata = false
    /// Whether the metadata contain the endpoint of pushed authorization requests (RFC 9126).
    public var announcesPush = false
    /// Whether the metadata announce `iss` in authorization responses (RFC 9207).
    public var announcesIssuer = true
    /// The error of a request with `prompt=none` from a browser without a session, or with a `max_age`. The server remembers
    /// sessions with ``MockOAuth2Options/remembersUsers``.
    public var silentRefusal = SilentRefusal.loginRequired
    /// Whether a logout request must have an ID token that identifies the user (`id_token_hint`). Without one, the user is otherwise
    /// asked for confirmation (RP-Initiated Logout 1.0, section 2).
    public var requiresLogoutHint = false
    /// The lifetime of an ID token.
    public var tokenLifetime: Duration = .seconds(600)

    /// Creates options with the default values.
    public init() {}
}

/// A fault of an ID token.
public enum MockIDTokenFault: Sendable, Hashable {
    /// Claims are replaced by these JSON texts, added, or removed by `nil`.
    case claims([String: String?])
    /// Header parameters are replaced by these JSON texts, added, or removed by `nil`, before signing.
    case header([String: String?])
    /// The ID token is missing.
    case missing
    /// The algorithm is `none`, without a signature.
    case unsigned
    /// It is signed with another key under the identifier of the right one.
    case foreignKey
    /// It is signed with HMAC, with the published public key as the secret.
    case sharedSecret
    /// A claim was changed after signing.
    case tampered
}

/// A fault of the documents that an OpenID provider publishes.
public enum MockPublicationFault: Sendable, Hashable {
    /// Members of the metadata are replaced by these JSON texts, added, or removed by `nil`.
    case metadata([String: String?])
    /// The response with the metadata has this status.
    case metadataStatus(Int)
    /// Members of the protected resource metadata (RFC 9728) are replaced by these JSON texts, added, or removed by `nil`.
    case resource([String: String?])
    /// The response with the keys has this status.
    case keysStatus(Int)
    /// The member `keys` has this JSON text as its value.
    case keys(String)
    /// The key set is longer by this number of bytes.
    case hugeKeys(bytes: Int)
}
