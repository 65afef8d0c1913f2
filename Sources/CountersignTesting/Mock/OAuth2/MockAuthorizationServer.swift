public import Foundation
import HTTPTypes

/// An OAuth 2.0 authorization server with protected resources for tests: HTTP or HTTPS on 127.0.0.1, with its own port.
///
/// ```swift
/// try await MockAuthorizationServer.run { server in
///     // An app signs in at server.authorizationEndpoint and server.tokenEndpoint, as MockOAuth2Client.app.
///     server.expireAccessTokens()
///     #expect(server.statistics.refreshes == 1)
/// }
/// ```
///
/// It implements RFC 6749, 6750, 7009, 7523, 7636, 7662, 8252, 8628, 8693, 9126, 9207, 9449, 9470 and 9700, and is strict where
/// they leave a choice. Codes and tokens contain characters that must be escaped in forms. Every path that is not an endpoint is a
/// protected resource, which answers with a ``MockResource``.
public final class MockAuthorizationServer: Sendable {
    /// The URL of the server, without a trailing slash, which is also its issuer identifier.
    public let baseURL: URL
    /// The authorization endpoint.
    public let authorizationEndpoint: URL
    /// The token endpoint.
    public let tokenEndpoint: URL
    /// The revocation endpoint (RFC 7009).
    public let revocationEndpoint: URL
    /// The introspection endpoint (RFC 7662).
    public let introspectionEndpoint: URL
    /// The device authorization endpoint (RFC 8628).
    public let deviceEndpoint: URL

    private let site: Site
    private let server: MockServer

    /// Answers requests to the server's host.
    private struct Site: Sendable {
        let routes: OAuth2Routes
        let gates = MockGates()
        let authority: String

        func respond(to request: MockRequest) async -> MockResponse {
            guard request.authority == authority else { return .text("no such host\n", status: .misdirectedRequest) }
            await gates.pass(request.path)
            if let answer = await routes.respond(to: request) { return answer }
            switch routes.resources.decide(on: request) {
            case .refused(let response): return response
            case .user(let user):
                routes.server.recorder.count { $0.resources += 1 }
                return .resource(for: user, request)
            }
        }
    }

    private init(baseURL: URL, site: Site, server: MockServer) {
        self.baseURL = baseURL
        let paths = site.routes.server.options.paths
        authorizationEndpoint = baseURL.appending(path: paths.authorize)
        tokenEndpoint = baseURL.appending(path: paths.token)
        revocationEndpoint = baseURL.appending(path: paths.revoke)
        introspectionEndpoint = baseURL.appending(path: paths.introspect)
        deviceEndpoint = baseURL.appending(path: paths.device)
        self.site = site
        self.server = server
    }

    deinit { site.gates.openAll() }
}

extension MockAuthorizationServer {
    /// Starts a server. ``stop()`` stops it.
    ///
    /// - Parameters:
    ///   - options: The options of the server.
    ///   - certificates: The options of TLS with client certificates; `nil` for HTTP.
    /// - Throws: The system's error if no port is available.
    public static func start(
        options: MockOAuth2Options = MockOAuth2Options(), certificates: MockCertificateOptions? = nil
    ) async throws -> MockAuthorizationServer {
        let tls = try certificates.map(MockTLS.init)
        let (server, (url, site)) = try await MockServer.start(tls: tls) { port in
            let url = MockHosts(port: port, scheme: tls == nil ? "http" : "https").serviceProvider
            let authority = MockHosts.authority(url)
            let site = Site(
                routes: OAuth2Routes(AuthorizationServer(options: options, address: url.absoluteString)), authority: authority)
            return ((url, site), { await site.respond(to: $0) })
        }
        return MockAuthorizationServer(baseURL: url, site: site, server: server)
    }

    /// Starts a server, runs `body` with it, and stops it, also if `body` throws.
    @discardableResult
    public static func run<Result>(
        options: MockOAuth2Options = MockOAuth2Options(), certificates: MockCertificateOptions? = nil,
        _ body: (MockAuthorizationServer) async throws -> Result
    ) async throws -> Result {
        let server = try await start(options: options, certificates: certificates)
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Closes the port and all connections. Held requests are released.
    public func stop() async {
        site.gates.openAll()
        await server.stop()
    }
}

extension MockAuthorizationServer {
    /// The counts since the start or the last reset.
    public var statistics: MockOAuth2Statistics { site.routes.server.recorder.current }

