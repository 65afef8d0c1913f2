public import Countersign
public import Foundation

/// A landscape as a real server for tests: HTTP on 127.0.0.1, with its own port.
///
/// It is created from the constant of a generated module, with one line in a test:
///
/// ```swift
/// try await MockLandscape.run(.cityLibrary, rules: .described) { mock in
///     let (data, _) = try await session.data(from: mock.baseURL.appending(path: "loans"))
///     #expect(mock.statistics.logins == 1)
/// }
/// ```
///
/// Every path is a protected resource, which answers with a ``MockResource``, except the pages of the methods. The identity
/// provider has the same port and another host name. Mocks share no state. ``ServerRules`` describes what comes from the
/// landscape's description and what does not.
public final class MockLandscape: Sendable {
    /// The landscape.
    public let landscape: Landscape
    /// The URL of the service provider, without a trailing slash.
    public let baseURL: URL
    /// The URL of the identity provider: the same port, another host.
    public let identityProviderURL: URL
    /// The methods with their parameters filled in for this mock.
    public let methods: [MethodDescription]

    /// The pin of the servers' key; `nil` without TLS.
    public let publicKeyPin: PublicKeyPin?

    let site: MockSite
    private let server: MockServer

    private init(
        landscape: Landscape, hosts: MockHosts, methods: [MethodDescription], site: MockSite, server: MockServer,
        publicKeyPin: PublicKeyPin?
    ) {
        self.publicKeyPin = publicKeyPin
        self.landscape = landscape
        baseURL = hosts.serviceProvider
        identityProviderURL = hosts.identityProvider
        self.methods = methods
        self.site = site
        self.server = server
    }

    deinit { site.gates.openAll() }
}

extension MockLandscape {
    /// Starts the servers of a landscape. ``stop()`` stops them.
    ///
    /// - Parameters:
    ///   - landscape: The landscape.
    ///   - rules: The known behaviour of the servers, independent of the description; `.described` for servers without known rules,
    ///     which then reproduce every mistake of the description.
    ///   - options: The behaviour of the servers where the description leaves a choice.
    /// - Throws: ``MockLandscapeError`` if the landscape has a method without mock support; the system's error if no port is
    ///   available.
    public static func start(
        _ landscape: Landscape, rules: ServerRules, options: MockOptions = MockOptions()
    ) async throws -> MockLandscape {
        let tls = try options.certificates.map(MockTLS.init)
        let (server, (hosts, methods, site)) = try await MockServer.start(tls: tls) { port in
            let hosts = MockHosts(port: port, scheme: tls == nil ? "http" : "https")
            let methods = landscape.methods(hosts.serviceProvider).filter { tls != nil || $0.credential != .clientCertificate }
            let recorder = MockRecorder()
            let servers = try methods.map { method throws(MockLandscapeError) -> any MethodServer in
                if let name = options.signatures[method.name], !method.challenges.contains(where: { $0.name == name }) {
                    throw .unknownSignature(method: method.name, name: name)
                }
                if let server = try WebLoginServer(method, hosts: hosts, options: options, rules: rules, recorder: recorder) {
                    return server
                }
                if let server = PasscodeServer(method, hosts: hosts, options: options, rules: rules, recorder: recorder) {
                    return server
                }
                if let server = TokenServer(method, hosts: hosts, options: options, rules: rules) { return server }
                if let server = CertificateServer(method, options: options) { return server }
                if let server = BasicServer(method, options: options, recorder: recorder) { return server }
                guard let server = APIKeyServer(method, options: options, rules: rules, recorder: recorder) else {
                    throw .unknownKind(method: method.name)
                }
                return server
            }
            guard !servers.isEmpty else { throw MockLandscapeError.noMethods }
            let methodServers = MethodServers(servers, protection: options.protection)
            let context = MockServiceContext(hosts: hosts, options: options, methods: methodServers, recorder: recorder)
            let site = MockSite(
                servers: methodServers, hosts: hosts, rules: rules, faults: FaultPlan(), gates: MockGates(), recorder: recorder,
                services: try (rules.services + options.services).compactMap { try $0.makeService(in: context) })
            return ((hosts, methods, site), { await site.respond(to: $0) })
        }
        return MockLandscape(
            landscape: landscape, hosts: hosts, methods: methods, site: site, server: server, publicKeyPin: tls?.pin)
    }

