public import Foundation
import HTTPTypes
import Synchronization

/// A container registry and its token server, written from the distribution project's documentation.
///
/// A request without a sufficient token is answered with 401 and a `Bearer` challenge that names the token server, the service and
/// the scope. The token server accepts HTTP Basic or anonymous requests, and grants the permitted part of the scope: everyone may
/// pull below `public/`, users may pull everything and push below their own name.
public final class MockRegistry: Sendable {
    /// The counts of a mock server.
    public struct Statistics: Sendable, Hashable {
        /// Requests to the registry that were answered with 401.
        public var challenges = 0
        /// Requests to the registry that were answered with data.
        public var answered = 0
        /// Issued tokens by requested scope.
        public var tokens: [String: Int] = [:]
        /// Requests to the token server with a wrong password.
        public var refused = 0
        /// All requests to the registry.
        public var sends = 0
    }

    /// The URL of the registry.
    public let url: URL
    /// The URL of the token server, at another origin.
    public let tokenServer: URL
    private let backend: Backend

    /// Starts both servers, runs `body` with them, and stops them.
    ///
    /// - Parameters:
    ///   - users: The users' names and passwords.
    ///   - lifetime: The lifetime of tokens in seconds.
    ///   - body: The code that uses the servers.
    public static func run<Result>(
        users: [String: String], lifetime: Int = 300, _ body: (MockRegistry) async throws -> Result
    ) async throws -> Result {
        let backend = Backend(users: users, lifetime: lifetime)
        return try await MockServer.run(with: backend.gates, answer: { backend.issue($0) }) { tokenServer in
            backend.state.withLock { $0.realm = "\(tokenServer)token" }
            return try await MockServer.run(with: backend.gates, answer: { await backend.serve($0) }) { url in
                try await body(MockRegistry(url: url, tokenServer: tokenServer, backend: backend))
            }
        }
    }

    private init(url: URL, tokenServer: URL, backend: Backend) {
        self.url = url
        self.tokenServer = tokenServer
        self.backend = backend
    }

    /// The counts since the start or the last reset.
    public var statistics: Statistics { backend.state.withLock { $0.statistics } }

    /// Resets all counts to zero.
    public func resetStatistics() { backend.state.withLock { $0.statistics = Statistics() } }

    /// Invalidates all issued tokens.
    public func forgetTokens() { backend.state.withLock { $0.grants = [:] } }

    /// Sends this text as the realm (the token server's URL) from now on.
    public func sendAsRealm(_ text: String) { backend.state.withLock { $0.realm = text } }

    /// Holds requests to the registry until a number of them have arrived.
    public func hold(until count: Int, limit: Duration = .seconds(30)) -> MockGate {
        backend.gates.hold(.any, until: count, limit: limit)
    }
}

/// Answers requests to both servers.
private final class Backend: Sendable {
    struct State {
        var realm = ""
        /// The granted actions by token.
        var grants: [String: Set<String>] = [:]
        var statistics = MockRegistry.Statistics()
    }

    static let service = "mock-registry"

    let gates = MockGates()
    let state = Mutex(State())
    private let users: [String: String]
    private let lifetime: Int

    init(users: [String: String], lifetime: Int) {
        self.users = users
        self.lifetime = lifetime
    }

    /// Answers a request to the registry.
    func serve(_ request: MockRequest) async -> MockResponse {
        // The registry can name itself as the token server.
        if request.path == "/token" { return issue(request) }
        await gates.pass(request.path)
        return state.withLock { state in
            state.statistics.sends += 1
            let scope = Self.scope(of: request)
            let token = request.fields[.authorization].flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
            if let token, let granted = state.grants[token], scope.map({ Self.actions($0).isSubset(of: granted) }) ?? true {
                state.statistics.answered += 1
                return MockResponse(status: .ok, fields: [.contentType: "application/json"], body: "{}".utf8)
            }
            state.statistics.challenges += 1
            var challenge = "Bearer realm=\"\(state.realm)\",service=\"\(Self.service)\""
            if let scope { challenge += ",scope=\"\(scope)\"" }
            if let token { challenge += state.grants[token] == nil ? ",error=\"invalid_token\"" : ",error=\"insufficient_scope\"" }
            var response = MockResponse.text(#"{"errors":[{"code":"UNAUTHORIZED"}]}"#, status: .unauthorized)
            response.fields[.wwwAuthenticate] = challenge
            return response
        }
    }

    /// Answers a request to the token server.
    func issue(_ request: MockRequest) -> MockResponse {
        guard request.path == "/token", let query = request.queryFields, query["service"] == Self.service else {
            return .text("unknown service\n", status: .badRequest)
        }
        let user: String?
        switch login(request) {
        case .anonymous: user = nil
        case .user(let name): user = name
        case .refused:
            state.withLock { $0.statistics.refused += 1 }
            var response = MockResponse.text("wrong password\n", status: .unauthorized)
            response.fields[.wwwAuthenticate] = #"Basic realm="mock-registry""#
            return response
        }
        let scope = query["scope"] ?? ""
        let granted = Self.actions(scope).filter { Self.mayHave($0, user) }
        let token = (0..<32).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
        state.withLock { state in
            state.grants[token] = granted
            state.statistics.tokens[scope, default: 0] += 1
        }
        return MockResponse(
            status: .ok, fields: [.contentType: "application/json"],
            body: #"{"token":"\#(token)","access_token":"\#(token)","expires_in":\#(lifetime)}"#.utf8)
    }

    private enum Login { case anonymous, user(String), refused }

    private func login(_ request: MockRequest) -> Login {
        guard request.fields[.authorization] != nil else { return .anonymous }
        guard let (user, password) = request.basicCredentials, users[user] == password else { return .refused }
        return .user(user)
    }

    /// Returns the required scope of a request: `repository:NAME:pull`, or `pull,push` for a write; `nil` for the root.
    private static func scope(of request: MockRequest) -> String? {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count > 3, parts[0] == "v2" else { return nil }
        let name = parts[1...2].joined(separator: "/")
        return "repository:\(name):\(request.method == .get || request.method == .head ? "pull" : "pull,push")"
    }

    /// Splits a scope into one `repository:NAME:ACTION` per action.
    private static func actions(_ scope: String) -> Set<String> {
        let parts = scope.split(separator: ":").map(String.init)
        guard parts.count == 3 else { return [] }
        return Set(parts[2].split(separator: ",").map { "\(parts[0]):\(parts[1]):\($0)" })
    }

    private static func mayHave(_ action: String, _ user: String?) -> Bool {
        let parts = action.split(separator: ":")
        if parts[1].hasPrefix("public/"), parts[2] == "pull" { return true }
        guard let user else { return false }
        return parts[2] == "pull" || parts[1].hasPrefix("\(user)/")
    }
}