    /// Resets all counts to zero.
    public func resetStatistics() { site.routes.server.recorder.reset() }

    /// Advances the server's time, so that issued codes and tokens age.
    public func advance(by duration: Duration) { site.routes.server.advance(by: duration) }

    /// Expires all issued access tokens. Refresh tokens stay valid.
    public func expireAccessTokens() { site.routes.server.expireAccessTokens() }

    /// Revokes all codes and tokens, and ends all users' sessions.
    public func endAllSessions() { site.routes.endAllSessions() }

    /// Injects a fault into the next token requests.
    ///
    /// Each request has at most one fault: the earliest remaining one for its grant.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - grant: The grant of the requests; `nil` for all.
    ///   - times: The number of faulty responses; `.max` for all.
    public func inject(_ fault: MockTokenFault, for grant: MockOAuth2Client.Grant? = nil, times: Int = 1) {
        site.routes.tokenFaults.add(fault, times: times) { grant == nil || $0 == grant }
    }

    /// Injects a fault into the next redirects of the authorization endpoint.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - times: The number of faulty redirects; `.max` for all.
    public func inject(_ fault: MockCallbackFault, times: Int = 1) {
        site.routes.callbackFaults.add(fault, times: times) { true }
    }

    /// Injects a fault into the next responses of the introspection endpoint.
    public func inject(_ fault: MockIntrospectionFault, times: Int = 1) {
        site.routes.introspectionFaults.add(fault, times: times) { true }
    }

    /// Injects a fault into the next ID tokens.
    public func inject(_ fault: MockIDTokenFault, times: Int = 1) {
        site.routes.server.openID?.tokenFaults.add(fault, times: times) { true }
    }

    /// Injects a fault into the next published documents.
    public func inject(_ fault: MockPublicationFault, times: Int = 1) {
        site.routes.server.openID?.publicationFaults.add(fault, times: times) { place in
            switch fault {
            case .metadata, .metadataStatus: place == "metadata"
            case .keysStatus, .keys, .hugeKeys: place == "keys"
            case .resource: place == "resource"
            }
        }
    }

    /// Replaces the signing key of ID tokens. Only the new key is published.
    public func rotateKeys() { site.routes.server.openID?.rotateKeys() }

    /// Returns an access token of a user, as issued to another client, for requests to a service.
    public func makeAccessToken(for user: String, scopes: [String]) -> String {
        site.routes.server.makeAccessToken(for: user, scopes: scopes)
    }

    /// Submits the code of a device on the verification page as a user.
    ///
    /// - Parameters:
    ///   - userCode: The code. Case and hyphens are ignored.
    ///   - user: The user who authorizes the device; `nil` to deny it.
    /// - Returns: Whether a device waits for that code.
    @discardableResult
    public func settle(userCode: String, by user: String?) -> Bool {
        site.routes.server.settle(userCode: userCode, by: user)
    }

    /// Removes all remaining faults.
    public func removeFaults() {
        site.routes.tokenFaults.removeAll()
        site.routes.callbackFaults.removeAll()
        site.routes.introspectionFaults.removeAll()
        site.routes.server.openID?.tokenFaults.removeAll()
        site.routes.server.openID?.publicationFaults.removeAll()
    }

    /// Holds requests until `count` of them have arrived or the gate is opened, then answers all.
    ///
    /// - Parameters:
    ///   - path: The requests.
    ///   - count: The number of requests.
    ///   - limit: The time limit for the next request. It is checked periodically, so the gate opens after at most twice this time
    ///     without a request.
    /// - Returns: The gate, which has the number of requests that arrived.
    @discardableResult
    public func hold(_ path: MockPath, until count: Int, limit: Duration = .seconds(30)) -> MockGate {
        site.gates.hold(path, until: count, limit: limit)
    }
}

extension MockResponse {
    /// Returns a resource with the user and the properties of the request.
    fileprivate static func resource(for user: String, _ request: MockRequest) -> MockResponse {
        let resource = MockResource(
            user: user, method: request.method.rawValue, path: request.path, bodyLength: request.bodyLength)
        guard let body = try? JSONEncoder().encode(resource)
        else { return .text("cannot encode JSON\n", status: .internalServerError) }
        return MockResponse(
            status: .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: Array(body))
    }
}

extension MockAuthorizationServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL.
    public var description: String { "MockAuthorizationServer(\(baseURL.absoluteString), redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["baseURL": baseURL]) }
}
