import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

@Suite("Tokens of a session", .timeLimit(.minutes(10)))
struct TokenObserverTests {
    @Test func `a challenged request is answered by a login and sent again with the token, which is stored`() async throws {
        let bench = try TokenBench()
        #expect(try await bench.get() == "data")
        #expect(bench.server.obtained == 1)
        #expect(bench.transport.sent.map { $0["Authorization"] } == [nil, "Bearer access1"])
        #expect(try bench.store.token(for: bench.url)?.accessToken == "access1")
        #expect(try await bench.get() == "data")
        #expect(bench.transport.sent.count == 3)
    }

    @Test func `RT-01 a thousand requests with an expired token need one renewal and are sent once each`() async throws {
        let bench = try TokenBench()
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        let results = await bench.getAtOnce(1_000)
        #expect(results.allSatisfy { (try? $0.get()) == "data" })
        #expect(bench.server.renewed == 1)
        #expect(bench.server.obtained == 0)
        #expect(bench.transport.sent.count == 1_000)
    }

    @Test func `RT-01 a thousand requests with a token that the server has revoked need one renewal and two sends each at most`()
        async throws
    {
        let bench = try TokenBench()
        try bench.keepToken()
        bench.server.expire()
        let results = await bench.getAtOnce(1_000)
        #expect(results.allSatisfy { (try? $0.get()) == "data" })
        #expect(bench.server.renewed == 1)
        #expect(bench.transport.sent.count <= 2_000)
    }

    @Test func `a token that expires soon is used while it is renewed once`() async throws {
        let bench = try TokenBench()
        try await bench.get()
        let gate = Gate()
        bench.server.conduct { _ in await gate.pass() }
        bench.clock.advance(by: .seconds(3_550))
        #expect(await bench.getAtOnce(10).allSatisfy { (try? $0.get()) == "data" })
        gate.open()
        await bench.events.wait(for: .authenticated(Generation(2)))
        #expect(bench.server.renewed == 1)
        #expect(try await bench.get() == "data")
        #expect(bench.transport.sent.last?["Authorization"] == "Bearer access2")
    }

    @Test func `RT-28 a token with a lifetime below the skew is used and not renewed again and again`() async throws {
        let bench = try TokenBench(TokenServer(isInteractive: false, lifetime: .nanoseconds(1)))
        bench.clock.advance(by: .seconds(1))
        #expect(try await bench.get() == "data")
        bench.clock.advance(by: .seconds(60))
        #expect(try await bench.get() == "data")
        #expect(bench.server.obtained == 1)
        #expect(bench.server.renewed == 1)
    }

    @Test func `a token that is rejected although it is new ends in the method's error`() async throws {
        let bench = try TokenBench(script: { _ in Reply(401) })
        await #expect(throws: TokenServer.Failure.rejected) { try await bench.get() }
        #expect(bench.server.obtained == 1)
    }

    @Test func `RT-07 a cancelled first request takes nothing along that a later renewal needs`() async throws {
        let bench = try TokenBench()
        let first = Task { try await bench.get() }
        #expect(try await first.value == "data")
        first.cancel()
        bench.server.expire()
        #expect(try await bench.get() == "data")
        #expect(bench.server.renewed == 1)
    }

    @Test func `RT-13 an origin whose renewal hangs does not hold up another`() async throws {
        let bench = try TokenBench(origins: .anywhere)
        let (hangs, gate) = (Gate(), Gate())
        try bench.keepToken()
        bench.server.expire()
        let isFirst = Mutex(true)
        bench.server.conduct { _ in
            if isFirst.withLock({ flag in
                defer { flag = false }; return flag
            }) {
                hangs.open()
                await gate.pass()
            }
        }
        let stuck = Task { try await bench.get() }
        await hangs.pass()
        #expect(try await bench.get("https://other.example/data") == "data")
        gate.open()
        #expect(try await stuck.value == "data")
    }
}

@Suite("Failed renewals", .timeLimit(.minutes(10)))
struct TokenRenewalFailureTests {
    @Test func `RT-21 a refused refresh token ends the session once, and the next request logs in`() async throws {
        let bench = try TokenBench()
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        let gate = Gate()
        bench.server.conduct { _ in
            await gate.pass()
            throw OAuth2TokenFailure.server("invalid_grant")
        }
        // The requests join one flight, so that all receive the error of one attempt. A later one would log in.
        async let all = bench.getAtOnce(20)
        await bench.events.wait(for: .joined(waiters: 20))
        gate.open()
        let results = await all
        let failures = results.compactMap { result in if case .failure(let error) = result { error } else { nil } }
        #expect(failures.contains { $0 as? TokenServer.Failure == .token(.terminal) })
        #expect(bench.server.renewed == 1)
        #expect(bench.events.count(.expired) == 1)
        #expect(try bench.store.token(for: bench.url) == nil)
        bench.server.conduct { _ in }
        bench.clock.advance(by: .seconds(60))
        #expect(try await bench.get() == "data")
        #expect(bench.server.renewed == 1)
    }

