import Countersign
public import Foundation
import HTTPTypes
import Synchronization

/// A web application with a form login for users and a JSON-RPC login for programs. Both create a session cookie.
///
/// - `/login` has the form. Its page sets a cookie and has a matching hidden input, both of which must be sent with the form. The
///   response to a wrong password is status 200 with the form, to a correct one a redirect.
/// - `POST /logout` ends the session.
/// - `/rpc` is a JSON-RPC service. All responses have status 200; a call without a session returns an error with code 1.
///   `auth.login` has a password as its parameter, and returns `true` or `false`.
/// - Without a session, paths below `/api/` return 401, and other paths redirect to the form.
public final class MockFormLogin: Sendable {
    /// The counts of a mock server.
    public struct Statistics: Sendable, Hashable {
        /// Requests for resources, and calls, without a session.
        public var challenges = 0
        /// Requests for resources, and calls, that were answered with data.
        public var answered = 0
        /// All requests for resources, and all calls but logins.
        public var sends = 0
        /// Form pages that were shown.
        public var forms = 0
        /// Logins, by the form or by a call.
        public var logins = 0
        /// Logins that were refused.
        public var refusals = 0
        /// Sessions that a logout has ended.
        public var logouts = 0

        /// Creates statistics with zero counts.
        public init() {}
    }

    /// The URL of the application.
    public let url: URL
    private let backend: Backend

    /// The URL of the form.
    public var loginURL: URL { url.appending(path: "login") }
    /// The URL that ends a session.
    public var logoutURL: URL { url.appending(path: "logout") }
    /// The URL of the JSON-RPC service.
    public var serviceURL: URL { url.appending(path: "rpc") }

    /// Starts a server, runs `body` with it, and stops it.
    ///
    /// - Parameters:
    ///   - users: The users' names and passwords. JSON-RPC accepts the password of any user.
    ///   - hasForm: Whether the form can be loaded; otherwise `/login` accepts only a `POST` without a hidden input.
    ///   - body: The code that uses the server.
    public static func run<Result>(
        users: [String: String] = ["alice": "wonderland"], hasForm: Bool = true, _ body: (MockFormLogin) async throws -> Result
    ) async throws -> Result {
        let backend = Backend(users: users, hasForm: hasForm)
        return try await MockServer.run(path: "", with: backend.gates, answer: { await backend.answer($0) }) { url in
            try await body(MockFormLogin(url: url, backend: backend))
        }
    }

    private init(url: URL, backend: Backend) {
        self.url = url
        self.backend = backend
    }

    /// The counts since the start or the last reset.
    public var statistics: Statistics { backend.state.withLock { $0.statistics } }

    /// The requests since the start or the last reset.
    public var requests: [ReceivedRequest] { backend.state.withLock { $0.requests } }

    /// Resets all counts to zero.
    public func resetStatistics() {
        backend.state.withLock { state in
            state.statistics = Statistics()
            state.requests = []
        }
    }

    /// Invalidates all sessions.
    public func forgetSessions() { backend.state.withLock { $0.sessions = [] } }

    /// Changes the session cookie with each response from now on, and accepts each only once.
    public func rotateSessions() { backend.state.withLock { $0.isRotating = true } }

    /// Limits the lifetime of cookies to a number of seconds from now on.
    public func limitCookies(toSeconds seconds: Int) { backend.state.withLock { $0.lifetime = "; Max-Age=\(seconds)" } }

    /// Holds requests for resources, and calls, until a number of them have arrived.
    public func hold(until count: Int, limit: Duration = .seconds(30)) -> MockGate {
        backend.gates.hold(.any, until: count, limit: limit)
    }
}

/// Answers requests.
private final class Backend: Sendable {
    struct State {
        var sessions: Set<String> = []
        /// The hidden inputs of the displayed forms, by the cookie values of the browsers.
        var forms: [String: String] = [:]
        var isRotating = false
        var lifetime = ""
        var statistics = MockFormLogin.Statistics()
        var requests: [ReceivedRequest] = []
    }

    let gates = MockGates()
    let state = Mutex(State())
    private let users: [String: String]
    private let hasForm: Bool

    init(users: [String: String], hasForm: Bool) {
        self.users = users
        self.hasForm = hasForm
    }

    func answer(_ request: MockRequest) async -> MockResponse {
        switch (request.method, request.path) {
        case (.get, "/login") where hasForm: state.withLock { noting(request, &$0, showForm) }
        case (.post, "/login"): state.withLock { noting(request, &$0, logIn) }
        case (_, "/login"): .notAllowed(allow: "POST")
        case (.post, "/logout"): state.withLock { noting(request, &$0, logOut) }
        case (.post, "/rpc") where Call(request)?.method == "auth.login": state.withLock { noting(request, &$0, call) }
        default: await serve(request)
        }
    }

