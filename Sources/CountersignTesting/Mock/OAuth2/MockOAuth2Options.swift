/// The options of a mock authorization server.
public struct MockOAuth2Options: Sendable {
    /// The response of a resource to a request without a valid token.
    public enum ChallengeForm: Sendable, Hashable {
        /// 401 and `WWW-Authenticate: Bearer …` (RFC 6750, section 3).
        case bearer
        /// A status and fields of the server's own, without `WWW-Authenticate`.
        case response(ServerRules.Challenge)
    }

    /// The paths of the pages and endpoints.
    public struct Paths: Sendable, Hashable {
        /// The authorization endpoint.
        public var authorize = "/oauth2/api/v1/authorize"
        /// The target of the login form.
        public var login = "/oauth2/api/v1/login"
        /// The token endpoint.
        public var token = "/oauth2/api/v1/token"
        /// The revocation endpoint.
        public var revoke = "/oauth2/api/v1/revoke"
        /// The introspection endpoint (RFC 7662).
        public var introspect = "/oauth2/api/v1/introspect"
        /// The device authorization endpoint (RFC 8628).
        public var device = "/oauth2/api/v1/device_authorization"
        /// The page on which a user enters the code of a device.
        public var verify = "/device"
        /// The endpoint of pushed authorization requests (RFC 9126).
        public var push = "/oauth2/api/v1/par"
        /// The page on which a user logs out (OpenID Connect RP-Initiated Logout 1.0).
        public var end = "/oauth2/api/v1/logout"

        /// Creates paths with the default values.
        public init() {}
    }

    /// The registered clients.
    public var clients: [MockOAuth2Client] = [.app, .service, .device]
    /// The passwords by user name.
    public var users: [String: String] = MockOptions().users
    /// Whether a signed-in browser skips the login form.
    public var remembersUsers = false
    /// The name of the login form's user field.
    public var userField = "j_username"
    /// The name of the login form's password field.
    public var passwordField = "j_password"
    /// The paths of the pages and endpoints.
    public var paths = Paths()

    /// The existing scopes. A request without scopes receives all of them.
    public var scopes = ["read", "write"]
    /// The required scope of resources by path prefix. The longest matching prefix is used.
    public var requiredScopes: [String: String] = [:]
    /// The required user authentication of resources (RFC 9470) by path prefix. The longest matching prefix is used.
    public var requiredAuthentications: [String: MockAuthenticationRequirement] = [:]
    /// Required parameters of token requests beyond the protocol.
    public var requiredTokenParameters: [String: String] = [:]
    /// Whether authorization requests need a code challenge (RFC 7636). If there is one, it must be S256 in any case.
    public var requiresPKCE = true
    /// Whether authorization requests must be pushed (RFC 9126, section 5).
    public var requiresPush = false
    /// Whether authorization responses contain `iss` (RFC 9207).
    public var sendsIssuer = true
    /// The handling of DPoP proofs (RFC 9449); `nil` to ignore them.
    public var proof: MockProofOptions?
    /// The options as an OpenID provider; `nil` for none. It needs the scope `openid` in ``scopes``.
    public var openID: MockOpenIDOptions?
    /// The options of protected resource metadata (RFC 9728); `nil` for none. It needs ``openID``.
    public var protectedResource: MockProtectedResourceOptions?
    /// The `error_uri` of errors; `nil` for none.
    public var errorURI: String?
    /// The response of a resource to a request without a valid token.
    public var challenge = ChallengeForm.bearer

    /// The time for which a login form can be submitted.
    public var loginLifetime: Duration = .seconds(300)
    /// The lifetime of a pushed authorization request.
    public var pushLifetime: Duration = .seconds(60)
    /// The lifetime of a code.
    public var codeLifetime: Duration = .seconds(60)
    /// The lifetime of a single-use passcode.
    public var passcodeLifetime: Duration = .seconds(30)
    /// The lifetime of a device code.
    public var deviceCodeLifetime: Duration = .seconds(600)
    /// The minimum polling interval of a device. A device that polls faster must wait 5 seconds longer.
    public var deviceInterval: Duration = .seconds(1)
    /// The lifetime of an access token.
    public var accessTokenLifetime: Duration = .seconds(3600)
    /// Whether the token response contains the lifetime.
    public var announcesLifetime = true
    /// The lifetime of a refresh token; `nil` for no limit.
    public var refreshTokenLifetime: Duration?
    /// Whether refresh tokens are single-use, and a second use revokes all tokens of the same login (RFC 9700, section 4.14.2).
    public var rotatesRefreshTokens = true
    /// The time in which a used refresh token may be used again, for clients that lost the response.
    public var reuseLeeway: Duration = .zero
    /// The token type in responses.
    public var tokenType = "Bearer"

    /// Deviations from the protocols.
    public var oddities = MockOAuth2Oddities()

    /// Returns the current time.
    public var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// The source of codes and tokens.
    public var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// Creates strict options, as RFC 9700 recommends.
    public init() {}
}

extension MockOAuth2Options: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The clients and the names of the users. Passwords are not shown.
    public var description: String { "MockOAuth2Options(clients: \(clients), users: \(users.keys.sorted()), redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["clients": clients, "users": users.keys.sorted()]) }
}
