/// A registered client of an authorization server (RFC 6749, section 2).
public struct MockOAuth2Client: Sendable, Hashable {
    /// A grant that a client may use, by its `grant_type`.
    public enum Grant: String, Sendable, Hashable, CaseIterable {
        /// The authorization code grant.
        case authorizationCode = "authorization_code"
        /// The refresh token grant.
        case refreshToken = "refresh_token"
        /// The client credentials grant.
        case clientCredentials = "client_credentials"
        /// A passcode that was shown to a user who is signed in elsewhere, in the password grant.
        case password = "password"
        /// The device authorization grant (RFC 8628).
        case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
        /// Token exchange (RFC 8693).
        case tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
        /// A signed assertion (RFC 7523, section 2.1) of a client with a key, for one of the users or for the client itself. The client
        /// need not authenticate.
        case jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    }

    /// The authentication of a client with a secret (RFC 6749, section 2.3.1).
    public enum Authentication: Sendable, Hashable, CaseIterable {
        /// HTTP Basic of identifier and secret, each form-encoded, as the RFC requires.
        case basic
        /// HTTP Basic without form encoding, which many servers accept instead.
        case rawBasic
        /// `client_id` and `client_secret` in the form.
        case body
    }

    /// The identifier.
    public var id: String
    /// The secret; `nil` for a public client.
    public var secret: String?
    /// The redirect URIs. They are compared byte by byte, except for the port of a loopback address (RFC 8252, section 7.3).
    public var redirectURIs: [String]
    /// The certificate in DER by which the client authenticates (RFC 8705, section 2.2), and to which its tokens are bound; `nil`
    /// for none.
    public var certificate: [UInt8]?
    /// The allowed redirect URIs after a logout.
    public var logoutURIs: [String] = []
    /// The allowed grants.
    public var grants: Set<Grant>
    /// The accepted client authentication methods, if the client has a secret.
    public var authentications: Set<Authentication>
    /// The public key (ECDSA on P-256, in PEM) of the client's signed assertions, by which it authenticates unless it has a secret
    /// (RFC 7523, section 2.2), and which are grants (section 2.1); `nil` for none.
    public var key: String?
    /// The certificate in DER of the key, whose thumbprint assertions must have (`x5t#S256`; RFC 7515, section 4.1.8); `nil` for
    /// none.
    public var keyCertificate: [UInt8]?

    /// Creates a registered client.
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

    /// A public app for users, with redirect URIs of a private-use URI scheme, of `https`, and of a loopback address with any port.
    public static let app = MockOAuth2Client(
        id: "app",
        redirectURIs: [
            "com.example.app:/callback", "https://app.example/callback", "http://127.0.0.1/callback", "http://[::1]/callback",
        ])

    /// A public program for users, without a browser.
    public static let device = MockOAuth2Client(id: "television", grants: [.deviceCode, .refreshToken])

    /// A service with its own tokens, and with a secret that needs escaping in various places.
    public static let service = MockOAuth2Client(
        id: "service:1", secret: "s%3A+ &=:/?ü", grants: [.clientCredentials, .tokenExchange])
}

extension MockOAuth2Client: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identifier, and whether there is a secret.
    public var description: String { "MockOAuth2Client(\(id), secret: \(secret == nil ? "none" : "redacted"))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "secret": secret == nil ? "none" : "redacted", "redirectURIs": redirectURIs, "grants": grants,
                "authentications": authentications, "key": key == nil ? "none" : "public",
                "certificate": certificate == nil ? "none" : "public",
                "keyCertificate": keyCertificate == nil ? "none" : "public",
            ])
    }
}
