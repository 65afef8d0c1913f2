import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Foundation
import HTTPTypes
import OAuth
import Synchronization
import TestTurns
import Testing

/// The generated client of the device authorization grant (RFC 8628), on sockets, with a clock that does not wait.
@Suite(.takesTurns) struct DeviceCodeTests {
    /// A clock whose short pauses end immediately, for a server, too. It records them.
    private final class LeapingClock: Clock {
        typealias Instant = ContinuousClock.Instant

        private let clock = ContinuousClock()
        private let server: MockAuthorizationServer
        private let leaps = Mutex<[Duration]>([])

        init(with server: MockAuthorizationServer) { self.server = server }

        var now: Instant { clock.now.advanced(by: leaps.withLock { $0.reduce(.zero, +) }) }
        var minimumResolution: Duration { clock.minimumResolution }
        /// The pauses, in seconds. On a busy machine, a part of a pause may have passed before it began.
        var pauses: [Double] { leaps.withLock { $0.map { ($0 / .seconds(1)).rounded(.up) } } }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            let time = now.duration(to: deadline)
            // The wait for the rest of a body is real.
            guard time < .seconds(50), time > .seconds(2) || time < .seconds(1.5) else { return try await clock.sleep(for: time) }
            try Task.checkCancellation()
            leaps.withLock { $0.append(time) }
            server.advance(by: time)
            await Task.yield()
        }
    }

    /// A presenter that shows codes by a test's function.
    private struct Screen: UserCodePresenter {
        let show: @Sendable (UserCodePresentation) async throws -> Void

        func present(_ presentation: UserCodePresentation) async throws { try await show(presentation) }
    }

    private func run(
        show: @escaping @Sendable (UserCodePresentation, MockAuthorizationServer) async throws -> Void,
        pages: ProtectedOrigins? = nil, lifetime: Duration = .seconds(600),
        _ body: (MockAuthorizationServer, Session, LeapingClock) async throws -> Void
    ) async throws {
        var options = MockOAuth2Options()
        options.deviceCodeLifetime = lifetime
        try await MockAuthorizationServer.run(options: options) { server in
            let clock = LeapingClock(with: server)
            var configuration = SessionConfiguration()
            configuration.userCodePresenter = Screen { try await show($0, server) }
            configuration.clock = clock
            var transport = AsyncHTTPClientTransport.Configuration()
            transport.maximumConnectionsPerHost = 100
            let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport(configuration: transport))
            session.register(
                DeviceCodeObserver(
                    parameters: DeviceCodeParameters(
                        apis: [server.baseURL], deviceURL: server.deviceEndpoint, tokenURL: server.tokenEndpoint,
                        pages: pages ?? [server.baseURL], clientID: MockOAuth2Client.device.id,
                        revocationURL: server.revocationEndpoint)))
            do {
                try await body(server, session, clock)
            } catch {
                Issue.record(error)
            }
            await session.invalidate(cancelling: true)
        }
    }

    private func call(_ server: MockAuthorizationServer, _ session: Session) async throws -> Int {
        try await status(SessionRequest(HTTPRequest(url: server.baseURL.appending(path: "data"))), session)
    }

    /// Waits until a server has sent a refusal the given number of times.
    private static func wait(for refusal: String, _ count: Int, at server: MockAuthorizationServer) async throws {
        while server.statistics.refusals[refusal, default: 0] < count { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `RT-49 a code that is typed on another device is one login for a hundred requests`() async throws {
        let isOver = Mutex(false)
        try await run { presentation, server in
            #expect(presentation.authenticationMethod == "DeviceCode")
            #expect(presentation.verificationURL.path() == "/device")
            #expect(presentation.completeURL?.query() == "user_code=\(presentation.userCode)")
            #expect(presentation.lifetime == .seconds(300))
            #expect("\(presentation)" == "UserCodePresentation(DeviceCode, \(server.baseURL.absoluteString), redacted)")
            try await Self.wait(for: "authorization_pending", 2, at: server)
            #expect(server.settle(userCode: presentation.userCode.lowercased(), by: "alice"))
            do {
                try await Task.sleep(for: .seconds(60))
            } catch {
                isOver.withLock { $0 = true }
                throw error
            }
        } _: { (server, session, clock) async throws in
            server.hold(.prefix("/data"), until: 100)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await call(server, session) } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(server.statistics.challenges == 100)
            #expect(server.statistics.deviceAuthorizations == 1)
            #expect(server.statistics.tokenAnswers == [.deviceCode: 1])
            #expect(Set(server.statistics.refusals.keys) == ["authorization_pending"])
            // Once a second, also before the first request for the token.
            #expect(clock.pauses.allSatisfy { $0 == 1 })
            #expect(clock.pauses.count == server.statistics.tokenRequests[.deviceCode])
            #expect(isOver.withLock { $0 })
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.refreshes == 1)
            try await session.logOut()
            #expect(server.statistics.revocations > 0)
        }
    }

    @Test func `a server that wants it slower gets it slower, and one that is silent slower still`() async throws {
        try await run { presentation, server in
            try await Self.wait(for: "authorization_pending", 1, at: server)
            server.settle(userCode: presentation.userCode, by: "alice")
        } _: { (server, session, clock) async throws in
            server.inject(.error("slow_down"), for: .deviceCode)
            server.inject(.connectionReset, for: .deviceCode)
            #expect(try await call(server, session) == 200)
            #expect(clock.pauses.prefix(3) == [1, 6, 12])
        }
    }

    @Test(arguments: [429, 502, 503, 504])
    func `a server that is busy for a moment is asked again, and slower`(status: Int) async throws {
        try await run { presentation, server in
            try await Self.wait(for: "authorization_pending", 1, at: server)
            server.settle(userCode: presentation.userCode, by: "alice")
        } _: { (server, session, clock) async throws in
            server.inject(.status(status), for: .deviceCode)
            #expect(try await call(server, session) == 200)
            #expect(clock.pauses.prefix(2) == [1, 6])
        }
    }

    @Test func `a user who denies access ends the login`() async throws {
        try await run { presentation, server in
            server.settle(userCode: presentation.userCode, by: nil)
        } _: { (server, session, _) async throws in
            await #expect {
                try await call(server, session)
            } throws: { error in
                let error = error as? CountersignError
                return error?.code == .refusedByServer && error?.detail.contains("access_denied") == true
            }
            #expect(server.statistics.refusals["access_denied"] == 1)
        }
    }

    @Test func `a refusal says nothing of the next code, also for a client with a secret`() async throws {
        let client = MockOAuth2Client(
            id: "console", secret: "s3cret", grants: [.deviceCode, .refreshToken], authentications: [.basic])
        var options = MockOAuth2Options()
        options.clients.append(client)
        try await MockAuthorizationServer.run(options: options) { server in
            let isWanted = Mutex(false)
            var configuration = SessionConfiguration()
            configuration.userCodePresenter = Screen { presentation in
                server.settle(userCode: presentation.userCode, by: isWanted.withLock { $0 } ? "alice" : nil)
            }
            let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
            session.register(
                DeviceCodeObserver(
                    parameters: DeviceCodeParameters(
                        apis: [server.baseURL], deviceURL: server.deviceEndpoint, tokenURL: server.tokenEndpoint,
                        pages: [server.baseURL], clientID: client.id, clientSecret: "s3cret")))
            #expect(await code { try await call(server, session) } == .refusedByServer)
            isWanted.withLock { $0 = true }
            let status = try await call(server, session)
            #expect(status == 200)
            await session.invalidate(cancelling: true)
        }
    }

    @Test func `a code that is not typed ends with its time`() async throws {
        try await run(show: { _, _ in }, lifetime: .seconds(30)) { (server, session, clock) async throws in
            let start = ContinuousClock.now
            // The client's time began a moment after the server's, so either may end first.
            let end = await code { try await call(server, session) }
            #expect(end == .timedOut || end == .refusedByServer)
            // A second for each, and the real time of the responses.
            let least = max(1, 27 - Int(start.duration(to: .now).components.seconds))
            #expect((least...30).contains(clock.pauses.count))
            #expect((least - 1...29).contains(server.statistics.refusals["authorization_pending"] ?? 0))
        }
    }

    @Test func `a code whose time is over at the server is refused by it`() async throws {
        try await run { _, server in
            server.advance(by: .seconds(700))
        } _: { (server, session, _) async throws in
            server.inject(.error("authorization_pending"), for: .deviceCode)
            await #expect {
                try await call(server, session)
            } throws: { error in
                (error as? CountersignError)?.detail.contains("expired_token") == true
            }
        }
    }

    @Test func `a user who closes the code ends the login`() async throws {
        try await run { _, server in
            try await Self.wait(for: "authorization_pending", 3, at: server)
            throw PresentationFailure.dismissed
        } _: { (server, session, _) async throws in
            #expect(await code { try await call(server, session) } == .cancelled)
            let asked = server.statistics.tokenRequests[.deviceCode] ?? 0
            try await Task.sleep(for: .milliseconds(50))
            // One request may have been under way.
            #expect(server.statistics.tokenRequests[.deviceCode] ?? 0 <= asked + 1)
        }
    }

    @Test func `a page of another server is not shown`() async throws {
        let isShown = Mutex(false)
        let elsewhere = try #require(URL(string: "https://elsewhere.example"))
        try await run(show: { _, _ in isShown.withLock { $0 = true } }, pages: [elsewhere]) { (server, session, _) async throws in
            #expect(await code { try await call(server, session) } == .addressRefused)
            #expect(!isShown.withLock { $0 })
            #expect(server.statistics.tokenRequests.isEmpty)
        }
    }

    @Test func `without something that shows codes the server is not asked for tokens`() async throws {
        try await MockAuthorizationServer.run { server in
            await withSession { session in
                session.register(
                    DeviceCodeObserver(
                        parameters: DeviceCodeParameters(
                            apis: [server.baseURL], deviceURL: server.deviceEndpoint, tokenURL: server.tokenEndpoint,
                            pages: [server.baseURL], clientID: MockOAuth2Client.device.id)))
                await #expect {
                    try await call(server, session)
                } throws: { error in
                    let error = error as? CountersignError
                    return error?.code == .noPresenter && error?.detail.contains("userCodePresenter") == true
                }
                #expect(server.statistics.tokenRequests.isEmpty)
            }
        }
    }

    /// Returns a session in which a scripted user enters the codes.
    private static func session(at server: MockAuthorizationServer, scopes: String? = nil) -> Session {
        var configuration = SessionConfiguration()
        configuration.userCodePresenter = MockDeviceUser("alice", at: server)
        let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
        session.register(
            DeviceCodeObserver(
                parameters: DeviceCodeParameters(
                    apis: [server.baseURL], deviceURL: server.deviceEndpoint, tokenURL: server.tokenEndpoint,
                    pages: [server.baseURL], clientID: MockOAuth2Client.device.id, scopes: scopes)))
        return session
    }

    @Test func `a scripted user types the code`() async throws {
        try await MockAuthorizationServer.run { server in
            #expect("\(MockDeviceUser("alice", at: server))" == "MockDeviceUser(alice)")
            let session = Self.session(at: server)
            let status = try await call(server, session)
            #expect(status == 200)
            // A request for the token may come before the code is typed.
            #expect(server.statistics.tokenRequests[.deviceCode] ?? 0 >= 1)
            #expect(server.statistics.tokenAnswers == [.deviceCode: 1])
            await session.invalidate(cancelling: true)
        }
    }

    @Test func `a scope that a token lacks is asked for beside those that were granted`() async throws {
        var options = MockOAuth2Options()
        options.requiredScopes = ["/data/write": "write", "/data": "read"]
        try await MockAuthorizationServer.run(options: options) { server in
            let session = Self.session(at: server, scopes: "read")
            for path in ["data", "data/write", "data", "data/write"] {
                let status = try await status(SessionRequest(HTTPRequest(url: server.baseURL.appending(path: path))), session)
                #expect(status == 200)
            }
            #expect(server.statistics.deviceAuthorizations == 2)
            #expect(server.statistics.scopeRefusals == 1)
            #expect(server.statistics.refreshes == 0)
            await session.invalidate(cancelling: true)
        }
    }
}
