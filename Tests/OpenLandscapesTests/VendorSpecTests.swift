import Countersign
import CountersignAsyncHTTPClient
import CountersignDynamic
import CountersignSpec
import CountersignTesting
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

/// The landscapes of the guides "A vendor's OAuth in one file" and "A product's login in one file", in `Tests/Vendors`, with the mock
/// that follows from them.
@Suite(.takesTurns) struct VendorSpecTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func files(in folder: String) throws -> [String] {
        let folder = root.appending(path: folder).path(percentEncoded: false)
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
            .map { "\(folder)/\($0)" }
    }

    /// Reads a landscape that extends `OAuth`, without any message.
    private static func landscape(_ landscape: SpecFile) throws -> DynamicLandscape {
        let inherited = SpecSources.load(own: [], inherited: try files(in: "Specs/OAuth")).sources.inherited
        let sources = SpecSources(own: [landscape], inherited: inherited)
        let messages = SpecReader.read(sources).diagnostics
        #expect(messages.isEmpty, "\(DiagnosticRenderer().text(messages))")
        return try DynamicLandscape(sources)
    }

    private static func vendor(_ name: String) throws -> DynamicMethod {
        let path = try #require(try files(in: "Tests/Vendors/\(name)").first)
        let file = try #require(SpecFile.load(path: path).file)
        return try landscape(file).method(named: nil)
    }

    /// Returns the method with values for a server in place of the vendor's.
    private static func filled(
        _ method: DynamicMethod, _ values: [String: String], servers: [String: String], at url: URL
    ) throws -> FilledProgram {
        var all = values.mapValues { [$0] }
        for (name, path) in servers { all[name] = ["\(url.absoluteString)\(path)"] }
        return try method.filled(try method.variant(named: nil), with: GivenValues(parameters: all))
    }

    /// Runs a client of a method with a mock of another one, usually of the same.
    private func run(
        _ method: DynamicMethod, mock described: DynamicMethod? = nil, _ values: [String: String], servers: [String: String],
        _ body: (DescribedMock, Session) async throws -> Void
    ) async throws {
        let mock = try await DescribedMock.start(programs: { url in
            let filled = try Self.filled(described ?? method, values, servers: servers, at: url)
            return [(program: filled.program, values: filled.values)]
        })
        let filled = try Self.filled(method, values, servers: servers, at: mock.url)
        await withSession(presenter: FormFillingPresenter(user: "alice", password: "wonderland")) { session in
            session.register(ManagedObserver(filled, prompter: nil, store: nil))
            try await body(mock, session)
        }
        await mock.stop()
    }

    private func status(_ path: String, _ mock: DescribedMock, _ session: Session) async throws -> Int {
        try await OpenLandscapesTests.status(SessionRequest(HTTPRequest(url: mock.url.appending(path: path))), session)
    }

    @Test func `a service obtains a token for an account`() async throws {
        let values = ["clientID": "reports", "clientSecret": "s3cret", "account": "a1"]
        try await run(Self.vendor("Zoom"), values, servers: ["apis": "", "tokenURL": "/token"]) { (mock, session) async throws in
            #expect(try await status("users", mock, session) == 200)
            #expect(try await status("meetings", mock, session) == 200)
            // The login does not wait for a challenge.
            #expect(mock.statistics.challenges == 0 && mock.statistics.logins == 1)
            mock.endAllSessions()
            #expect(try await status("users", mock, session) == 200)
            #expect(mock.statistics.logins == 2)
        }
    }

    @Test func `a user logs in, in another scope, and out`() async throws {
        let values = ["clientID": "notes", "redirectURL": "http://127.0.0.1/callback"]
        let servers = ["apis": "", "contents": "", "authorizationURL": "/authorize", "tokenURL": "/token"]
        try await run(Self.vendor("Dropbox"), values, servers: servers) { (mock, session) async throws in
            #expect(try await status("2/files/list_folder", mock, session) == 200)
            #expect(mock.statistics.challenges == 0 && mock.statistics.logins == 1)
            #expect(mock.challengeNext("missing-scope"))
            #expect(try await status("2/files/upload", mock, session) == 200)
            #expect(mock.statistics.logins == 2)
            try await session.logOut()
            #expect(mock.statistics.sends["/2/auth/token/revoke"] == 1)
        }
    }

    @Test func `the user's site is found among others`() async throws {
        let values = [
            "clientID": "notes", "redirectURL": "http://127.0.0.1/callback", "site": "https://example.atlassian.net",
        ]
        let servers = ["apis": "", "authorizationURL": "/authorize", "tokenURL": "/token"]
        try await run(Self.vendor("Atlassian"), values, servers: servers) { (mock, session) async throws in
            #expect(try await status("ex/jira", mock, session) == 200)
            #expect(try await status("ex/jira", mock, session) == 200)
            #expect(mock.statistics.sends["/oauth/token/accessible-resources"] == 1)
        }
    }

    // MARK: Products

    /// Reads a landscape that extends none, without any message.
    private static func product(_ name: String) throws -> DynamicMethod {
        let sources = SpecSources.load(own: try files(in: "Tests/Vendors/\(name)")).sources
        let messages = SpecReader.read(sources).diagnostics
        #expect(messages.isEmpty, "\(DiagnosticRenderer().text(messages))")
        return try DynamicLandscape(sources).method(named: nil)
    }

    /// The machine's clock, whose pauses of some seconds end as soon as a test lets them.
    private final class LeapingClock: Clock {
        typealias Instant = ContinuousClock.Instant

        private let clock = ForwardClock()
        private let mayLeap: @Sendable () -> Bool

        init(_ mayLeap: @escaping @Sendable () -> Bool) { self.mayLeap = mayLeap }

        var now: Instant { clock.now }
        var minimumResolution: Duration { clock.minimumResolution }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            let time = now.duration(to: deadline)
            guard time > .seconds(1), time < .seconds(50) else {
                return try await clock.sleep(until: deadline, tolerance: tolerance)
            }
            while !mayLeap() { try await Task.sleep(for: .milliseconds(2)) }
            try Task.checkCancellation()
            clock.advance(by: time)
            await Task.yield()
        }
    }

    /// A user who logs in on a page of another device.
    private struct Screen: UserCodePresenter {
        let show: @Sendable (UserCodePresentation) async throws -> Void

        func present(_ presentation: UserCodePresentation) async throws { try await show(presentation) }
    }

    @Test func `a user logs in on a page that is polled, and a logout revokes the app password`() async throws {
        let method = try Self.product("Nextcloud")
        let mock = try await DescribedMock.start(programs: { url in
            let filled = try Self.filled(method, [:], servers: ["server": ""], at: url)
            return [(program: filled.program, values: filled.values)]
        })
        let filled = try Self.filled(method, [:], servers: ["server": ""], at: mock.url)
        let pages = Mutex<[String]>([])
        var configuration = SessionConfiguration()
        configuration.userCodePresenter = Screen { presentation in
            pages.withLock { $0.append(presentation.verificationURL.path(percentEncoded: false)) }
        }
        // The page is shown by another task than the one that polls.
        configuration.clock = LeapingClock { pages.withLock { !$0.isEmpty } }
        configuration.requestTimeout = .seconds(300)
        configuration.flightTimeout = .seconds(300)
        configuration.interactiveTimeout = .seconds(600)
        let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
        session.register(ManagedObserver(filled, prompter: nil, store: nil))
        do {
            for _ in 0..<2 { #expect(try await status("remote.php/dav", mock, session) == 200) }
            #expect(pages.withLock { $0.count } == 1)
            #expect(mock.statistics.logins == 1)
            try await session.logOut()
            #expect(mock.statistics.sends["/ocs/v2.php/core/apppassword"] == 1)
        } catch {
            Issue.record(error)
        }
        await session.invalidate(cancelling: true)
        await mock.stop()
    }

    @Test func `a session ID is issued for a proof of the password`() async throws {
        let values = ["user": "alice", "password": "wonderland"]
        try await run(Self.product("FritzBox"), values, servers: ["box": ""]) { (mock, session) async throws in
            for _ in 0..<2 { #expect(try await status("webservices/homeautoswitch.lua", mock, session) == 200) }
            #expect(mock.statistics.challenges == 1 && mock.statistics.logins == 1)
            try await session.logOut()
            #expect(mock.statistics.sends["/login_sid.lua"] == 3)
        }
    }

    @Test(arguments: ["header: [X-Next-Token, X-Token]", "cookie: csrf"])
    func `each response of the mock has the next value of a field that responses replace`(_ source: String) async throws {
        let path = Self.root.appending(path: "Tests/Specs/Programs/DerivedKey.yaml").path(percentEncoded: false)
        let file = try #require(SpecFile.load(path: path).file)
        let text = String(decoding: file.bytes, as: UTF8.self)
            .replacingOccurrences(of: "header: [X-Next-Token, X-Token]", with: source)
        #expect(text.contains("csrf: { \(source) }"))
        let files = [
            SpecFile(path: "landscape.yaml", bytes: Array("countersign: 2\nlandscape: Web\nsummary: A landscape.\n".utf8)),
            SpecFile(path: "DerivedKey.yaml", bytes: Array(text.utf8)),
        ]
        let method = try DynamicLandscape(SpecSources(own: files)).method(named: nil)
        try await run(method, ["password": "wonderland"], servers: ["server": ""]) { (mock, session) async throws in
            for _ in 0..<3 { #expect(try await status("data", mock, session) == 200) }
            #expect(mock.statistics.logins == 1)
            let tokens = mock.requests.compactMap { $0.fields["x-token"] }
            #expect(tokens.count == 3 && Set(tokens).count == 3)
        }
    }

    // MARK: A value of a list

    /// A landscape whose requests carry a value of a list of tenants.
    private static func tenants(_ capture: String) throws -> DynamicMethod {
        let text = """
            countersign: 2
            landscape: Tenants
            extends: OAuth
            summary: An API with tenants.
            methods:
              ClientCredentials:
                parameters: { site: { type: string, example: a, summary: The URL of the tenant. } }
                credential: { fields: { tenant: { type: string, summary: The tenant. } } }
                acquire:
                  append:
                    - http:
                        send: "GET {tokenURL}/tenants"
                        headers: { Authorization: "Bearer {credential.accessToken}", X-Site: "{site}" }
                        answers: [{ status: 200, capture: { tenant: { \(capture) } } }]
                attach: { append: [{ headers: { X-Tenant: "{credential.tenant}" } }] }
              AuthorizationCode: omitted
              DeviceCode: omitted

            """
        return try landscape(SpecFile(path: "landscape.yaml", bytes: Array(text.utf8))).method(named: nil)
    }

    @Test(arguments: [
        ("json: /*/id, where: { /*/url: \"{site}\" }", true),
        ("json: /*/id, where: { /*/url: { any-case: HTTPS://A.example } }", true),
        ("json: /*/id", false), ("json: /*/id, where: { /*/url: present }", false), ("json: /0/id", false),
    ])
    func `only a client that chooses the right item of a list is admitted`(_ capture: String, isRight: Bool) async throws {
        let values = ["clientID": "reports", "clientSecret": "s3cret", "site": "https://a.example"]
        let described = try Self.tenants("json: /*/id, where: { /*/url: \"{site}\" }")
        let servers = ["apis": "", "tokenURL": "/token"]
        try await run(Self.tenants(capture), mock: described, values, servers: servers) { (mock, session) async throws in
            let code = try? await status("data", mock, session)
            #expect((code == 200) == isRight)
        }
    }
}
