import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Countersign

/// A method whose server issues a token without a user.
private struct ServiceToken: ProgramParameters {
    static let program = MethodProgram(
        name: "Service", summary: "A token of a service.",
        slots: [.parameter("server"), .credential("token", isSecret: true)],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(fields: [.slot(1)], destinations: [0]),
        acquire: [
            .http(
                HTTPCall(
                    "POST", ProgramTemplate(.text("https://login.example/login")),
                    answers: [
                        HTTPCall.Answer(
                            ChallengePattern("answer 1", statuses: [200], captures: [.slot(1, from: .json(["/token"]))]))
                    ]))
        ],
        attach: [.header("X-Token", ProgramTemplate(.slot(1)))], rejections: [RejectionRule(.acquire)])

    var slotValues: [ProgramValue] { [URL(string: ProgramBench.origin).map { .url($0) } ?? .absent] }
}

/// Stores whose changes do not end: only the wait has a time limit, and the change is made later.
@Suite("Time limits of stores", .timeLimit(.minutes(10)))
struct StoreTimeLimitTests {
    @Test func `a save that does not end in time has failed, is not cancelled, and is made once the store answers`() async throws {
        let (store, gate, clock) = (GatedStore(), Turnstile(), ManualClock())
        defer { gate.open() }
        store.writes.withLock { $0 = gate }
        let server = try #require(URL(string: ProgramBench.origin))
        let method = PreparedProgram(PasswordParameters(server: server), prompter: nil)
        let timed = TimedRepository(StoredCredentials(store, of: method), .test { $0.clock = clock })
        let place = ProtectionSpace(server: Origin(server), separators: [])
        let entry = CredentialEntry(
            server: Origin(server)?.description, separators: [], fields: ["password": "s3cret"], cookies: nil, attached: [],
            expires: nil)
        let saving = Task { await timed.save(for: place) { StoredChange(entry: entry, basis: .nothing) } }
        await gate.arrivals(1)
        await clock.sleepers(1)
        saving.cancel()
        for _ in 0..<100 { await Task.yield() }
        clock.advance(by: .seconds(60))
        let outcome = await saving.value
        guard case .failed(let error as CountersignError) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(error.code == .timedOut)
        #expect(try await timed.load(place) == nil)
        gate.open()
        while try await timed.load(place) != entry { await Task.yield() }
    }

    @Test(arguments: [false, true])
    func `a login that takes too long is the silence of a server only if the store has answered`(
        _ isStoreSlow: Bool
    ) async throws {
        let (store, login, write) = (GatedStore(), Turnstile(), Turnstile())
        defer {
            login.open()
            write.open()
        }
        store.writes.withLock { $0 = write }
        let bench = ProgramBench(ProgramObserver(parameters: ServiceToken(), prompter: nil, store: store)) { sent in
            guard sent.path == "/login" else { return sent["X-Token"] == nil ? Reply(401) : .text("data") }
            try await login.pass()
            return .text(#"{"token":"t"}"#)
        }
        let limit = bench.session.configuration.flightTimeout
        let request = Task { try await bench.get() }
        await login.arrivals(1)
        // The login is limited.
        await bench.clock.sleepers(1)
        bench.clock.advance(by: limit / 2)
        if isStoreSlow {
            login.open()
            await write.arrivals(1)
            // So is the store, but later.
            await bench.clock.sleepers(2)
        }
        bench.clock.advance(by: limit / 2)
        let result = await ending(of: request)
        let error = #expect(throws: CountersignError.self) { try result.get() }
        #expect(error?.code == .timedOut && error?.authenticationMethod == "Service")
        #expect(error?.isSilenceOfServer == !isStoreSlow)
    }

    @Test func `a logout fails at the time limit, and its token is deleted once the store answers`() async throws {
        let store = BlockedStore()
        defer { store.answer() }
        let bench = try TokenBench(store: store)
        #expect(try await bench.get() == "data")
        let logout = Task { try await bench.session.logOut() }
        let result = await ending(of: logout, on: bench.clock)
        #expect((#expect(throws: CountersignError.self) { try result.get() })?.code == .timedOut)
        #expect(try store.token(for: bench.url) != nil)
        store.answer()
        #expect(try await comesTrue { try store.token(for: bench.url) == nil })
    }

    @Test func `a logout waits for several stores at once`() async throws {
        let stores = [BlockedStore(), BlockedStore()]
        defer { for store in stores { store.answer() } }
        let bench = try TokenBench(store: stores[0])
        let origin = try #require(Origin(try bench.url))
        bench.session.register(
            ManagedObserver(
                name: "Other", method: TokenServer.method, source: bench.server, store: stores[1],
                origins: ProtectedOrigins(origins: [origin])))
        #expect(try await bench.get() == "data")
        let logout = Task { try await bench.session.logOut() }
        // For each store, the logout waits, and the task that reports a failure.
        await bench.clock.sleepers(4)
        bench.clock.advance(by: bench.session.configuration.flightTimeout)
        let result = await ending(of: logout)
        #expect((#expect(throws: CountersignError.self) { try result.get() })?.code == .timedOut)
    }

    @Test func `the lock of a token is waited for within the time limit of the authentication`() async throws {
        let store = CredentialTokenStore(MemoryCredentialStore())
        let url = try #require(URL(string: TokenBench.origin))
        let place = ProtectionSpace(server: Origin(url), separators: [])
        let (isHeld, lock) = (Gate(), Gate())
        defer { lock.open() }
        let holder = Task {
            try await store.withExclusiveAccess(for: url) {
                isHeld.open()
                await lock.passDeaf()
            }
        }
        await isHeld.pass()
        let tokens = TokenCredentials(store, for: nil)
        let waiting = Task {
            try await tokens.exclusively(for: place, timeout: .milliseconds(50), unless: { () -> Int? in nil }, { 1 })
        }
        let result = await ending(of: waiting)
        #expect((#expect(throws: CredentialStoreError.self) { try result.get() })?.code == .lockTimedOut)
        lock.open()
        try await holder.value
        let work = try await tokens.exclusively(for: place, timeout: .seconds(60), unless: { () -> Int? in nil }, { 2 })
        #expect(work == 2)
    }

    @Test func `a logout that is cancelled does not wait for its store`() async throws {
        let store = BlockedStore()
        defer { store.answer() }
        let bench = try TokenBench(store: store)
        #expect(try await bench.get() == "data")
        let logout = Task { try await bench.session.logOut() }
        await store.deleting.pass()
        logout.cancel()
        let result = await ending(of: logout)
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(bench.events.count(.ended) == 1)
    }
}

/// A store of tokens that deletes none until the test continues.
private final class BlockedStore: OAuth2TokenStore {
    private let memory = MemoryTokenStore()
    private let pause = DispatchSemaphore(value: 0)
    /// Opens when a deletion has begun.
    let deleting = Gate()

    /// Lets all deletions end.
    func answer() { pause.signal() }

    func store(token: OAuth2Token, for url: URL) throws { try memory.store(token: token, for: url) }
    func token(for url: URL) -> OAuth2Token? { memory.token(for: url) }
    func deleteToken(for url: URL) {
        deleting.open()
        pause.wait()
        pause.signal()
        memory.deleteToken(for: url)
    }
}
