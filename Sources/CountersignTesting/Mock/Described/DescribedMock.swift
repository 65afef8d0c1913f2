public import Countersign
public import Foundation
public import HTTPTypes
import Synchronization

/// A landscape as a real server for tests, which plays the descriptions of methods: HTTP on 127.0.0.1, with its own port.
///
/// It serves each method that a spec describes, in one line of a test:
///
/// ```swift
/// try await DescribedMock.run { url in
///     ParcelSessionParameters(server: url)
/// } test: { mock, parameters in
///     session.register(ParcelSessionObserver(parameters: parameters, prompting: user))
///     let request = HTTPRequest(url: mock.url.appending(path: "parcels"))
///     let response = try await session.send(SessionRequest(request))
///     #expect(response.head.status == .ok && mock.statistics.logins == 1)
/// }
/// ```
///
/// The requests of a method's steps are answered as the spec describes a success: with each value that the client captures, and
/// with the refusal that the spec describes if a value is not the one that the mock has issued or accepts. Login pages sign the
/// user in at once. Every other path is protected: without a valid credential it answers with the challenge of the spec, otherwise
/// with a resource. The item of a list that a spec chooses by `where` comes after items that a client must not choose.
///
/// The mock only knows the spec, so it agrees with every mistake in it. Where there is a mock that was written from a server's
/// documentation, such as ``MockAuthorizationServer`` or ``MockLandscape`` with rules, use that.
///
/// Values that a client computes or asks for, such as a hash or a password, are accepted as they come, unless they are known: from a
/// parameter, or from `accepting`. Signatures of requests, such as those of AWS and DPoP proofs, must be present and name an issued
/// key, but are not verified. Methods that verify signed tokens, use client certificates or Kerberos, or show input that the server
/// describes are not supported.
public final class DescribedMock: Sendable {
    /// The methods that a protected request needs.
    public enum Requirement: Sendable, Hashable {
        /// The credential of any method. A request without one receives the challenge of the first method.
        case any
        /// The credentials of all methods. A request receives the challenge of the first method whose credential is absent.
        case all
    }

    /// The counts of a mock server.
    public struct Statistics: Sendable, Hashable {
        /// Protected requests that were answered with a challenge.
        public var challenges = 0
        /// Protected requests that were answered with a resource.
        public var resources = 0
        /// Responses to steps of `acquire` that contained a credential or a part of it.
        public var logins = 0
        /// Responses to steps of `renew` that contained a credential or a part of it.
        public var renewals = 0
        /// Requests of steps with a wrong value.
        public var refusals = 0
        /// Requests of `end`.
        public var logouts = 0
        /// All requests by path, without the query.
        public var sends: [String: Int] = [:]

        /// Creates statistics with zero counts.
        public init() {}
    }

    /// Returns the response to a protected request with a valid credential.
    public typealias Resource = @Sendable (_ request: HTTPRequest, _ body: [UInt8]) async -> (HTTPResponse, [UInt8])

    /// The URL of the server, without a trailing slash.
    public let url: URL
    private let site: DescribedSite
    private let server: MockServer

    private init(url: URL, site: DescribedSite, server: MockServer) {
        self.url = url
        self.site = site
        self.server = server
    }

    deinit { site.faulty.gates.openAll() }

    // MARK: Start and stop

    /// Starts a server. ``stop()`` stops it.
    ///
    /// - Parameters:
    ///   - requirement: The methods that a protected request needs.
    ///   - accepted: The accepted values by the names of parameters and of fields of prompts, such as `password`. Other values are
    ///     accepted as they come.
    ///   - resource: The response to a protected request; `nil` for `200` with the request's method and path as JSON.
    ///   - methods: Returns the methods of the server with this URL.
    /// - Throws: ``MockLandscapeError`` if a method is not supported, or if there is none; an error of `methods`; the system's
    ///   error if no port is available.
    public static func start(
        requiring requirement: Requirement = .any, accepting accepted: [String: String] = [:], resource: Resource? = nil,
        methods: @Sendable (URL) throws -> [any ProgramParameters]
    ) async throws -> DescribedMock {
        try await start(requiring: requirement, accepting: accepted, resource: resource) { url in
            try methods(url).map { parameters in (type(of: parameters).program, parameters.values) }
        }
    }

