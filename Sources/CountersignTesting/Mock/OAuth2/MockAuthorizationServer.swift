public import Foundation
import HTTPTypes

/// An OAuth 2.0 authorization server with the resources that it guards, on this machine, for tests: HTTP, or HTTPS, on 127.0.0.1, on a port of its
/// own.
///
/// ```swift
/// try await MockAuthorizationServer.run { server in
///     // An app signs in at server.authorizationEndpoint and server.tokenEndpoint, as MockOAuth2Client.app.
///     server.expireAccessTokens()
///     #expect(server.statistics.refreshes == 1)
/// }
/// ```
///
/// It keeps to RFC 6749, 6750, 7009, 7523, 7636, 7662, 8252, 8628, 8693, 9126, 9207, 9449, 9470 and 9700, and is strict where they leave a choice: what a client gets away with
/// here it gets away with elsewhere. Codes and tokens hold characters that have to be escaped in a form. Every address that is no
/// endpoint is a protected resource, which answers with a ``MockResource``.
public final class MockAuthorizationServer: Sendable {
    /// The address of the server, without a slash at its end, which is also its issuer identifier.
    public let baseURL: URL
    /// Where a browser is sent to sign in.
    public let authorizationEndpoint: URL
    /// Where tokens come from.
    public let tokenEndpoint: URL
    /// Where tokens are taken back.
    public let revocationEndpoint: URL
    /// Where services ask what tokens are good for (RFC 7662).
    public let introspectionEndpoint: URL
    /// Where a device gets its codes (RFC 8628).
    public let deviceEndpoint: URL

    private let site: Site
    private let server: MockServer

    /// What a request is answered with.
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
    /// Starts a server; ``stop()`` ends it.
    ///
    /// - Parameters:
    ///   - options: How it behaves.
    ///   - certificates: Has it speak TLS, and take certificates of clients; `nil` for HTTP.
    /// - Throws: The system's error if no port can be had.
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

    /// Starts a server, runs `body` with it, and stops it, also when `body` throws.
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

    /// Closes the port and all connections; requests that are held back are let go.
    public func stop() async {
        site.gates.openAll()
        await server.stop()
    }
}

extension MockAuthorizationServer {
    /// What has been counted since the start, or since the last reset.
    public var statistics: MockOAuth2Statistics { site.routes.server.recorder.current }

    /// Counts from zero again.
    public func resetStatistics() { site.routes.server.recorder.reset() }

    /// Lets time pass for the server, so that what it gave out grows old.
    public func advance(by duration: Duration) { site.routes.server.advance(by: duration) }

    /// Makes all access tokens expire that were given out; refresh tokens stay good.
    public func expireAccessTokens() { site.routes.server.expireAccessTokens() }

    /// Revokes all codes and tokens, and forgets who is signed in.
    public func endAllSessions() { site.routes.endAllSessions() }

    /// Makes the next token requests go wrong.
    ///
    /// A request meets one fault at most: the first that was injected, is for its grant, and is left.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong.
    ///   - grant: Which requests; `nil` is every one.
    ///   - times: How often; `.max` is for ever.
    public func inject(_ fault: MockTokenFault, for grant: MockOAuth2Client.Grant? = nil, times: Int = 1) {
        site.routes.tokenFaults.add(fault, times: times) { grant == nil || $0 == grant }
    }

    /// Makes the next addresses wrong that the authorization endpoint sends browsers back to.
    ///
    /// - Parameters:
    ///   - fault: What is wrong.
    ///   - times: How often; `.max` is for ever.
    public func inject(_ fault: MockCallbackFault, times: Int = 1) {
        site.routes.callbackFaults.add(fault, times: times) { true }
    }

    /// Makes the next answers of the introspection endpoint wrong.
    public func inject(_ fault: MockIntrospectionFault, times: Int = 1) {
        site.routes.introspectionFaults.add(fault, times: times) { true }
    }

    /// Makes the next ID tokens wrong.
    public func inject(_ fault: MockIDTokenFault, times: Int = 1) {
        site.routes.server.openID?.tokenFaults.add(fault, times: times) { true }
    }

    /// Makes wrong what the server publishes the next times.
    public func inject(_ fault: MockPublicationFault, times: Int = 1) {
        site.routes.server.openID?.publicationFaults.add(fault, times: times) { place in
            switch fault {
            case .metadata, .metadataStatus: place == "metadata"
            case .keysStatus, .keys, .hugeKeys: place == "keys"
            case .resource: place == "resource"
            }
        }
    }

    /// Signs ID tokens with another key from now on, and publishes no other.
    public func rotateKeys() { site.routes.server.openID?.rotateKeys() }

    /// An access token of a user, as another client would have been given it: what a service is called with.
    public func makeAccessToken(for user: String, scopes: [String]) -> String {
        site.routes.server.makeAccessToken(for: user, scopes: scopes)
    }

    /// Does what a user does who types the code of a device on the page for that.
    ///
    /// - Parameters:
    ///   - userCode: The code; capitals and hyphens do not matter.
    ///   - user: Who allows the device what it asks for; `nil` if it is not allowed.
    /// - Returns: Whether a device waits with that code.
    @discardableResult
    public func settle(userCode: String, by user: String?) -> Bool {
        site.routes.server.settle(userCode: userCode, by: user)
    }

    /// Takes back all faults that are left.
    public func removeFaults() {
        site.routes.tokenFaults.removeAll()
        site.routes.callbackFaults.removeAll()
        site.routes.introspectionFaults.removeAll()
        site.routes.server.openID?.tokenFaults.removeAll()
        site.routes.server.openID?.publicationFaults.removeAll()
    }

    /// Holds requests back until `count` of them have arrived, or until the gate is opened, then answers all.
    ///
    /// - Parameters:
    ///   - path: Which requests.
    ///   - count: How many.
    ///   - limit: How long to wait for another, from the first on. A look is taken each time it has passed, so that a gate that waits in
    ///     vain opens within twice as long.
    /// - Returns: The gate, which tells afterwards whether all arrived.
    @discardableResult
    public func hold(_ path: MockPath, until count: Int, limit: Duration = .seconds(10)) -> MockGate {
        let gate = MockGate(path: path, count: count, limit: limit)
        site.gates.add(gate)
        return gate
    }
}

extension MockResponse {
    /// A resource that says who asked for it, and how.
    fileprivate static func resource(for user: String, _ request: MockRequest) -> MockResponse {
        let resource = MockResource(
            user: user, method: request.method.rawValue, path: request.path, bodyLength: request.bodyLength)
        guard let body = try? JSONEncoder().encode(resource) else { return .text("no JSON\n", status: .internalServerError) }
        return MockResponse(
            status: .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: Array(body))
    }
}

extension MockAuthorizationServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address.
    public var description: String { "MockAuthorizationServer(\(baseURL.absoluteString), redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["baseURL": baseURL]) }
}
