// Described and known behaviour
//
// A mock that took everything from the description would reproduce every mistake in it: a client generated from a wrong spec
// would pass its tests against the mock and fail against the real server. So the mock has two sources:
//
// - The landscape's description: the methods, the status and the header fields of the (first) challenge, the URLs of the launcher
//   and of the finish, and the names of the session cookie and of the login form's fields. A landscape chooses these freely, so
//   no protocol could prove them wrong.
// - Swift code in `WebLogin/`, which never reads a description: when a request is challenged, that the launcher starts a login
//   without a session and ends it with one, the browser's path between the two servers, single use and lifetimes, the attributes
//   of cookies, and that each of the two servers receives only its own cookies.
//
// For a server with its own documentation, some of the described values are known as well. `ServerRules` contains them and takes
// precedence over the description: the URLs of the launcher, the finish, the token endpoint and the logout, and the header fields
// of a challenge. A spec with another launcher, or with a rule that does not match this finish, fails against such a mock as it
// would against the real server. Rules are passed to `MockLandscape.start`. A landscape that extends another does not inherit its
// rules.

/// The known behaviour of a server, from its own documentation and not from a spec.
///
/// A landscape's testing module has its rules as a constant, with which its mock is started: `MockLandscape.start(landscape, rules:
/// rules)`.
public struct ServerRules: Sendable {
    /// The path of the page that starts a web login; `nil` for the described one.
    public var launcherPath: String?
    /// The redirect target of the launcher for a browser with a session, as a path with query; `nil` for the described finish.
    public var finish: String?
    /// The paths where `POST` and `DELETE` end the session.
    public var logoutPaths: Set<String>
    /// The subset of ``logoutPaths`` that also revokes all refresh tokens of the user.
    public var revokingLogoutPaths: Set<String>
    /// The paths of an authorization server; `nil` for the described ones.
    public var oauth2Paths: MockOAuth2Options.Paths?
    /// The header field of API keys; `nil` for the described one.
    public var apiKeyField: String?
    /// The page that asks for a one-time passcode; `nil` for the described one.
    public var passcodeForm: PasscodeForm?
    /// The challenges by method name. A method that is not listed has the described challenge.
    public var challenges: [String: Challenge]
    /// The additional servers.
    package var services: [any MockServiceOptions] = []

    /// A page that asks for a one-time passcode.
    public struct PasscodeForm: Sendable, Hashable {
        /// The path.
        public var path: String
        /// The redirect target after a valid code, as a path with query.
        public var finish: String
        /// The query items without which the page redirects to the originally requested URL and not to the finish.
        public var stay: [String: String]
        /// The URL that opens an authenticator app, for a link below the form's field; `nil` for no link.
        public var authenticator: String?

        /// Creates a page.
        public init(path: String, finish: String, stay: [String: String] = [:], authenticator: String? = nil) {
            self.path = path
            self.finish = finish
            self.stay = stay
            self.authenticator = authenticator
        }
    }

    /// A challenge of a server.
    public struct Challenge: Sendable, Hashable {
        /// The status of the response.
        public var status: Int
        /// The header fields by name.
        public var fields: [String: String]

        /// Creates a challenge.
        public init(status: Int, fields: [String: String]) {
            self.status = status
            self.fields = fields
        }
    }

    /// Makes rules.
    public init(
        launcherPath: String? = nil, finish: String? = nil, logoutPaths: Set<String> = [],
        revokingLogoutPaths: Set<String> = [], oauth2Paths: MockOAuth2Options.Paths? = nil, apiKeyField: String? = nil,
        passcodeForm: PasscodeForm? = nil, challenges: [String: Challenge] = [:]
    ) {
        self.passcodeForm = passcodeForm
        self.oauth2Paths = oauth2Paths
        self.apiKeyField = apiKeyField
        self.launcherPath = launcherPath
        self.finish = finish
        self.logoutPaths = logoutPaths
        self.revokingLogoutPaths = revokingLogoutPaths
        self.challenges = challenges
    }

    /// No rules beyond the description.
    public static let described = ServerRules()
}
