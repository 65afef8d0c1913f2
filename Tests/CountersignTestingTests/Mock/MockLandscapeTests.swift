import CountersignTesting
import Foundation
import NIOHTTP1
import TestTurns
import Testing

/// Starting, counting and stopping.
@Suite(.takesTurns) struct MockLandscapeTests {
    @Test func `a stopped mock answers no more, whatever was under way`() async throws {
        try await RawClient.run { client in
            let mock = try await MockLandscape.start(SampleLandscape().landscape, rules: .sample)
            let url = mock.baseURL.appending(path: "resource")
            #expect(try await client.get(url).status == 200)
            let gate = mock.hold("/held", until: 2, limit: .seconds(300))
            mock.inject(.endlessBody, matching: "/endless")
            async let held = client.get(mock.baseURL.appending(path: "held"))
            async let endless = client.get(mock.baseURL.appending(path: "endless"))
            while gate.arrived < 1 { await Task.yield() }
            await mock.stop()
            _ = try? await held
            _ = try? await endless
            await #expect(throws: (any Error).self) { try await client.get(url) }
        }
    }

    @Test func `a mock that is stopped while clients connect closes what it has accepted`() async throws {
        try await RawClient.run { (client) async throws in
            for _ in 0..<20 {
                let mock = try await MockLandscape.start(SampleLandscape().landscape, rules: .sample)
                let url = mock.baseURL.appending(path: "resource")
                let start = ContinuousClock.now
                await withTaskGroup { group in
                    for _ in 0..<16 { group.addTask { _ = try? await client.get(url) } }
                    await mock.stop()
                }
                // If a connection stayed open, its client would wait for its own limit of five minutes.
                #expect(ContinuousClock.now - start < .seconds(200))
            }
        }
    }

    @Test func `the scoped form stops the mock also when the body throws`() async throws {
        struct Failure: Error {}
        var url: URL?
        await #expect(throws: Failure.self) {
            try await MockLandscape.run(SampleLandscape().landscape, rules: .sample) { mock in
                url = mock.baseURL
                throw Failure()
            }
        }
        let stopped = try #require(url)
        try await RawClient.run { client in
            await #expect(throws: (any Error).self) { try await client.get(stopped) }
        }
    }

    @Test func `requests are counted by path and by request ID, and from zero after a reset`() async throws {
        try await withMock { (mock, client) async throws in
            for id in ["a", "b", "a"] {
                _ = try await client.get(mock.baseURL.appending(path: "resource"), headers: ["x-request-id": id])
            }
            #expect(mock.statistics.sends == ["/resource": 3])
            #expect(mock.statistics.sendsByRequestID == ["a": 2, "b": 1])
            mock.resetStatistics()
            #expect(mock.statistics == MockStatistics())
        }
    }

    @Test func `users can be named`() async throws {
        var options = MockOptions()
        options.users = ["eve": "apple"]
        try await withMock(options: options) { (mock, client) async throws in
            let login = Login(client: client, mock: mock)
            #expect(try await login.session(user: "eve", password: "apple") != nil)
            #expect(try await login.answer(user: "alice", password: "wonderland").formFields["SAMLResponse"] == nil)
        }
    }

    @Test func `all sessions can be ended at once`() async throws {
        try await withMock { (mock, client) async throws in
            let session = try #require(try await Login(client: client, mock: mock).session())
            mock.endAllSessions()
            let answer = try await client.get(mock.baseURL.appending(path: "resource"), cookies: [session])
            #expect(answer.headers.contains(name: challengeField))
        }
    }

    @Test func `HEAD is answered with a head`() async throws {
        try await withMock { (mock, client) async throws in
            let answer = try await client.send(.HEAD, "\(mock.baseURL.absoluteString)/resource")
            #expect(answer.headers.contains(name: challengeField))
            #expect(answer.bytes.isEmpty)
        }
    }
}
