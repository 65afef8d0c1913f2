public import Foundation
import HTTPTypes
import Synchronization

/// A server with HTTP Digest authentication, written from RFC 7616: `qop=auth`, with a nonce for each challenge.
public final class MockDigest: Sendable {
    /// The counts of a mock server.
    public struct Statistics: Sendable, Hashable {
        /// Requests that were answered with 401.
        public var challenges = 0
        /// The part of ``challenges`` with a correct password and a stale nonce.
        public var stale = 0
        /// Requests that were answered with data.
        public var answered = 0
        /// All requests.
        public var sends = 0
    }

    /// A hash function that the server offers.
    public enum Algorithm: String, Sendable, CaseIterable {
        case sha256 = "SHA-256"
        case md5 = "MD5"
    }

    /// The realm of every resource.
    public static let realm = "mock"

    /// The URL of the server.
    public let url: URL
    private let backend: Backend

    /// Starts a server, runs `body` with it, and stops it.
    ///
    /// - Parameters:
    ///   - users: The users' names and passwords.
    ///   - algorithms: The offered algorithms, in this order.
    ///   - body: The code that uses the server.
    public static func run<Value>(
        users: [String: String], algorithms: [Algorithm] = [.sha256, .md5], _ body: (MockDigest) async throws -> Value
    ) async throws -> Value {
        let backend = Backend(users: users, algorithms: algorithms)
        return try await MockServer.run(with: backend.gates, answer: { await backend.answer($0) }) { url in
            try await body(MockDigest(url: url, backend: backend))
        }
    }

    private init(url: URL, backend: Backend) {
        self.url = url
        self.backend = backend
    }

    /// The counts since the start or the last reset.
    public var statistics: Statistics { backend.state.withLock { $0.statistics } }

    /// Resets all counts to zero.
    public func resetStatistics() { backend.state.withLock { $0.statistics = Statistics() } }

    /// Returns the current password of a user; `nil` for an unknown user.
    public func password(of user: String) -> String? { backend.state.withLock { $0.users[user] } }

    /// Changes the password of every user.
    public func changePasswords() {
        backend.state.withLock { state in state.users = state.users.mapValues { _ in Token.make() } }
    }

    /// Invalidates all nonces.
    public func forgetNonces() { backend.state.withLock { $0.nonces = [:] } }

    /// Holds requests until a number of them have arrived.
    public func hold(until count: Int, limit: Duration = .seconds(30)) -> MockGate {
        backend.gates.hold(.any, until: count, limit: limit)
    }
}

/// Answers requests.
private final class Backend: Sendable {
    struct State {
        var users: [String: String]
        /// The issued nonces, each with the nonce counts that were used.
        var nonces: [String: Set<String>] = [:]
        var statistics = MockDigest.Statistics()
    }

    /// The result of checking the `Authorization` field.
    private enum Proof {
        case none, stale, right
    }

    let gates = MockGates()
    let state: Mutex<State>
    private let algorithms: [MockDigest.Algorithm]

    init(users: [String: String], algorithms: [MockDigest.Algorithm]) {
        self.algorithms = algorithms
        state = Mutex(State(users: users))
    }

    func answer(_ request: MockRequest) async -> MockResponse {
        await gates.pass(request.path)
        return state.withLock { state in
            state.statistics.sends += 1
            let proof = proof(of: request, &state)
            if proof == .right {
                state.statistics.answered += 1
                return .text("data\n", status: .ok)
            }
            state.statistics.challenges += 1
            if proof == .stale { state.statistics.stale += 1 }
            return challenge(isStale: proof == .stale, &state)
        }
    }

    private func challenge(isStale: Bool, _ state: inout State) -> MockResponse {
        let nonce = Token.make()
        state.nonces[nonce] = []
        var response = MockResponse.text("unauthorized\n", status: .unauthorized)
        for algorithm in algorithms {
            let stale = isStale ? ", stale=true" : ""
            let value =
                "Digest realm=\"\(MockDigest.realm)\", qop=\"auth\", algorithm=\(algorithm.rawValue), charset=UTF-8, nonce=\"\(nonce)\"\(stale)"
            response.fields.append(HTTPField(name: .wwwAuthenticate, value: value))
        }
        return response
    }

    /// Checks the answer to a challenge, and notes its nonce count.
    private func proof(of request: MockRequest, _ state: inout State) -> Proof {
        guard let answer = DigestAnswer(request), answer.realm == MockDigest.realm, algorithms.contains(answer.algorithm),
            let password = state.users[answer.user], answer.isMade(with: password)
        else { return .none }
        // A repeated nonce count indicates a replayed request.
        guard state.nonces[answer.nonce]?.insert(answer.count).inserted == true else { return .stale }
        return .right
    }
}
