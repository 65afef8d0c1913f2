import Synchronization

/// The counts of a mock authorization server.
public struct MockOAuth2Statistics: Sendable, Hashable {
    /// Valid authorization requests.
    public var authorizationRequests = 0
    /// Authorization requests that were refused, on a page or by a redirect.
    public var refusedAuthorizationRequests = 0
    /// The scopes of valid authorization requests in order; `nil` for a request without scopes.
    public var scopesOfRequests: [String?] = []
    /// The parameters of valid authorization requests in order, by name; those of a pushed request as they were pushed.
    public var authorizationParameters: [[String: String]] = []
    /// Valid authorization requests without a `state`.
    public var requestsWithoutState = 0
    /// Valid authorization requests with a `state` that was used before.
    public var repeatedStates = 0
    /// Valid authorization requests with a code challenge that was used before.
    public var repeatedChallenges = 0
    /// Login forms that were shown, including those after a wrong password.
    public var loginForms = 0
    /// Submitted login forms with a wrong user name or password.
    public var wrongPasswords = 0
    /// Logins that the user cancelled.
    public var denials = 0
    /// Issued codes.
    public var authorizations = 0

    /// Responses with the metadata or the keys of an OpenID provider.
    public var publications = 0
    /// Valid pushed authorization requests (RFC 9126).
    public var pushes = 0
    /// Client authentications by a signed assertion.
    public var assertions = 0
    /// Valid DPoP proofs (RFC 9449).
    public var proofs = 0
    /// Dynamic client registrations.
    public var registrations = 0
    /// Issued device codes.
    public var deviceAuthorizations = 0

    /// Token requests by grant, including refused and faulty ones.
    public var tokenRequests: [MockOAuth2Client.Grant: Int] = [:]
    /// Token responses by grant, including lost ones.
    public var tokenAnswers: [MockOAuth2Client.Grant: Int] = [:]
    /// Error responses of the token, revocation and introspection endpoints, by error code.
    public var refusals: [String: Int] = [:]
    /// Refresh tokens that were used again, each of which revoked all tokens of its login.
    public var refreshTokenReuses = 0
    /// Codes that were used again, each of which revoked all tokens of its login.
    public var codeReuses = 0
    /// Logouts that users confirmed on the logout page, or that an ID token made unnecessary to confirm.
    public var logouts = 0
    /// Logouts of users whom an ID token in the form of the request identified (`id_token_hint`).
    public var hintedLogouts = 0
    /// Logout requests with an ID token in the URL.
    public var logoutHintsInAddresses = 0
    /// Tokens that a client has revoked.
    public var revocations = 0
    /// Introspection requests of allowed clients, for active and inactive tokens.
    public var introspections = 0

    /// Requests for resources that were answered with the resource.
    public var resources = 0
    /// Requests for resources without a valid token.
    public var challenges = 0
    /// Requests for resources with a valid token of insufficient scope.
    public var scopeRefusals = 0
    /// Requests for resources with a valid token of insufficient user authentication (RFC 9470).
    public var authenticationRefusals = 0
    /// Requests with an access token in the URL.
    public var tokensInAddresses = 0

    /// Creates statistics with zero counts.
    public init() {}

    /// The number of token responses in the refresh token grant.
    public var refreshes: Int { tokenAnswers[.refreshToken] ?? 0 }
}

/// The recorder of an authorization server's counts.
final class OAuth2Recorder: Sendable {
    private let statistics = Mutex(MockOAuth2Statistics())

    var current: MockOAuth2Statistics { statistics.withLock { $0 } }

    func reset() { statistics.withLock { $0 = MockOAuth2Statistics() } }

    func count(_ change: (inout MockOAuth2Statistics) -> Void) {
        statistics.withLock { change(&$0) }
    }
}
