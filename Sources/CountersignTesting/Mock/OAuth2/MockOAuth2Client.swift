/// A client that an authorization server knows (RFC 6749, section 2).
public struct MockOAuth2Client: Sendable, Hashable {
    /// What a client may ask the token endpoint for, by its name in `grant_type`.
    public enum Grant: String, Sendable, Hashable, CaseIterable {
        /// The code that a browser brought back.
        case authorizationCode = "authorization_code"
        /// The refresh token of an earlier answer.
        case refreshToken = "refresh_token"
        /// The client's own credentials.
        case clientCredentials = "client_credentials"
        /// A passcode that was shown to a user who is signed in elsewhere.
        case password = "password"
        /// The code of a device, which a user allows on another one (RFC 8628).
        case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
        /// The access token of somebody else, for one of the client's own (RFC 8693).
        case tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    }

    /// How a client with a secret authenticates (RFC 6749, section 2.3.1).
    public enum Authentication: Sendable, Hashable, CaseIterable {
        /// HTTP Basic of the identifier and the secret, each encoded as a form encodes them first. This is what the RFC says.
        case basic
        /// HTTP Basic of both as they are, which many servers take instead.
        case rawBasic
        /// `client_id` and `client_secret` in the form.
        case body
    }

    /// The identifier.
    public var id: String
    /// The secret; `nil` makes it a public client, which only names itself.
    public var secret: String?
    /// Where codes may be sent. A URI has to agree to the byte, but for the port of a loopback address (RFC 8252, section 7.3).
    public var redirectURIs: [String]
    /// The certificate, as DER, by which the client authenticates (RFC 8705, section 2.2), and to which its tokens are bound; `nil` for one
    /// that does not.
    public var certificate: [UInt8]?
    /// Where browsers may be sent after a logout.
    public var logoutURIs: [String] = []
    /// What it may ask for.
    public var grants: Set<Grant>
    /// The ways to authenticate that are taken from it, if it has a secret.
    public var authentications: Set<Authentication>
    /// The public key, in PEM for ECDSA on P-256, by which the client authenticates with tokens that it signs (RFC 7523, section 2.2); `nil`
    /// for one that does not.
    public var key: String?

    /// Registers a client.
    public init(
        id: String, secret: String? = nil, redirectURIs: [String] = [], grants: Set<Grant> = [.authorizationCode, .refreshToken],
        authentications: Set<Authentication> = [.basic], key: String? = nil
    ) {
        self.key = key
        self.id = id
        self.secret = secret
        self.redirectURIs = redirectURIs
        self.grants = grants
        self.authentications = authentications
    }

    /// An app without a secret, for people: at an address of its own scheme, an `https` address, or a loopback address of any port.
    public static let app = MockOAuth2Client(
        id: "app",
        redirectURIs: [
            "com.example.app:/callback", "https://app.example/callback", "http://127.0.0.1/callback", "http://[::1]/callback",
        ])

    /// A program without a browser of its own and without a secret, for people.
    public static let device = MockOAuth2Client(id: "television", grants: [.deviceCode, .refreshToken])

    /// A service with a secret that holds what has to be escaped in one place or another, for itself.
    public static let service = MockOAuth2Client(
        id: "service:1", secret: "s%3A+ &=:/?ü", grants: [.clientCredentials, .tokenExchange])
}

extension MockOAuth2Client: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identifier, and of the secret only that there is one.
    public var description: String { "MockOAuth2Client(\(id), secret: \(secret == nil ? "none" : "redacted"))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "secret": secret == nil ? "none" : "redacted", "redirectURIs": redirectURIs, "grants": grants,
                "authentications": authentications, "key": key == nil ? "none" : "public",
                "certificate": certificate == nil ? "none" : "public",
            ])
    }
}
