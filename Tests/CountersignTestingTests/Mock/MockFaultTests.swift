import CountersignTesting
import Foundation
import NIOHTTP1
import TestTurns
import Testing

/// Each fault, as a client sees it.
@Suite(.takesTurns) struct MockFaultTests {
    private let resource = "resource"

    @Test func `a fault happens as often as it was asked for, and where`() async throws {
        try await withMock { (mock, client) async throws in
            mock.inject(.status(503), matching: .prefix("/resource"), times: 2)
            var statuses: [Int] = []
            for path in ["other", "resource/1", "resource/2", "resource/3"] {
                statuses.append(try await client.get(mock.baseURL.appending(path: path)).status)
            }
            #expect(statuses == [200, 503, 503, 200])
        }
    }

    @Test func `faults that are left can be taken back`() async throws {
        try await withMock { (mock, client) async throws in
            mock.inject(.status(503), times: .max)
            mock.removeFaults()
            #expect(try await client.get(mock.baseURL.appending(path: resource)).status == 200)
        }
    }

    @Test func `a delayed answer comes late and is whole`() async throws {
        try await withMock { (mock, client) async throws in
            mock.inject(.delay(.milliseconds(60)))
            let start = ContinuousClock.now
            #expect(try await client.get(mock.baseURL.appending(path: resource)).headers.contains(name: challengeField))
            #expect(ContinuousClock.now - start >= .milliseconds(60))
        }
    }

    @Test func `a connection is reset without an answer, and the next request passes`() async throws {
        try await withMock { (mock, client) async throws in
            mock.inject(.connectionReset)
            await #expect(throws: (any Error).self) { try await client.get(mock.baseURL.appending(path: resource)) }
            #expect(try await client.get(mock.baseURL.appending(path: resource)).status == 200)
        }
    }

    @Test func `a truncated body ends before its length`() async throws {
        try await withMock { (mock, client) async throws in
            mock.inject(.truncatedBody)
            await #expect(throws: (any Error).self) { try await client.get(mock.baseURL.appending(path: resource)) }
            #expect(mock.statistics.challenges == 1)
        }
    }

    @Test func `an endless body goes on until the client hangs up`() async throws {
        try await withMock { (mock, client) async throws in
            mock.inject(.endlessBody)
            // The client stops reading at its limit of 16 MiB.
            await #expect(throws: (any Error).self) { try await client.get(mock.baseURL.appending(path: resource)) }
            #expect(try await client.get(mock.baseURL.appending(path: resource)).status == 200)
        }
    }

    @Test func `a wrong content type keeps the rest of the answer`() async throws {
        try await withMock { (mock, client) async throws in
            mock.inject(.contentType("application/pdf"))
            let answer = try await client.get(mock.baseURL.appending(path: resource))
            #expect(answer.headers["content-type"] == ["application/pdf"])
            #expect(answer.headers.contains(name: challengeField))
        }
    }

    @Test func `an expired session is challenged and stays ended`() async throws {
        try await withMock { (mock, client) async throws in
            let session = try #require(try await Login(client: client, mock: mock).session())
            mock.inject(.expiredSession, matching: "/resource")
            for _ in 0..<2 {
                let answer = try await client.get(mock.baseURL.appending(path: resource), cookies: [session])
                #expect(answer.headers.contains(name: challengeField))
            }
        }
    }

    @Test func `a permanent challenge ignores the session`() async throws {
        try await withMock { (mock, client) async throws in
            let session = try #require(try await Login(client: client, mock: mock).session())
            mock.inject(.challenge, matching: "/resource", times: .max)
            for _ in 0..<3 {
                let answer = try await client.get(mock.baseURL.appending(path: resource), cookies: [session])
                #expect(answer.headers.contains(name: challengeField))
            }
            #expect(mock.statistics.challenges == 3)
        }
    }

    @Test func `redirects go to the configured location`() async throws {
        try await withMock { (mock, client) async throws in
            mock.inject(.redirectLoop)
            mock.inject(.redirect(to: "file:///etc/hosts"))
            let loop = try await client.send(.GET, "\(mock.baseURL.absoluteString)/resource?a=1")
            #expect(loop.status == 302)
            #expect(loop.location == "/resource?a=1")
            #expect(try await client.get(mock.baseURL.appending(path: resource)).location == "file:///etc/hosts")
        }
    }
}
