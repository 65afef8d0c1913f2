@_spi(Generated) package import Countersign
import Crypto
package import Foundation
import HTTPTypes
import Synchronization

/// A server with the Negotiate scheme (RFC 4559), and the client side of its security mechanism.
///
/// Since Kerberos needs a realm, the mock has a mechanism of one leg, in which both sides prove knowledge of a key.
package final class MockNegotiate: Sendable {
    /// The counts of a mock server.
    package struct Statistics: Sendable, Hashable {
        /// Requests that were answered with 401.
        package var challenges = 0
        /// All requests.
        package var sends = 0
    }

    /// The URL of the server.
    package let url: URL
    private let backend: Backend

    /// Starts a server, runs `body` with it, and stops it.
    package static func run<Value>(_ body: (MockNegotiate) async throws -> Value) async throws -> Value {
        let backend = Backend()
        return try await MockServer.run(with: backend.gates, answer: { await backend.answer($0) }) { url in
            try await body(MockNegotiate(url: url, backend: backend))
        }
    }

    private init(url: URL, backend: Backend) {
        self.url = url
        self.backend = backend
    }

    /// Creates the client side of security contexts with this server.
    package var contexts: any SecurityContextMaking { MockMechanism(key: backend.key) }

    /// The counts since the start or the last reset.
    package var statistics: Statistics { backend.state.withLock { $0.statistics } }

    /// Resets all counts to zero.
    package func resetStatistics() { backend.state.withLock { $0.statistics = Statistics() } }

    /// Holds requests until a number of them have arrived.
    package func hold(until count: Int, limit: Duration = .seconds(30)) -> MockGate {
        backend.gates.hold(.any, until: count, limit: limit)
    }
}

/// Answers requests.
private final class Backend: Sendable {
    struct State {
        /// The nonces of previous contexts, by which a replayed token is detected.
        var nonces: Set<[UInt8]> = []
        var statistics = MockNegotiate.Statistics()
    }

    let gates = MockGates()
    let key = SymmetricKey(size: .bits256)
    let state = Mutex(State())

    func answer(_ request: MockRequest) async -> MockResponse {
        await gates.pass(request.path)
        return state.withLock { state in
            state.statistics.sends += 1
            guard let proof = proof(for: request, &state) else {
                state.statistics.challenges += 1
                var response = MockResponse.text("unauthorized\n", status: .unauthorized)
                response.fields[.wwwAuthenticate] = "Negotiate"
                return response
            }
            var response = MockResponse.text("data\n", status: .ok)
            response.fields[.wwwAuthenticate] = "Negotiate \(Data(proof).base64EncodedString())"
            return response
        }
    }

    /// Returns the token that authenticates the server to the client; `nil` if the client is not authenticated.
    private func proof(for request: MockRequest, _ state: inout State) -> [UInt8]? {
        guard let field = request.fields[.authorization], field.hasPrefix("Negotiate "),
            let token = Data(base64Encoded: String(field.dropFirst(10))).map(Array.init), token.count == 64
        else { return nil }
        let nonce = Array(token.prefix(32))
        guard MockMechanism.isProof(token.suffix(32), of: "HTTP@127.0.0.1", nonce, with: key),
            state.nonces.insert(nonce).inserted
        else { return nil }
        return MockMechanism.proof(of: "server", nonce, with: key)
    }
}

/// The client side of the mechanism: a nonce with a proof, to which the server responds with its own proof.
private struct MockMechanism: SecurityContextMaking {
    let key: SymmetricKey

    func makeContext(
        for service: String, as principal: String?, bindings: [UInt8]?, mechanisms: SecurityMechanisms
    ) async throws -> any SecurityContext {
        Context(service: service, key: key)
    }

    static func proof(of name: String, _ nonce: [UInt8], with key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: nonce + Array(name.utf8), using: key))
    }

    static func isProof(_ code: some Sequence<UInt8>, of name: String, _ nonce: [UInt8], with key: SymmetricKey) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(Data(code), authenticating: nonce + Array(name.utf8), using: key)
    }

    private struct Context: SecurityContext {
        let service: String
        let key: SymmetricKey
        let nonce = SymmetricKey(size: .bits256).withUnsafeBytes(Array.init)

        func next(after token: [UInt8]?) async throws -> SecurityContextStep {
            guard let token else {
                return SecurityContextStep(token: nonce + proof(of: service, nonce, with: key), isComplete: false)
            }
            guard isProof(token, of: "server", nonce, with: key) else {
                throw SecurityContextError(.serverNotProven, detail: "the server does not know the key")
            }
            return SecurityContextStep(token: nil, isComplete: true)
        }
    }
}
