// What is described, and what is the server's own
//
// A mock that read everything from the description would agree with every mistake in it: a client generated from a wrong spec would pass
// its tests here and fail at the real server. So the mock keeps two kinds of knowledge apart:
//
// - Described, and taken from the landscape as it is: which methods there are, the status and the fields of the (first) challenge, the
//   addresses of the launcher and of the finish, the name of the session cookie and of the login form's fields. These are the names a
//   landscape chooses; no protocol could say that they are wrong.
// - The server's own, written in Swift in `WebLogin/` and never read from a description: when a request is challenged, that the launcher
//   begins a login without a session and ends it with one, the browser's way between the two servers, what is valid once only and how
//   long, which flags cookies carry, and that each of the two servers gets its own cookies alone.
//
// For a server that is documented elsewhere some of the first kind is known as well. `ServerRules` holds it, and it wins over the
// description: where the launcher is, where it ends a login, where tokens are asked for, where sessions end, which fields a challenge has.
// A spec with another launcher or with a rule that does not match this finish fails against such a mock as it would fail at the server.
// Rules are given to `MockLandscape.start`: a landscape that extends another has those of the other only if the test says so.

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