    /// Starts a server of programs with their values.
    package static func start(
        requiring requirement: Requirement = .any, accepting accepted: [String: String] = [:], resource: Resource? = nil,
        programs: @Sendable (URL) throws -> [(program: MethodProgram, values: [ProgramValue])]
    ) async throws -> DescribedMock {
        let (server, (url, site)) = try await MockServer.start { port in
            let url = URL(serverAt: port, path: "")
            let site = try DescribedSite(
                programs(url).map { try DescribedProgram($0.program, values: $0.values, accepting: accepted, at: url) },
                requirement, resource)
            return ((url, site), { await site.respond(to: $0) })
        }
        return DescribedMock(url: url, site: site, server: server)
    }

    /// Starts a server of one method, runs `test` with it, and stops the server, also if `test` throws.
    ///
    /// - Parameters:
    ///   - accepted: The accepted values by the names of parameters and of fields of prompts, such as `password`. Other values are
    ///     accepted as they come.
    ///   - resource: The response to a protected request; `nil` for `200` with the request's method and path as JSON.
    ///   - parameters: Returns the parameters of the method for the server with this URL.
    ///   - test: The code that uses the server.
    /// - Throws: As ``start(requiring:accepting:resource:methods:)``; errors of `test`.
    @discardableResult
    public static func run<Parameters: ProgramParameters, Result>(
        accepting accepted: [String: String] = [:], resource: Resource? = nil,
        _ parameters: @Sendable (URL) throws -> Parameters,
        test: (_ mock: DescribedMock, _ parameters: Parameters) async throws -> Result
    ) async throws -> Result {
        let mock = try await start(accepting: accepted, resource: resource) { [try parameters($0)] }
        return try await mock.stopped { try await test($0, try parameters($0.url)) }
    }

    /// Starts a server of several methods, runs `test` with it, and stops the server, also if `test` throws.
    ///
    /// - Parameters:
    ///   - requirement: The methods that a protected request needs.
    ///   - accepted: The accepted values by the names of parameters and of fields of prompts, such as `password`. Other values are
    ///     accepted as they come.
    ///   - resource: The response to a protected request; `nil` for `200` with the request's method and path as JSON.
    ///   - methods: Returns the parameters of the methods for the server with this URL.
    ///   - test: The code that uses the server.
    /// - Throws: As ``start(requiring:accepting:resource:methods:)``; errors of `test`.
    @discardableResult
    public static func run<Result>(
        requiring requirement: Requirement, accepting accepted: [String: String] = [:], resource: Resource? = nil,
        methods: @Sendable (URL) throws -> [any ProgramParameters], test: (_ mock: DescribedMock) async throws -> Result
    ) async throws -> Result {
        let mock = try await start(requiring: requirement, accepting: accepted, resource: resource, methods: methods)
        return try await mock.stopped(after: test)
    }

    /// Closes the port and all connections. Held requests are released.
    public func stop() async {
        site.faulty.gates.openAll()
        await server.stop()
    }

    private func stopped<Value>(after body: (DescribedMock) async throws -> Value) async throws -> Value {
        try await MockServer.stop([server], with: site.faulty.gates) { try await body(self) }
    }

    // MARK: Use

    /// The counts since the start or the last reset.
    public var statistics: Statistics { site.recorder.state.withLock { $0.statistics } }

    /// The requests since the start or the last reset.
    public var requests: [ReceivedRequest] { site.recorder.state.withLock { $0.requests } }

    /// Resets all counts to zero.
    public func resetStatistics() { site.recorder.state.withLock { $0 = DescribedRecorder.State() } }

    /// Invalidates the issued credentials, as after their lifetime. Clients can renew them if their method has a renewal, also if
    /// the renewal sends the credential itself.
    ///
    /// A credential that the mock has not issued, such as a password, stays valid.
    public func expireCredentials() { for server in site.servers { server.expire(all: false) } }

    /// Invalidates all that the mock has issued, so that clients have to log in again.
    public func endAllSessions() { for server in site.servers { server.expire(all: true) } }

