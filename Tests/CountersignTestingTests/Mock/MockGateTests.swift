import Foundation
import NIOHTTP1
import TestTurns
import Testing

@testable import CountersignTesting

/// Requests that are held back until all have arrived.
@Suite(.takesTurns) struct MockGateTests {
    @Test func `a hundred requests are held back until the last has arrived, then all are challenged`() async throws {
        try await withMock { (mock, client) async throws in
            let gate = mock.hold("/resource", until: 100, limit: .seconds(300))
            let url = mock.baseURL.appending(path: "resource")
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<99 {
                    group.addTask { try await client.get(url).headers.contains(name: challengeField) }
                }
                while gate.arrived < 99 { await Task.yield() }
                #expect(mock.statistics.challenges == 0)
                group.addTask { try await client.get(url).headers.contains(name: challengeField) }
                for try await isChallenged in group { #expect(isChallenged) }
            }
            #expect(mock.statistics.challenges == 100)
            #expect(mock.statistics.sends["/resource"] == 100)
            #expect(!gate.hasTimedOut)
        }
    }

    @Test func `a gate opens once and lets all later requests pass`() async throws {
        try await withMock { (mock, client) async throws in
            let gate = mock.hold("/resource", until: 1)
            for _ in 0..<3 { _ = try await client.get(mock.baseURL.appending(path: "resource")) }
            #expect(gate.arrived == 1)
        }
    }

    @Test func `a gate that is not opened opens at its limit and says so`() async throws {
        try await withMock { (mock, client) async throws in
            let gate = mock.hold("/resource", until: 2, limit: .milliseconds(20))
            #expect(try await client.get(mock.baseURL.appending(path: "resource")).status == 200)
            #expect(gate.hasTimedOut)
        }
    }

    @Test func `a gate goes on waiting as long as others arrive within its limit`() async throws {
        let (sleeps, sleep) = AsyncStream.makeStream(of: CheckedContinuation<Void, Never>.self)
        var limits = sleeps.makeAsyncIterator()
        let gate = MockGate(path: "/resource", count: 3, limit: .seconds(1)) { _ in
            await withCheckedContinuation { _ = sleep.yield($0) }
        }
        async let first: Void = gate.pass("/resource")
        let afterFirst = try #require(await limits.next())
        async let second: Void = gate.pass("/resource")
        while gate.arrived < 2 { await Task.yield() }
        afterFirst.resume()
        let afterSecond = try #require(await limits.next())
        #expect(!gate.hasTimedOut, "another had arrived, so it waits for the third")
        afterSecond.resume()
        _ = await (first, second)
        #expect(gate.hasTimedOut)
    }

    @Test func `other paths are not held back`() async throws {
        try await withMock { (mock, client) async throws in
            mock.hold("/resource", until: 2)
            #expect(try await client.get(mock.baseURL.appending(path: "other")).status == 200)
        }
    }
}
