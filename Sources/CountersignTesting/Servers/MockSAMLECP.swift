public import Foundation
import Synchronization

/// A service provider and an identity provider with the Enhanced Client or Proxy profile of SAML 2.0, written from the profile
/// (version 2.0) and the Reverse HTTP Binding for SOAP.
///
/// - At the service provider, `POST /paos` receives responses of the identity provider, and every other request is for a resource.
///   Without a session, the response is status 200 with a SOAP message for the identity provider if the client announces the
///   profile in `Accept` and `PAOS`, otherwise 403. `/paos` accepts one response per request, with the unchanged `RelayState`, and
///   returns a redirect and a cookie.
/// - At the identity provider, `POST /ecp` accepts the unchanged request of the service provider, with HTTP Basic authentication.
///
/// There are no XML signatures. Instead, each server compares the other's messages character by character, except for namespace
/// declarations, which a client has to add.
public final class MockSAMLECP: Sendable {
    /// The counts of a mock server.
    public struct Statistics: Sendable, Hashable {
        /// Requests for resources that were answered with an authentication request.
        public var challenges = 0
        /// Requests for resources that were answered with 403, because the client did not announce the profile.
        public var unannounced = 0
        /// Requests for resources that were answered with data.
        public var answered = 0
        /// All requests for resources.
        public var sends = 0
        /// Requests that the identity provider answered with an assertion.
        public var assertions = 0
        /// Requests that the identity provider refused because of the user name or password.
        public var refusals = 0
        /// Responses that the service provider accepted.
        public var logins = 0
        /// SOAP faults that were sent to the service provider.
        public var faults = 0
        /// Messages that a server rejected because they are invalid or were changed.
        public var rejections = 0

        /// Creates statistics with zero counts.
        public init() {}
    }

    /// Unusual behaviour of a server that clients must handle.
    public enum Oddity: Sendable, Hashable, CaseIterable {
        /// The identity provider's response has another assertion consumer.
        case otherConsumer
        /// The service provider names an assertion consumer at the origin of the identity provider.
        case foreignConsumer
        /// The service provider's message has a document type declaration.
        case documentType
        /// The service provider's message has no request for the identity provider.
        case noRequest
        /// The service provider's message exceeds 64 KiB.
        case longChallenge
        /// The service provider's message has no `RelayState`, which is optional.
        case noRelayState
        /// The messages have unusual prefixes, a default namespace for the protocol, and header blocks in another order.
        case unusualPrefixes
        /// The response has comments, CDATA sections, references, and characters beyond ASCII.
        case unusualText
        /// The identity provider answers with an HTML page in place of SOAP, as some do for errors.
        case page
        /// The service provider no longer knows its own requests when it receives the responses.
        case forgottenRequests
        /// The service provider refuses all sessions.
        case refusedSessions
    }

    /// The URL of the service provider.
    public let url: URL
    /// The URL of the identity provider's ECP endpoint.
    public let identityProviderURL: URL
    private let backend: MockSAMLECPBackend

    /// Starts both servers, runs `body` with them, and stops them.
    ///
    /// - Parameters:
    ///   - users: The users' names and passwords.
    ///   - refusesByStatusOfSAML: Whether the response to a wrong password is status 200 with a SAML error status, as with some
    ///     identity providers; otherwise 401.
    ///   - oddity: The unusual behaviour; `nil` for none.
    ///   - body: The code that uses the servers.
    public static func run<Result>(
        users: [String: String] = ["alice": "wonderland"], refusesByStatusOfSAML: Bool = false, oddity: Oddity? = nil,
        _ body: (MockSAMLECP) async throws -> Result
    ) async throws -> Result {
        let backend = MockSAMLECPBackend(users: users, refusesByStatusOfSAML: refusesByStatusOfSAML, oddity: oddity)
        return try await MockServer.run(path: "/ecp", with: backend.gates, answer: { backend.identify($0) }) {
            identityProviderURL in
            try await MockServer.run(with: backend.gates, answer: { await backend.serve($0) }) { url in
                backend.state.withLock { state in
                    state.identityProvider = identityProviderURL.absoluteString
                    state.consumer = "\(url.absoluteString)paos"
                }
                return try await body(MockSAMLECP(url: url, identityProviderURL: identityProviderURL, backend: backend))
            }
        }
    }

    private init(url: URL, identityProviderURL: URL, backend: MockSAMLECPBackend) {
        self.url = url
        self.identityProviderURL = identityProviderURL
        self.backend = backend
    }

    /// The counts since the start or the last reset.
    public var statistics: Statistics { backend.state.withLock { $0.statistics } }

    /// The requests to both servers since the start or the last reset.
    public var requests: [ReceivedRequest] { backend.state.withLock { $0.requests } }

    /// Resets all counts to zero.
    public func resetStatistics() {
        backend.state.withLock { state in
            state.statistics = Statistics()
            state.requests = []
        }
    }

    /// Invalidates all sessions of the service provider.
    public func forgetSessions() { backend.state.withLock { $0.sessions = [] } }

    /// Holds requests for resources until a number of them have arrived.
    public func hold(until count: Int, limit: Duration = .seconds(30)) -> MockGate {
        backend.gates.hold(.any, until: count, limit: limit)
    }
}
