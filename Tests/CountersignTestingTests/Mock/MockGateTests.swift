import CountersignTesting
import Foundation
import NIOHTTP1
import TestTurns
import Testing

/// Requests that are held back until all are there.
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

    @Test func `a gate that waits in vain opens at its limit and says so`() async throws {
        try await withMock { (mock, client) async throws in
            let gate = mock.hold("/resource", until: 2, limit: .milliseconds(20))
            #expect(try await client.get(mock.baseURL.appending(path: "resource")).status == 200)
            #expect(gate.hasTimedOut)
        }
    }

    @Test func `a gate goes on waiting as long as others arrive within its limit`() async throws {
        try await withMock { (mock, client) async throws in
            let limit = Duration.seconds(1)
            let gate = mock.hold("/resource", until: 30, limit: limit)
            let url = mock.baseURL.appending(path: "resource")
            try await withThrowingTaskGroup(of: Void.self) { group in
                let start = ContinuousClock.now
                for _ in 0..<29 {
                    group.addTask { _ = try await client.get(url) }
                    try await Task.sleep(for: limit / 12)
                }
                #expect(ContinuousClock.now - start > limit * 2, "by then it would be open, if it counted from the first")
                group.addTask { _ = try await client.get(url) }
                try await group.waitForAll()
            }
            #expect(gate.arrived == 30)
            #expect(!gate.hasTimedOut)
        }
    }

    @Test func `other paths are not held back`() async throws {
        try await withMock { (mock, client) async throws in
            mock.hold("/resource", until: 2)
            #expect(try await client.get(mock.baseURL.appending(path: "other")).status == 200)
        }
    }
}
