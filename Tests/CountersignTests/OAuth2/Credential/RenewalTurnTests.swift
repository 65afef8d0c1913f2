import Foundation
import Testing

@testable import Countersign

/// Renewals of one token in a store without locks, by several sessions or registrations of a process.
@Suite("Turns of renewals", .timeLimit(.minutes(10)))
struct RenewalTurnTests {
    /// A time limit of authentications that no renewal reaches while thousands of other tests begin. The wait for a turn is in real time.
    private static let patience = Duration.seconds(600)

    /// Waits until a renewal of this session waits for another one, or until both are sent.
    private func awaitSecondRenewal(of bench: TokenBench) async throws {
        let place = ProtectionSpace(server: Origin(try bench.url), separators: [])
        let turn = try #require(bench.observer.credentials?.store?.turn(of: place))
        try await awaitCondition { RenewalTurns.waiterCount(for: turn) == 1 || bench.server.renewed == 2 }
    }

    @Test func `an observer that is registered again during a renewal waits for it, and the refresh token is sent once`()
        async throws
    {
        let bench = try TokenBench(flightTimeout: Self.patience)
        let gate = Gate()
        defer { gate.open() }
        let former = try await bench.beginRenewal(heldBy: gate)
        bench.session.unregister(bench.observer)
        _ = await former.result
        bench.session.register(bench.observer)
        let request = Task { try await bench.get() }
        try await awaitSecondRenewal(of: bench)
        gate.open()
        #expect(try await request.value == "data")
        #expect(bench.server.used == ["refresh0"])
        #expect(try bench.store.token(for: bench.url)?.accessToken == "access2")
    }

    @Test func `two sessions with one store renew one after the other, and the refresh token is sent once`() async throws {
        let first = try TokenBench(flightTimeout: Self.patience)
        let second = try TokenBench(first.server, store: first.store, flightTimeout: Self.patience)
        let gate = Gate()
        defer { gate.open() }
        let request = try await first.beginRenewal(heldBy: gate)
        let other = Task { try await second.get() }
        try await awaitSecondRenewal(of: second)
        gate.open()
        #expect(try await request.value == "data")
        #expect(try await other.value == "data")
        #expect(first.server.used == ["refresh0"])
    }

    @Test func `another session with the store waits until a renewed token is saved that the store has refused`() async throws {
        let store = StubbornStore()
        let first = try TokenBench(store: store, flightTimeout: Self.patience)
        let second = try TokenBench(first.server, store: store, flightTimeout: Self.patience)
        try first.keepToken(endingIn: -1)
        first.server.expire()
        store.fail(true)
        #expect(try await first.get() == "data")
        let other = Task { try await second.get() }
        try await awaitSecondRenewal(of: second)
        store.fail(false)
        #expect(try await other.value == "data")
        #expect(first.server.used == ["refresh0"])
    }

    @Test func `the next renewal of a token that the store has refused sends its refresh token`() async throws {
        let store = StubbornStore()
        let bench = try TokenBench(store: store, flightTimeout: Self.patience)
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        store.fail(true)
        #expect(try await bench.get() == "data")
        bench.server.expire()
        #expect(try await bench.get() == "data")
        #expect(bench.server.used == ["refresh0", "refresh2"])
    }

    @Test func `a renewal that has failed lets the next one send the refresh token again`() async throws {
        let bench = try TokenBench(flightTimeout: Self.patience)
        let gate = Gate()
        defer { gate.open() }
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        bench.server.conduct { number in
            await gate.passDeaf()
            if number == 1 { throw OAuth2TokenFailure.status(503) }
        }
        let former = Task { try await bench.get() }
        try await awaitCondition { bench.server.renewed == 1 }
        bench.session.unregister(bench.observer)
        _ = await former.result
        bench.session.register(bench.observer)
        let request = Task { try await bench.get() }
        try await awaitSecondRenewal(of: bench)
        #expect(bench.server.renewed == 1)
        gate.open()
        #expect(try await request.value == "data")
        #expect(bench.server.used == ["refresh0", "refresh0"])
    }

    @Test func `a store that is an object has turns, one that is a value has those of its user, and one with locks has none`()
        throws
    {
        let places = ["https://a.example", "https://b.example"].map {
            ProtectionSpace(server: URL(string: $0).flatMap { Origin($0) }, separators: [])
        }
        let (object, otherObject) = (MemoryTokenStore(), MemoryTokenStore())
        let users = [object, object, otherObject, NoTokens(), NoTokens()].map { (store: any OAuth2TokenStore) in
            TokenCredentials(store, for: nil)
        }
        let turns = users.map { $0.turn(of: places[0]) }
        #expect(turns[0] == turns[1])
        #expect(Set(turns).count == 4)
        #expect(!turns.contains(nil))
        #expect(users[0].turn(of: places[1]) != turns[0])
        #expect(users[3].turn(of: places[0]) == turns[3])
        #expect(TokenCredentials(CredentialTokenStore(MemoryCredentialStore.patient()), for: nil).turn(of: places[0]) == nil)
    }
}

/// A store without an identity.
private struct NoTokens: OAuth2TokenStore {
    func store(token: OAuth2Token, for url: URL) {}
    func token(for url: URL) -> OAuth2Token? { nil }
    func deleteToken(for url: URL) {}
}
