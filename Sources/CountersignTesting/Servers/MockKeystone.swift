public import Foundation
import Synchronization

/// An OpenStack cloud with the Identity service (Keystone, API v3) and another service, written from the Identity service's
/// documentation and from Keystone's responses.
///
/// `POST /v3/auth/tokens` accepts a password, a one-time passcode (RFC 6238), or both, and returns 201 with the token in
/// `X-Subject-Token`. If a user with two factors sends only one, the response is 401 without a challenge, with a receipt in
/// `Openstack-Auth-Receipt`; the next request carries the receipt in the same field, and the other factor. `DELETE` revokes a
/// token. Users, projects and domains are identified by name only.
///
/// Every other path of the Identity service, and every path of the other service, is a resource. Without a valid token in
/// `X-Auth-Token` the response is 401 with a `Keystone` challenge that names the Identity service.
public final class MockKeystone: Sendable {
    /// The counts of a mock server.
    public struct Statistics: Sendable, Hashable {
        /// Requests for resources that were answered with 401.
        public var challenges = 0
        /// Requests for resources that were answered with data.
        public var answered = 0
        /// All requests for resources.
        public var sends = 0
        /// Token requests that returned a token.
        public var logins = 0
        /// Token requests that returned a receipt.
        public var receipts = 0
        /// Token requests that were refused.
        public var refusals = 0
        /// All token requests.
        public var tokenRequests = 0
        /// Tokens that were revoked.
        public var revocations = 0

        /// Creates statistics with zero counts.
        public init() {}
    }

    /// The TOTP secret of the user `mfa`, in Base32.
    public static let totpSecret = "NRQWE43FMNZGK5DMMFRHGZLDOJSXIMJS"

    /// The URL of the Identity service, including `/v3`.
    public let identityURL: URL
    /// The URL of the other service, at another origin.
    public let url: URL
    private let backend: MockKeystoneBackend

    /// Starts both servers, runs `body` with them, and stops them.
    ///
    /// - Parameters:
    ///   - users: The users' names and passwords, in the domain `Default`.
    ///   - totpSecrets: The TOTP secrets of users with a second factor, in Base32, by user name.
    ///   - projects: The names of the projects, in the same domain.
    ///   - lifetime: The lifetime of tokens, which end at full seconds.
    ///   - body: The code that uses the servers.
    /// - Throws: An error that names the user if a TOTP secret is not Base32; an error of `body`.
    public static func run<Result>(
        users: [String: String] = ["alice": "wonderland", "mfa": "wonderland"],
        totpSecrets: [String: String] = ["mfa": MockKeystone.totpSecret], projects: Set<String> = ["demo"],
        lifetime: Duration = .seconds(3600), _ body: (MockKeystone) async throws -> Result
    ) async throws -> Result {
        let backend = try MockKeystoneBackend(users: users, totpSecrets: totpSecrets, projects: projects, lifetime: lifetime)
        return try await MockServer.run(path: "/v3", with: backend.gates, answer: { await backend.identify($0) }) { identityURL in
            backend.state.withLock { $0.identityURL = identityURL.absoluteString }
            return try await MockServer.run(with: backend.gates, answer: { await backend.serve($0) }) { url in
                try await body(MockKeystone(identityURL: identityURL, url: url, backend: backend))
            }
        }
    }

    private init(identityURL: URL, url: URL, backend: MockKeystoneBackend) {
        self.identityURL = identityURL
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

    /// Invalidates all issued tokens.
    public func forgetTokens() { backend.state.withLock { $0.tokens = [:] } }

    /// Returns the current passcode of a user; `nil` for a user without a second factor.
    public func passcode(of user: String) -> String? { backend.passcodes[user]?.code(at: Date()) }

    /// Holds requests for resources until a number of them have arrived.
    public func hold(until count: Int, limit: Duration = .seconds(30)) -> MockGate {
        backend.gates.hold(.any, until: count, limit: limit)
    }
}