    /// Starts the servers, runs `body` with them, and stops them, also if `body` throws.
    @discardableResult
    public static func run<Result>(
        _ landscape: Landscape, rules: ServerRules, options: MockOptions = MockOptions(),
        _ body: (MockLandscape) async throws -> Result
    ) async throws -> Result {
        let mock = try await start(landscape, rules: rules, options: options)
        do {
            let result = try await body(mock)
            await mock.stop()
            return result
        } catch {
            await mock.stop()
            throw error
        }
    }

    /// Closes the port and all connections. Held requests are released.
    public func stop() async {
        site.gates.openAll()
        await server.stop()
    }
}

extension MockLandscape {
    /// The counts since the start or the last reset.
    public var statistics: MockStatistics {
        var statistics = site.recorder.current
        // Only the first authorization server is counted, because counts do not distinguish methods.
        if let counted = tokenServers.first?.routes.server.recorder.current { statistics.oauth2 = counted }
        return statistics
    }

    /// Resets all counts to zero.
    public func resetStatistics() {
        site.recorder.reset()
        for server in tokenServers { server.routes.server.recorder.reset() }
        for service in site.services { service.resetStatistics() }
    }

    /// Injects a fault into the next requests.
    ///
    /// Each request has at most one fault: the earliest remaining one for its path.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - path: The requests.
    ///   - times: The number of faulty responses; `.max` for all.
    public func inject(_ fault: MockFault, matching path: MockPath = .any, times: Int = 1) {
        site.faults.add(fault, path: path, times: times)
    }

    /// Removes all remaining faults.
    public func removeFaults() {
        site.faults.removeAll()
        for service in site.services { service.removeFaults() }
        for server in tokenServers {
            server.routes.tokenFaults.removeAll()
            server.routes.callbackFaults.removeAll()
        }
    }

    /// Holds requests until `count` of them have arrived, then answers all.
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

    /// Ends all sessions at the service provider, like a restart. Users stay signed in at the identity provider.
    public func endAllSessions() {
        site.sessions.endAll()
        for method in site.methods { method.endAllSessions() }
    }

    /// Returns an additional server by its type; `nil` if neither the rules nor the options have it.
    package func service<Service: MockService>(_ type: Service.Type) -> Service? {
        site.services.lazy.compactMap { $0 as? Service }.first
    }
}

/// The reason why a mock landscape cannot be started.
public enum MockLandscapeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The landscape has no method.
    case noMethods
    /// The options name a signature that the method does not have.
    case unknownSignature(method: String, name: String)
    /// The mock does not support the value of a key in the method's spec.
    ///
    /// - Parameters:
    ///   - method: The method's name in its spec.
    ///   - key: The key, from the method's file on, such as `acquire.present.open`.
    ///   - reason: The reason, and the supported alternative.
    case unplayable(method: String, key: String, reason: String)
    /// There is no mock server for this kind of method.
    case unknownKind(method: String)
    /// The options have a server that requires access tokens, and no method issues them.
    case noTokens

    public var description: String {
        switch self {
        case .unknownSignature(let method, let name): "\(method) has no challenge '\(name)'."
        case .unplayable(let method, let key, let reason): "The mock does not support '\(key)' of '\(method)': \(reason)."
        case .noMethods: "The landscape has no method, so nothing can be served."
        case .unknownKind(let method):
            """
            The mock has no server for '\(method)'; it supports methods with a 'present' step and session cookies, methods with \
            grants that obtain tokens, and the credentials 'basic', 'api-key' and, over TLS, 'client-certificate'.
            """
        case .noTokens: "A server in the options requires access tokens, but no method of the landscape obtains them."
        }
    }
}