    /// Answers the next protected request with a challenge, whatever it carries.
    ///
    /// - Parameters:
    ///   - name: The name of the challenge in the spec, with all its optional values.
    ///   - method: The name of the method; `nil` for the first with such a challenge.
    /// - Returns: Whether there is such a challenge, and the mock can send it.
    @discardableResult
    public func challengeNext(_ name: String, of method: String? = nil) -> Bool {
        site.servers.contains { (method == nil || $0.name == method) && $0.demand(name) }
    }

    /// Injects a fault into the next requests.
    ///
    /// Each request has at most one fault: the earliest remaining one for its path. ``MockFault/expiredSession`` ends all sessions.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - path: The requests.
    ///   - times: The number of faulty responses; `.max` for all.
    public func inject(_ fault: MockFault, matching path: MockPath = .any, times: Int = 1) {
        site.faulty.faults.add(fault, path: path, times: times)
    }

    /// Removes all remaining faults.
    public func removeFaults() { site.faulty.faults.removeAll() }

    /// Holds requests until `count` of them have arrived, then answers all.
    ///
    /// - Parameters:
    ///   - path: The requests.
    ///   - count: The number of requests.
    ///   - limit: The time limit for the next request.
    /// - Returns: The gate, which has the number of requests that arrived.
    @discardableResult
    public func hold(_ path: MockPath, until count: Int, limit: Duration = .seconds(30)) -> MockGate {
        site.faulty.gates.hold(path, until: count, limit: limit)
    }
}

/// The recorder of a described mock's requests and counts.
final class DescribedRecorder: Sendable {
    struct State {
        var statistics = DescribedMock.Statistics()
        var requests: [ReceivedRequest] = []
    }

    let state = Mutex(State())

    func count(_ change: (inout DescribedMock.Statistics) -> Void) { state.withLock { change(&$0.statistics) } }
}

/// Answers every request of a described mock.
private final class DescribedSite: Sendable {
    let faulty = FaultySite(faults: FaultPlan(), gates: MockGates())
    let servers: [DescribedServer]
    let recorder = DescribedRecorder()
    private let requirement: DescribedMock.Requirement
    private let resource: DescribedMock.Resource?

    init(
        _ programs: [DescribedProgram], _ requirement: DescribedMock.Requirement, _ resource: DescribedMock.Resource?
    ) throws(MockLandscapeError) {
        guard !programs.isEmpty else { throw .noMethods }
        self.requirement = requirement
        self.resource = resource
        servers = try programs.map { [recorder] program throws(MockLandscapeError) in
            try DescribedServer(program, recorder: recorder)
        }
    }

    func respond(to request: MockRequest) async -> MockResponse {
        recorder.state.withLock { state in
            state.statistics.sends[request.path, default: 0] += 1
            state.requests.append(ReceivedRequest(request))
        }
        return await faulty.respond(
            to: request, endingSession: { for server in servers { server.expire(all: true) } },
            challenge: { challenge(by: servers[0]) }, answer: answer)
    }

    private func answer(_ request: MockRequest) async -> MockResponse {
        for server in servers { if let response = server.answer(request) { return response } }
        for server in servers {
            guard let response = server.nextDemand() else { continue }
            recorder.count { $0.challenges += 1 }
            return response
        }
        let lacking = servers.filter { !$0.admits(request) }
        if let server = lacking.first, requirement == .all || lacking.count == servers.count { return challenge(by: server) }
        recorder.count { $0.resources += 1 }
        let response = await resourceResponse(to: request)
        return servers.reduce(response) { response, server in server.admits(request) ? server.updating(response) : response }
    }

    private func resourceResponse(to request: MockRequest) async -> MockResponse {
        guard let resource else {
            let json = JSONTree.object(["method": .text(request.method.rawValue), "path": .text(request.path)]).json
            return MockResponse(
                status: .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: "\(json)\n".utf8)
        }
        let target = request.path + (request.query.map { "?\($0)" } ?? "")
        let head = HTTPRequest(
            method: request.method, scheme: "http", authority: request.authority, path: target, headerFields: request.fields)
        let (response, body) = await resource(head, request.body)
        return MockResponse(status: response.status, fields: response.headerFields, body: body)
    }

    private func challenge(by server: DescribedServer) -> MockResponse {
        recorder.count { $0.challenges += 1 }
        return server.challenge()
    }
}
