/// How a mock authorization server behaves.
public struct MockOAuth2Options: Sendable {
    /// What a resource answers to a request without a good token.
    public enum ChallengeForm: Sendable, Hashable {
        /// 401 and `WWW-Authenticate: Bearer …` (RFC 6750, section 3).
        case bearer
        /// A status and fields of the server's own, without `WWW-Authenticate`.
        case response(ServerRules.Challenge)
    }

    /// Where the pages and endpoints are.
    public struct Paths: Sendable, Hashable {
        /// The authorization endpoint.
        public var authorize = "/oauth2/api/v1/authorize"
        /// Where the login form goes.
        public var login = "/oauth2/api/v1/login"
        /// The token endpoint.
        public var token = "/oauth2/api/v1/token"
        /// The revocation endpoint.
        public var revoke = "/oauth2/api/v1/revoke"
        /// The introspection endpoint (RFC 7662).
        public var introspect = "/oauth2/api/v1/introspect"
        /// The device authorization endpoint (RFC 8628).
        public var device = "/oauth2/api/v1/device_authorization"
        /// The page on which a user types the code of a device.
        public var verify = "/device"
        /// Where requests for the authorization endpoint are pushed (RFC 9126).
        public var push = "/oauth2/api/v1/par"
        /// The page on which a user logs out (OpenID Connect RP-Initiated Logout 1.0).
        public var end = "/oauth2/api/v1/logout"

        /// The defaults.
        public init() {}
    }

    /// Who may ask for tokens.
    public var clients: [MockOAuth2Client] = [.app, .service, .device]
    /// Who can sign in: passwords by user name.
    public var users: [String: String] = MockOptions().users
    /// Whether a browser that has signed in is not asked again.
    public var remembersUsers = false
    /// The names of the login form's fields.
    public var userField = "j_username"
    /// The name of the password's.
    public var passwordField = "j_password"
    /// Where the pages and endpoints are.
    public var paths = Paths()

    /// The scopes that there are; a request that names none gets all of them.
    public var scopes = ["read", "write"]
    /// The scope that a resource wants, by the beginning of its path; the longest beginning counts.
    public var requiredScopes: [String: String] = [:]
    /// How a user has to have authenticated for a resource (RFC 9470), by the beginning of its path; the longest beginning counts.
    public var requiredAuthentications: [String: MockAuthenticationRequirement] = [:]
    /// Parameters that every token request has to carry beyond the protocol, as some landscapes want them.
    public var requiredTokenParameters: [String: String] = [:]
    /// Whether a code is given out only against a code challenge (RFC 7636). If there is one it is S256, in either case.
    public var requiresPKCE = true
    /// Whether a page is shown only for a request that was pushed (RFC 9126, section 5).
    public var requiresPush = false
    /// Whether answers of the authorization endpoint name their issuer (RFC 9207).
    public var sendsIssuer = true
    /// How proofs of possession are taken (RFC 9449); `nil` if they are ignored.
    public var proof: MockProofOptions?
    /// What it is as an OpenID provider; `nil` if it is none. It needs the scope `openid` among ``scopes``.
    public var openID: MockOpenIDOptions?
    /// What its resources are by RFC 9728; `nil` if they publish nothing. It needs ``openID``.
    public var protectedResource: MockProtectedResourceOptions?
    /// The page about an error that errors point to, if they do.
    public var errorURI: String?
    /// What a resource answers to a request without a good token.
    public var challenge = ChallengeForm.bearer

    /// How long a login form can be filled in.
    public var loginLifetime: Duration = .seconds(300)
    /// How long a page can be opened for a request that was pushed.
    public var pushLifetime: Duration = .seconds(60)
    /// How long a code can be redeemed.
    public var codeLifetime: Duration = .seconds(60)
    /// How long a passcode is good, which is once.
    public var passcodeLifetime: Duration = .seconds(30)
    /// How long the code of a device is good.
    public var deviceCodeLifetime: Duration = .seconds(600)
    /// How long a device has to wait between two questions; one that does not is told to wait 5 seconds longer.
    public var deviceInterval: Duration = .seconds(1)
    /// How long an access token is good.
    public var accessTokenLifetime: Duration = .seconds(3600)
    /// Whether the token answer tells the lifetime.
    public var announcesLifetime = true
    /// How long a refresh token is good; `nil` is for ever.
    public var refreshTokenLifetime: Duration?
    /// Whether a refresh token is good once only, and a second use revokes all that came of the same login (RFC 9700, section 4.14.2).
    public var rotatesRefreshTokens = true
    /// How long a refresh token that was used may be used again, for clients that lost the answer.
    public var reuseLeeway: Duration = .zero
    /// The token type as it is written in answers.
    public var tokenType = "Bearer"

    /// What it does beside the protocols.
    public var oddities = MockOAuth2Oddities()

    /// What the time is.
    public var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Where codes and tokens come from.
    public var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// The defaults: strict, as RFC 9700 wants a server to be.
    public init() {}
}

extension MockOAuth2Options: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The clients and the names of the users; no password is shown.
    public var description: String { "MockOAuth2Options(clients: \(clients), users: \(users.keys.sorted()), redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["clients": clients, "users": users.keys.sorted()]) }
}
