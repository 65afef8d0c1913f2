import Synchronization

/// What a mock authorization server has counted.
public struct MockOAuth2Statistics: Sendable, Hashable {
    /// Good requests at the authorization endpoint.
    public var authorizationRequests = 0
    /// Requests there that were refused, on a page or by a redirect.
    public var refusedAuthorizationRequests = 0
    /// The scopes that good requests there have named, in their order; `nil` for one that has named none.
    public var scopesOfRequests: [String?] = []
    /// Good requests there without a `state`.
    public var requestsWithoutState = 0
    /// Good requests there with a `state` that another had before.
    public var repeatedStates = 0
    /// Good requests there with a code challenge that another had before.
    public var repeatedChallenges = 0
    /// Login forms that were shown, those after a wrong password included.
    public var loginForms = 0
    /// Posted login forms with a wrong user name or password.
    public var wrongPasswords = 0
    /// Logins that the user called off.
    public var denials = 0
    /// Codes that were given out.
    public var authorizations = 0

    /// Answers with the metadata or the keys of an OpenID provider.
    public var publications = 0
    /// Requests that were pushed (RFC 9126) and found good.
    public var pushes = 0
    /// Clients that have proved who they are by a token that they have signed.
    public var assertions = 0
    /// Proofs of possession (RFC 9449) that were good.
    public var proofs = 0
    /// Clients that have registered themselves.
    public var registrations = 0
    /// Codes of devices that were given out.
    public var deviceAuthorizations = 0

    /// Requests at the token endpoint by what they ask for, also those that a fault befell or that were refused.
    public var tokenRequests: [MockOAuth2Client.Grant: Int] = [:]
    /// Token answers that were made, also those that were lost on the way.
    public var tokenAnswers: [MockOAuth2Client.Grant: Int] = [:]
    /// Refusals of the token, the revocation and the introspection endpoint, by their error code.
    public var refusals: [String: Int] = [:]
    /// Refresh tokens that came again after they were used, each of which revoked all that came of their login.
    public var refreshTokenReuses = 0
    /// Codes that came again after they were redeemed, likewise.
    public var codeReuses = 0
    /// Users who have agreed to a logout on the page for that.
    public var logouts = 0
    /// Tokens that a client revoked.
    public var revocations = 0
    /// Questions of clients that may ask what a token is good for, whether or not it was.
    public var introspections = 0

    /// Requests for resources that were answered with the resource.
    public var resources = 0
    /// Requests for resources without a good token.
    public var challenges = 0
    /// Requests for resources with a good token of too little scope.
    public var scopeRefusals = 0
    /// Requests for resources with a good token of a user who has not authenticated as they want it (RFC 9470).
    public var authenticationRefusals = 0
    /// Requests with an access token in their address, where it does not belong.
    public var tokensInAddresses = 0

    /// Nothing counted.
    public init() {}

    /// How many token answers to a refresh token were made.
    public var refreshes: Int { tokenAnswers[.refreshToken] ?? 0 }
}

/// Where the parts of an authorization server count.
final class OAuth2Recorder: Sendable {
    private let statistics = Mutex(MockOAuth2Statistics())

    var current: MockOAuth2Statistics { statistics.withLock { $0 } }

    func reset() { statistics.withLock { $0 = MockOAuth2Statistics() } }

    func count(_ change: (inout MockOAuth2Statistics) -> Void) {
        statistics.withLock { change(&$0) }
    }
}