    @Test(arguments: [OAuth2TokenFailure.status(503), .server("temporarily_unavailable"), .server("invalid_client", status: 401)])
    func `RT-22 RT-24 a failure that says nothing of the refresh token keeps it`(failure: OAuth2TokenFailure) async throws {
        let bench = try TokenBench()
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        bench.server.conduct { _ in throw failure }
        await #expect(throws: TokenServer.Failure.token(failure.failureClass)) { try await bench.get() }
        #expect(try bench.store.token(for: bench.url)?.refreshToken == "refresh0")
        #expect(bench.events.count(.expired) == 0)
        bench.server.conduct { _ in }
        #expect(try await bench.get() == "data")
        #expect(bench.server.used == ["refresh0", "refresh0"])
        #expect(bench.server.obtained == 0)
    }

    @Test func `RT-22 a server that wants to be left alone is, and its answer stands`() async throws {
        let bench = try TokenBench()
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        bench.server.conduct { _ in throw OAuth2TokenFailure.status(429, retryAfter: .seconds(10)) }
        let failure = TokenServer.Failure.token(.transient(retryAfter: .seconds(10)))
        await #expect(throws: failure) { try await bench.get() }
        bench.clock.advance(by: .seconds(9))
        await #expect(throws: failure) { try await bench.get() }
        #expect(bench.server.renewed == 1)
        bench.server.conduct { _ in }
        bench.clock.advance(by: .seconds(1))
        #expect(try await bench.get() == "data")
        #expect(bench.server.renewed == 2)
    }

    @Test func `RT-22 a server that asks for a day is left alone for five minutes`() async throws {
        let bench = try TokenBench()
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        bench.server.conduct { _ in throw OAuth2TokenFailure.status(503, retryAfter: .seconds(86_400)) }
        let failure = TokenServer.Failure.token(.transient(retryAfter: .seconds(86_400)))
        await #expect(throws: failure) { try await bench.get() }
        bench.server.conduct { _ in }
        bench.clock.advance(by: .seconds(299))
        await #expect(throws: failure) { try await bench.get() }
        bench.clock.advance(by: .seconds(1))
        #expect(try await bench.get() == "data")
        #expect(bench.server.renewed == 2)
    }

    @Test func `RT-22 a pause of renewals does not hold up a login, which a logout in another process has made necessary`()
        async throws
    {
        let store = CredentialTokenStore(MemoryCredentialStore.patient())
        let bench = try TokenBench(store: store)
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        bench.server.conduct { _ in throw OAuth2TokenFailure.status(503, retryAfter: .seconds(300)) }
        let failure = TokenServer.Failure.token(.transient(retryAfter: .seconds(300)))
        await #expect(throws: failure) { try await bench.get() }
        bench.server.conduct { _ in }
        await #expect(throws: failure) { try await bench.get() }
        try store.deleteToken(for: bench.url)
        #expect(try await bench.get() == "data")
        #expect(bench.server.obtained == 1)
        #expect(bench.server.renewed == 1)
    }

    @Test func `RT-22 a pause of renewals does not keep the token of a direct login from being used`() async throws {
        let bench = try TokenBench()
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        bench.server.conduct { _ in throw OAuth2TokenFailure.status(503, retryAfter: .seconds(300)) }
        await #expect(throws: TokenServer.Failure.self) { try await bench.get() }
        try bench.keepToken()
        #expect(try await bench.get() == "data")
        #expect(bench.server.renewed == 1)
    }

    @Test func `RT-23 a lost answer is asked for once more with the same refresh token, at once`() async throws {
        let bench = try TokenBench()
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        bench.server.conduct { number in if number == 1 { throw OAuth2TokenFailure.lost } }
        #expect(try await bench.get() == "data")
        #expect(bench.server.used == ["refresh0", "refresh0"])
    }

    @Test func `RT-23 an answer that is lost twice is an error, and the token is kept`() async throws {
        let bench = try TokenBench()
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        bench.server.conduct { _ in throw OAuth2TokenFailure.lost }
        await #expect(throws: TokenServer.Failure.token(.ambiguous)) { try await bench.get() }
        #expect(bench.server.renewed == 2)
        #expect(try bench.store.token(for: bench.url)?.refreshToken == "refresh0")
    }

    @Test func `RT-14 a renewal that nobody waits for any more is finished, and its token is used`() async throws {
        let bench = try TokenBench()
        let gate = Gate()
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        bench.server.conduct { _ in await gate.passDeaf() }
        let request = Task { try await bench.get() }
        await bench.events.wait(for: .started(interactive: true))
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        let next = Task { try await bench.get() }
        gate.open()
        #expect(try await next.value == "data")
        #expect(bench.server.renewed == 1)
        #expect(try bench.store.token(for: bench.url)?.accessToken == "access2")
    }
}
