import Foundation
import Synchronization
import Testing

@testable import Countersign

/// A server that rotates refresh tokens accepts each of them once: an issued token is never lost, and no older one is sent.
@Suite("Tokens that must not be lost", .timeLimit(.minutes(10)))
struct TokenLossTests {
    /// Renews the stored token for a request that is cancelled before the server answers.
    private func renewForCancelledRequest(_ bench: TokenBench, until isOver: () throws -> Bool) async throws {
        let gate = Gate()
        defer { gate.open() }
        bench.server.expire()
        bench.server.conduct { _ in await gate.passDeaf() }
        let request = Task { try await bench.get() }
        try await awaitCondition { bench.server.renewed == 1 }
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        gate.open()
        try await awaitCondition(isOver)
        // A later request must not join this renewal, whose result may have expired by then.
        let credentials = try #require(bench.observer.credentials)
        let credential = try #require(credentials.spaces.withLock { $0.all }.first)
        try await awaitCondition { credential.state.withLock { !$0.isRenewing } }
    }

    @Test func `RT-06 a renewal that every request has left is finished, stored, and used by the next request`() async throws {
        let bench = try TokenBench()
        try bench.keepToken(endingIn: -1)
        try await renewForCancelledRequest(bench) { try bench.store.token(for: bench.url)?.accessToken == "access2" }
        #expect(try await bench.get() == "data")
        #expect(bench.server.used == ["refresh0"])
        #expect(bench.server.obtained == 0)
    }

    @Test func `RT-06 a request that leaves a renewal is cancelled alone`() async throws {
        let bench = try TokenBench()
        let gate = Gate()
        defer { gate.open() }
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        bench.server.conduct { _ in await gate.passDeaf() }
        let requests = (0..<10).map { _ in Task { try await bench.get() } }
        try await awaitCondition { bench.events.count(.joined(waiters: 10)) == 1 }
        requests[0].cancel()
        await #expect(throws: CancellationError.self) { try await requests[0].value }
        gate.open()
        for request in requests.dropFirst() { #expect(try await request.value == "data") }
        #expect(bench.server.used == ["refresh0"])
    }

    @Test func `RT-06 RT-19 a renewed token that no request waited for and no store kept is used by the next request`()
        async throws
    {
        let store = StubbornStore()
        let bench = try TokenBench(store: store)
        try bench.keepToken(endingIn: -1)
        store.fail(true)
        try await renewForCancelledRequest(bench) { bench.events.count(.notStored) == 1 }
        #expect(try await bench.get() == "data")
        #expect(bench.server.used == ["refresh0"])
        store.fail(false)
        bench.clock.advance(by: .seconds(30))
        #expect(try await bench.get() == "data")
        try await awaitCondition { try store.token(for: bench.url)?.accessToken == "access2" }
        #expect(bench.server.used == ["refresh0"])
    }

    @Test func `RT-06 a renewed token that no request waited for is used although the store can no longer be read`() async throws {
        let store = StubbornStore()
        let bench = try TokenBench(store: store)
        try bench.keepToken(endingIn: -1)
        try await renewForCancelledRequest(bench) { store.stored == 2 }
        store.failReading()
        #expect(try await bench.get() == "data")
        #expect(bench.server.used == ["refresh0"])
    }

    @Test func `RT-19 a token that expires before it could be stored is renewed with its own refresh token`() async throws {
        let store = StubbornStore()
        let bench = try TokenBench(store: store)
        try bench.keepToken(endingIn: -1)
        store.fail(true)
        try await renewForCancelledRequest(bench) { bench.events.count(.notStored) == 1 }
        bench.clock.advance(by: .seconds(3_601))
        #expect(try await bench.get() == "data")
        #expect(bench.server.used == ["refresh0", "refresh2"])
    }

    @Test func `RT-17 a challenge that joins an early renewal logs in where another process has logged out`() async throws {
        let store = CredentialTokenStore(MemoryCredentialStore.patient())
        // The store's lock is waited for in real time.
        let bench = try TokenBench(TokenServer(lifetime: .seconds(100)), store: store, flightTimeout: .seconds(600))
        #expect(try await bench.get() == "data")
        bench.clock.advance(by: .seconds(95))
        bench.server.expire()
        try store.deleteToken(for: bench.url)
        let (isHeld, lock) = (Gate(), Gate())
        defer { lock.open() }
        let url = try bench.url
        let holder = Task {
            try await store.withExclusiveAccess(for: url) {
                isHeld.open()
                await lock.passDeaf()
            }
        }
        await isHeld.pass()
        // The early renewal runs without a user as soon as the store's lock is free. Meanwhile the request is challenged and
        // joins it.
        let request = Task { try await bench.get() }
        try await awaitCondition { bench.events.count(.joined(waiters: 2)) == 1 }
        lock.open()
        try await holder.value
        #expect(try await request.value == "data")
        #expect((bench.server.obtained, bench.server.renewed) == (2, 0))
    }

    @Test(arguments: [true, false])
    func `RT-17 RT-19 a login's token that is stored late does not take the place of another process's`(
        isOvertaken: Bool
    ) async throws {
        let store = StubbornSharedStore()
        let bench = try TokenBench(store: store)
        store.fail(true)
        #expect(try await bench.get() == "data")
        #expect(bench.events.count(.notStored) == 1)
        store.fail(false)
        if isOvertaken { try store.store(token: OAuth2Token(accessToken: "other", tokenType: "Bearer"), for: bench.url) }
        bench.clock.advance(by: .seconds(30))
        #expect(try await bench.get() == "data")
        await store.replacing.pass()
        // The store is called in order, so no write is in progress when this returns.
        try await bench.observer.forget(at: nil, in: bench.session)
        #expect(try store.token(for: bench.url)?.accessToken == (isOvertaken ? "other" : "access1"))
    }

    @Test func `RT-19 a token that is stored late does not take the place of one that the application has stored`() async throws {
        let store = StubbornStore()
        let bench = try TokenBench(store: store)
        store.fail(true)
        #expect(try await bench.get() == "data")
        store.fail(false)
        try store.store(token: OAuth2Token(accessToken: "other", tokenType: "Bearer"), for: bench.url)
        bench.clock.advance(by: .seconds(30))
        let (read, stored) = (store.read, store.stored)
        #expect(try await bench.get() == "data")
        try await awaitCondition { store.read > read || store.stored > stored }
        try await bench.observer.forget(at: nil, in: bench.session)
        #expect(try store.token(for: bench.url)?.accessToken == "other")
    }

    @Test func `RT-19 RT-21 a refused refresh token does not bring back the older token that the store still has`() async throws {
        let store = StubbornStore()
        let bench = try TokenBench(store: store)
        try bench.keepToken()
        #expect(try await bench.get() == "data")
        bench.server.expire()
        store.fail(true)
        #expect(try await bench.get() == "data")
        #expect(bench.events.count(.notStored) == 1)
        store.fail(false)
        bench.server.expire()
        bench.server.conduct { _ in throw OAuth2TokenFailure.server("invalid_grant") }
        let sends = bench.transport.sent.count
        await #expect(throws: TokenServer.Failure.token(.terminal)) { try await bench.get() }
        #expect(bench.server.used == ["refresh0", "refresh2"])
        #expect(!bench.transport.sent[sends...].contains { $0["Authorization"] == "Bearer access0" })
        #expect(bench.events.count(.expired) == 1)
        #expect(try store.token(for: bench.url) == nil)
        bench.server.conduct { _ in }
        #expect(try await bench.get() == "data")
        #expect(bench.server.used == ["refresh0", "refresh2"])
        #expect(bench.server.obtained == 1)
    }
}