    private func noting(
        _ request: MockRequest, _ state: inout State, _ answer: (MockRequest, inout State) -> MockResponse
    ) -> MockResponse {
        state.requests.append(ReceivedRequest(request))
        return answer(request, &state)
    }

    // MARK: Resources

    private func serve(_ request: MockRequest) async -> MockResponse {
        await gates.pass(request.path)
        return state.withLock { state in
            noting(request, &state) { request, state in
                state.statistics.sends += 1
                let isCall = request.path == "/rpc"
                guard let session = request.cookieValues("SID").first(where: state.sessions.contains) else {
                    state.statistics.challenges += 1
                    // Like many applications, it creates a session cookie before the login.
                    return demand(isCall, request.path).settingCookie("SID", to: "nobody")
                }
                state.statistics.answered += 1
                let answer = isCall ? Self.json(#"{"id":1,"result":["data"],"error":null}"#) : .text("data\n", status: .ok)
                guard state.isRotating else { return answer }
                state.sessions.remove(session)
                return begin(answer, &state)
            }
        }
    }

    private func demand(_ isCall: Bool, _ path: String) -> MockResponse {
        if isCall { return Self.json(#"{"id":1,"result":null,"error":{"code":1,"message":"Not authenticated"}}"#) }
        return path.hasPrefix("/api/") ? .text("Forbidden\n", status: .unauthorized) : .redirect(to: "/login?next=\(path)")
    }

    // MARK: Logins

    private func showForm(_ request: MockRequest, _ state: inout State) -> MockResponse {
        state.statistics.forms += 1
        return form(saying: "", &state)
    }

    private func form(saying message: String, _ state: inout State) -> MockResponse {
        let (visitor, token) = (Token.make(), "\(Token.make())&\"<")
        state.forms[visitor] = token
        return MockResponse.page(
            """
            <!doctype html><title>Log in</title><p>\(message)</p>
            <!-- <input type="hidden" name="csrf_token" value="a comment"> -->
            <form method="post"><input type=hidden name='csrf_token' value="\(token.escapedForMarkup)"><input name="username">
            <input name="password" type="password"><button>Log in</button></form>
            """
        ).settingCookie("visitor", to: visitor)
    }

    private func logIn(_ request: MockRequest, _ state: inout State) -> MockResponse {
        guard let form = request.form, mayBeSent(form, by: request, &state) else {
            state.statistics.refusals += 1
            return .text("This form has expired.\n", status: .badRequest)
        }
        guard let user = form["username"], let password = form["password"], users[user] == password else {
            state.statistics.refusals += 1
            return hasForm ? self.form(saying: "Fails.", &state) : .text("Fails.", status: .ok)
        }
        state.statistics.logins += 1
        return begin(hasForm ? .redirect(to: "/") : .text("Ok.", status: .ok), &state)
    }

    /// Whether the form was shown to the browser that submits it, and was not submitted before.
    private func mayBeSent(_ form: FormFields, by request: MockRequest, _ state: inout State) -> Bool {
        guard hasForm else { return true }
        guard let visitor = request.cookieValues("visitor").first, let token = state.forms.removeValue(forKey: visitor) else {
            return false
        }
        return form["csrf_token"] == token
    }

    private func call(_ request: MockRequest, _ state: inout State) -> MockResponse {
        guard let password = Call(request)?.params.first, users.values.contains(password) else {
            state.statistics.refusals += 1
            return Self.json(#"{"id":1,"result":false,"error":null}"#)
        }
        state.statistics.logins += 1
        return begin(Self.json(#"{"id":1,"result":true,"error":null}"#), &state)
    }

    private func logOut(_ request: MockRequest, _ state: inout State) -> MockResponse {
        for session in request.cookieValues("SID") where state.sessions.remove(session) != nil { state.statistics.logouts += 1 }
        return .redirect(to: "/login")
    }

    private func begin(_ response: MockResponse, _ state: inout State) -> MockResponse {
        let session = Token.make()
        state.sessions.insert(session)
        return response.settingCookie("SID", to: session, lifetime: state.lifetime)
    }

    private static func json(_ text: String) -> MockResponse {
        MockResponse(status: .ok, fields: [.contentType: "application/json"], body: text.utf8)
    }
}

/// A JSON-RPC call.
private struct Call: Decodable {
    let method: String
    let params: [String]

    init?(_ request: MockRequest) {
        guard let call = request.json(Call.self) else { return nil }
        self = call
    }
}
