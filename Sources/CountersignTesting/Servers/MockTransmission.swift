public import Foundation
import HTTPTypes
import Synchronization

/// The RPC interface of the BitTorrent client Transmission, written from its documentation and from the responses of version 3.00.
///
/// A request without the current session identifier is answered with 409 and the identifier in `X-Transmission-Session-Id`. If a
/// password is set, a request without it is first answered with 401.
public final class MockTransmission: Sendable {
    /// The counts of a mock server.
    public struct Statistics: Sendable, Hashable {
        /// Requests that were answered with 401.
        public var unauthorized = 0
        /// Requests that were answered with 409.
        public var conflicts = 0
        /// Requests that were answered with data.
        public var answered = 0
        /// All requests.
        public var sends = 0

        /// Creates statistics with zero counts.
        public init() {}
    }

    /// The path of the interface.
    public static let path = "/transmission/rpc"

    /// The URL of the interface.
    public let url: URL
    private let backend: Backend

    /// Starts a server, runs `body` with it, and stops it.
    ///
    /// - Parameters:
    ///   - users: The users' names and passwords; an empty dictionary disables authentication.
    ///   - body: The code that uses the server.
    public static func run<Result>(
        users: [String: String] = [:], _ body: (MockTransmission) async throws -> Result
    ) async throws -> Result {
        let backend = Backend(users: users)
        return try await MockServer.run(path: path, with: backend.gates, answer: { await backend.answer($0) }) { url in
            try await body(MockTransmission(url: url, backend: backend))
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

    /// Changes the session identifier, as the server does about once an hour. The previous one becomes invalid.
    public func changeSession() { backend.state.withLock { $0.session = Backend.makeSession() } }

    /// Changes the session identifier with each response, so that none is ever valid.
    public func changeSessionAlways() { backend.state.withLock { $0.isRestless = true } }

    /// Sends this text in place of a session identifier.
    public func sendAsSession(_ text: String) { backend.state.withLock { $0.session = text } }

    /// Holds requests until a number of them have arrived.
    public func hold(until count: Int, limit: Duration = .seconds(30)) -> MockGate {
        backend.gates.hold(.any, until: count, limit: limit)
    }
}

/// Answers requests.
private final class Backend: Sendable {
    struct State {
        var session: String
        var isRestless = false
        var statistics = MockTransmission.Statistics()
    }

    let gates = MockGates()
    let state: Mutex<State>
    private let users: [String: String]

    init(users: [String: String]) {
        self.users = users
        state = Mutex(State(session: Self.makeSession()))
    }

    /// Returns a session identifier of 48 letters and digits.
    static func makeSession() -> String {
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return String((0..<48).map { _ in characters[Int.random(in: characters.indices)] })
    }

    func answer(_ request: MockRequest) async -> MockResponse {
        await gates.pass(request.path)
        return state.withLock { state in
            state.statistics.sends += 1
            guard request.path == MockTransmission.path else { return .text("not found\n", status: .notFound) }
            guard users.isEmpty || isKnown(request) else {
                state.statistics.unauthorized += 1
                var response = MockResponse.text("<h1>401: Unauthorized</h1>\n", status: .unauthorized)
                response.fields[.wwwAuthenticate] = "Basic realm=\"Transmission\""
                return response
            }
            if state.isRestless { state.session = Self.makeSession() }
            guard request.fields[.session] == state.session else {
                state.statistics.conflicts += 1
                var response = MockResponse.text("<h1>409: Conflict</h1>\n", status: .conflict)
                response.fields[.session] = state.session
                return response
            }
            state.statistics.answered += 1
            return MockResponse(
                status: .ok, fields: [.contentType: "application/json"],
                body: #"{"arguments":{"version":"3.00"},"result":"success"}"#.utf8)
        }
    }

    private func isKnown(_ request: MockRequest) -> Bool {
        request.basicCredentials.map { users[$0.user] == $0.password } ?? false
    }
}

extension HTTPField.Name {
    fileprivate static let session = HTTPField.Name(constant: "X-Transmission-Session-Id")
}
