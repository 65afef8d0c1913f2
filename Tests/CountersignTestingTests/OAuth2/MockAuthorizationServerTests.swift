import CountersignTesting
import Foundation
import NIOHTTP1
import Synchronization
import TestTurns
import Testing

/// Starting and stopping, injected faults, and secrets that are never shown.
@Suite(.takesTurns) struct MockAuthorizationServerTests {
    /// A generator that counts, so that two of them give the same numbers.
    private struct Counting: RandomNumberGenerator, Sendable {
        var last: UInt64 = 0
        mutating func next() -> UInt64 {
            last += 1
            return last
        }
    }

    @Test func `a stopped server answers no more, and releases what it held`() async throws {
        try await RawClient.run { client in
            let server = try await MockAuthorizationServer.start()
            let gate = server.hold("/held", until: 2, limit: .seconds(300))
            async let held = client.get(server.baseURL.appending(path: "held"))
            while gate.arrived < 1 { await Task.yield() }
            await server.stop()
            _ = try? await held
            await #expect(throws: (any Error).self) { try await client.get(server.tokenEndpoint) }
        }
    }

    @Test func `the scoped form stops the server also when the body throws`() async throws {
        struct Failure: Error {}
        var url: URL?
        await #expect(throws: Failure.self) {
            try await MockAuthorizationServer.run { server in
                url = server.baseURL
                throw Failure()
            }
        }
        let stopped = try #require(url)
        try await RawClient.run { client in
            await #expect(throws: (any Error).self) { try await client.get(stopped) }
        }
    }

    @Test func `its addresses are the default ones, or others`() async throws {
        try await withServer { (_, server) async throws in
            #expect(server.authorizationEndpoint.absoluteString == server.baseURL.absoluteString + "/oauth2/api/v1/authorize")
            #expect(server.tokenEndpoint.absoluteString == server.baseURL.absoluteString + "/oauth2/api/v1/token")
        }
        try await withServer(change: { $0.paths.token = "/oauth/token" }) { (caller, server) async throws in
            #expect(server.tokenEndpoint.absoluteString == server.baseURL.absoluteString + "/oauth/token")
            #expect(try await caller.tokens().access_token != nil)
        }
    }

    @Test func `two servers share nothing`() async throws {
        try await withServer { (caller, _) async throws in
            let tokens = try await caller.tokens()
            try await withServer { (other, _) async throws in
                #expect(try await other.resource(tokens.access_token).status == 401)
                #expect(try await other.refresh(tokens.refresh_token).oauth.error == "invalid_grant")
            }
        }
    }

    @Test func `another host name is not served`() async throws {
        try await withServer { (caller, server) async throws in
            let answer = try await caller.client.get(server.baseURL, headers: ["host": "elsewhere.example"])
            #expect(answer.status == 421)
        }
    }

    @Test func `the time and the random numbers can be given`() async throws {
        let start = ContinuousClock.now
        let time = Mutex(start)
        var options = MockOAuth2Options()
        options.now = { time.withLock { $0 } }
        options.random = Counting()
        var tokens: [String?] = []
        for _ in 0..<2 {
            try await withServer(options) { (caller, _) async throws in
                let token = try await caller.tokens().access_token
                tokens.append(token)
                time.withLock { $0 = start + .seconds(3599) }
                #expect(try await caller.resource(token).status == 200)
                time.withLock { $0 = start + .seconds(3600) }
                #expect(try await caller.resource(token).status == 401)
                time.withLock { $0 = start }
            }
        }
        #expect(tokens[0] == tokens[1])
    }

    @Test func `statistics begin anew after a reset`() async throws {
        try await withServer { (caller, server) async throws in
            _ = try await caller.tokens()
            #expect(server.statistics != MockOAuth2Statistics())
            server.resetStatistics()
            #expect(server.statistics == MockOAuth2Statistics())
        }
    }

    @Test func `secrets, passwords and tokens are not shown`() async throws {
        let canary = "canary-4711"
        var options = MockOAuth2Options()
        let client = MockOAuth2Client(id: "visible", secret: canary, grants: [.clientCredentials], authentications: [.body])
        options.clients = [client]
        options.users = ["visible": canary]
        func shown(_ value: Any) -> String {
            var text = "\(value) \(String(reflecting: value)) \(Mirror(reflecting: value).children.map { "\($0)" })"
            dump(value, to: &text)
            return text
        }
        try await withServer(options) { (caller, server) async throws in
            let form = ["grant_type": "client_credentials", "client_id": "visible", "client_secret": canary]
            let token = try #require(try await caller.post(form).oauth.access_token)
            let faults: [Any] = [
                MockTokenFault.members(["visible": canary]), MockTokenFault.redirect(to: canary),
                MockCallbackFault.values("visible", [canary]),
            ]
            for value in [options, client, server, server.statistics] as [Any] + faults {
                let text = shown(value)
                #expect(!text.contains(canary))
                #expect(!text.contains(token))
            }
            #expect(shown(options).contains("visible"))
            #expect(shown(client).contains("redacted"))
        }
    }
}
