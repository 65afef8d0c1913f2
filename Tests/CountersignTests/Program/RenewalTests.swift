import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A method whose login by a password returns a token and a refresh token.
private struct RenewableParameters: ProgramParameters {
    static let program = MethodProgram(
        name: "Renewable", summary: "A token that is renewed.",
        slots: [
            .parameter("server"), .parameter("password", isSecret: true),
            .credential("token", isSecret: true), .credential("refresh", isSecret: true),
            .credential("lifetime"),
        ],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(
            fields: [2, 3, 4].map { .slot($0) }, space: .servers, lifetime: 4, destinations: [0]),
        acquire: [.http(call("password", 1))], renewal: CredentialRenewal(needs: [3], [.http(call("refresh", 3))]),
        attach: [.header("Authorization", ProgramTemplate(.text("Token "), .slot(2)))],
        rejections: [RejectionRule(.renew, .acquire)])

    private static func call(_ name: String, _ slot: Int) -> HTTPCall {
        HTTPCall(
            "POST", ProgramTemplate(.text("https://login.example/\(name)")),
            body: .form([HTTPCall.Member(ProgramTemplate(.text(name)), ProgramTemplate(.slot(slot)))]),
            answers: [
                HTTPCall.Answer(
                    ChallengePattern(
                        "answer 1", statuses: [200],
                        captures: [
                            .slot(2, from: .json(["/token"])),
                            .slot(3, from: .json(["/refresh"]), isOptional: true),
                            .slot(4, from: .json(["/lifetime"]), as: .seconds, isOptional: true),
                        ])),
                HTTPCall.Answer(ChallengePattern("answer 2", statuses: [400]), isRefusal: true),
            ])
    }

    var slotValues: [ProgramValue] {
        [
            URL(string: ProgramBench.origin).map(ProgramValue.url) ?? .absent,
            .secret("wonderland"),
        ]
    }
}

/// The servers of one or several processes. A refresh token is valid once.
private final class TokenServers: Sendable {
    struct State {
        var tokens: Set<String> = []
        var refreshTokens: Set<String> = []
        var made = 0
        var logins = 0
        var renewals = 0
        var refusals = 0
        var failures = 0
        /// Characters that lengthen the tokens.
        var padding = ""
        /// The faults of the next renewals.
        var faults: [Fault] = []
        var givesRefreshTokens = true
        var lifetime = 3600
    }

    enum Fault {
        case unavailable
        /// The server is unavailable, and demands a pause of a minute.
        case busy
        /// The renewal is performed, but its response is lost. The old refresh token is valid once more.
        case lostAnswer
    }

    let state = Mutex(State())
    /// The gate at which renewals wait; `nil` if they do not wait.
    let gate = Mutex<Turnstile?>(nil)

    func answer(_ sent: ScriptedTransport.Sent) async throws -> Reply {
        guard sent.url.host() == "login.example" else {
            if sent.path == "/closed" { return Reply(401) }
            let token = sent["Authorization"].map { String($0.dropFirst("Token ".count)) }
            return state.withLock { token.map($0.tokens.contains) == true } ? .text("data") : Reply(401)
        }
        let form = String(decoding: try await sent.body(), as: UTF8.self)
        let value = String(form.drop { $0 != "=" }.dropFirst())
        guard sent.path == "/refresh" else {
            return state.withLock { state in
                state.logins += 1
                return Self.token(&state)
            }
        }
        try await gate.withLock(\.self)?.pass()
        return try state.withLock { state in
            let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
            if fault == .unavailable || fault == .busy {
                state.failures += 1
                return Reply(503, fault == .busy ? [("Retry-After", "60")] : [])
            }
            guard state.refreshTokens.contains(value) else {
                state.refusals += 1
                return Reply(400)
            }
            state.renewals += 1
            guard fault == .lostAnswer else {
                state.refreshTokens.remove(value)
                return Self.token(&state)
            }
            _ = Self.token(&state)
            throw TransportError(.connectionLost, detail: "lost", requestMayHaveBeenProcessed: true)
        }
    }

    private static func token(_ state: inout State) -> Reply {
        state.made += 1
        let token = "t\(state.made)\(state.padding)"
        state.tokens.insert(token)
        guard state.givesRefreshTokens else { return .text(#"{"token":"\#(token)","lifetime":\#(state.lifetime)}"#) }
        state.refreshTokens.insert("r\(state.made)")
        return .text(#"{"token":"\#(token)","refresh":"r\#(state.made)","lifetime":\#(state.lifetime)}"#)
    }

    /// Logins, renewals, and refused renewals.
    var counts: [Int] { state.withLock { [$0.logins, $0.renewals, $0.refusals] } }

    /// Invalidates all access tokens.
    func forgetTokens() { state.withLock { $0.tokens = [] } }
    /// Invalidates all tokens.
    func endSessions() {
        state.withLock { state in
            state.tokens = []
            state.refreshTokens = []
        }
    }
}

/// Renewal of a credential without a login.
@Suite("Renewal of programs' credentials", .timeLimit(.minutes(10)))
struct RenewalTests {
    private let servers = TokenServers()

    private func process(_ store: (any CredentialStore)? = nil) -> ProgramBench {
        let servers = servers
        return ProgramBench(ProgramObserver(parameters: RenewableParameters(), prompter: nil, store: store)) {
            try await servers.answer($0)
        }
    }

    /// Returns the credentials that the requests for data carried.
    private func carried(_ bench: ProgramBench) -> [String?] {
        bench.transport.sent.filter { $0.url.host() == "app.example" }.map { $0["Authorization"] }
    }

    @Test func `a refused token is renewed, once for all that wait`() async throws {
        let bench = process()
        #expect(try await bench.get() == 200)
        servers.forgetTokens()
        #expect(try await bench.get(times: 100) == [200: 100])
        #expect(servers.counts == [1, 1, 0])
        // Fields that the renewal has not set keep their values, and the others are new.
        servers.forgetTokens()
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [1, 2, 0])
    }

    @Test func `an expired credential is renewed before the request is sent`() async throws {
        let bench = process()
        #expect(try await bench.get() == 200)
        bench.clock.advance(by: .seconds(3601))
        #expect(try await bench.get(times: 20) == [200: 20])
        #expect(servers.counts == [1, 1, 0])
        #expect(carried(bench).dropFirst(2).allSatisfy { $0 == "Token t2" })
    }

    @Test func `a credential that expires soon is renewed meanwhile`() async throws {
        let bench = process()
        #expect(try await bench.get() == 200)
        let gate = Turnstile()
        servers.gate.withLock { $0 = gate }
        bench.clock.advance(by: .seconds(3590))
        for _ in 0..<3 { #expect(try await bench.get() == 200) }
        #expect(carried(bench).suffix(3) == ["Token t1", "Token t1", "Token t1"])
        await gate.arrivals(1)
        gate.open()
        await bench.events.wait(for: .authenticated(Generation(2)))
        #expect(try await bench.get() == 200)
        #expect(carried(bench).last == "Token t2")
        #expect(servers.counts == [1, 1, 0])
    }

    @Test func `an early renewal that fails is left alone for a while, and nothing is lost`() async throws {
        let bench = process()
        #expect(try await bench.get() == 200)
        servers.state.withLock { $0.faults = [.unavailable] }
        bench.clock.advance(by: .seconds(3590))
        #expect(try await bench.get() == 200)
        // A request after the expiry must not join the failing renewal, whose error it would get.
        #expect(await comesTrue { bench.session.state.withLock { $0.savesUnderWay } == 0 })
        #expect(servers.state.withLock { $0.faults.isEmpty })
        for _ in 0..<5 { #expect(try await bench.get() == 200) }
        #expect(servers.counts == [1, 0, 0])
        bench.clock.advance(by: .seconds(20))
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [1, 1, 0])
    }

    @Test func `a server that fails ends the request, and the next one renews`() async throws {
        let bench = process()
        #expect(try await bench.get() == 200)
        servers.forgetTokens()
        servers.state.withLock { $0.faults = [.unavailable] }
        await expectError(.unexpectedAnswer) { _ = try await bench.get() }
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [1, 1, 0])
    }

    @Test func `what cannot be renewed any more is obtained anew`() async throws {
        let bench = process()
        #expect(try await bench.get() == 200)
        servers.endSessions()
        #expect(try await bench.get(times: 10) == [200: 10])
        #expect(servers.counts == [2, 0, 1])
        servers.endSessions()
        bench.clock.advance(by: .seconds(3601))
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [3, 0, 2])
    }

    @Test func `without what renews there is a login, before the request where nobody has to be asked`() async throws {
        servers.state.withLock { $0.givesRefreshTokens = false }
        let bench = process()
        #expect(try await bench.get() == 200)
        bench.clock.advance(by: .seconds(3601))
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [2, 0, 0])
        #expect(carried(bench) == [nil, "Token t1", "Token t2"])
    }

    @Test func `a lost answer is asked for once more`() async throws {
        let bench = process()
        #expect(try await bench.get() == 200)
        servers.forgetTokens()
        servers.state.withLock { $0.faults = [.lostAnswer] }
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [1, 2, 0])
    }

    @Test func `a renewal goes on when all that wait for it have left, and the next request has what it brought`() async throws {
        let bench = process()
        #expect(try await bench.get() == 200)
        servers.forgetTokens()
        let gate = Turnstile()
        servers.gate.withLock { $0 = gate }
        let request = Task { try await bench.get() }
        await gate.arrivals(1)
        request.cancel()
        await #expect(throws: (any Error).self) { try await request.value }
        gate.open()
        #expect(await comesTrue { servers.counts == [1, 1, 0] })
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [1, 1, 0])
    }

    @Test func `nothing of a renewal is kept after a logout`() async throws {
        let store = MemoryCredentialStore.patient()
        let bench = process(store)
        #expect(try await bench.get() == 200)
        servers.forgetTokens()
        let gate = Turnstile()
        servers.gate.withLock { $0 = gate }
        let request = Task { try await bench.get() }
        await gate.arrivals(1)
        try await bench.session.logOut()
        gate.open()
        await #expect(throws: (any Error).self) { try await request.value }
        #expect(await comesTrue { servers.counts == [1, 1, 0] })
        servers.gate.withLock { $0 = nil }
        #expect(try await process(store).get() == 200)
        #expect(servers.counts == [2, 1, 0])
    }

    @Test func `a renewal is stored in place of damaged content, and the session goes on`() async throws {
        let store = FailingStore([:])
        let bench = process(store)
        #expect(try await bench.get() == 200)
        store.fail("read", .corrupt)
        servers.forgetTokens()
        #expect(try await bench.get() == 200)
        #expect(bench.events.count(.superseded) == 0)
        store.heal()
        servers.forgetTokens()
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [1, 2, 0])
        servers.forgetTokens()
        #expect(try await process(store).get() == 200)
        #expect(servers.counts == [1, 3, 0])
    }

    @Test func `a resource that takes no token costs no session`() async throws {
        let bench = process()
        #expect(try await bench.get() == 200)
        for _ in 0..<2 {
            await expectError(.challengedAgain) { _ = try await bench.get("/closed") }
            #expect(try await bench.get() == 200)
        }
        #expect(servers.counts == [1, 2, 0])
    }

    @Test func `a pause that the server wants is kept`() async throws {
        let bench = process()
        #expect(try await bench.get() == 200)
        servers.forgetTokens()
        servers.state.withLock { $0.faults = [.busy] }
        for _ in 0..<3 { await expectError(.unexpectedAnswer) { _ = try await bench.get() } }
        #expect(servers.state.withLock(\.failures) == 1)
        bench.clock.advance(by: .seconds(61))
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [1, 1, 0])
    }

    @Test func `a long token is one`() async throws {
        servers.state.withLock { $0.padding = String(repeating: "x", count: 16_000) }
        let bench = process()
        #expect(try await bench.get() == 200)
        servers.forgetTokens()
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [1, 1, 0])
    }

    @Test func `a renewal during which the observer is unregistered is stored for the next process`() async throws {
        let servers = servers
        let store = MemoryCredentialStore.patient()
        let observer = ProgramObserver(parameters: RenewableParameters(), prompter: nil, store: store)
        let bench = ProgramBench(observer) { try await servers.answer($0) }
        #expect(try await bench.get() == 200)
        servers.forgetTokens()
        let gate = Turnstile()
        servers.gate.withLock { $0 = gate }
        let request = Task { try await bench.get() }
        await gate.arrivals(1)
        bench.session.unregister(observer)
        await #expect(throws: (any Error).self) { try await request.value }
        gate.open()
        await bench.session.invalidate(cancelling: false)
        servers.forgetTokens()
        #expect(try await process(store).get() == 200)
        #expect(servers.counts == [1, 2, 0])
    }

    // MARK: The end of the session

    @Test func `a session that ends in order waits until a renewal beside its requests is stored`() async throws {
        let (store, gate) = (GatedStore(), Turnstile())
        let bench = process(store)
        #expect(try await bench.get() == 200)
        store.writes.withLock { $0 = gate }
        bench.clock.advance(by: .seconds(3590))
        #expect(try await bench.get() == 200)
        await gate.arrivals(1)
        // The server has replaced the refresh token, and the store still has the old one.
        let end = Task { await bench.session.invalidate(cancelling: false) }
        while (try? await bench.get()) != nil { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(bench.transport.shutdowns == 0)
        gate.open()
        await end.value
        #expect(bench.transport.shutdowns == 1)
        servers.forgetTokens()
        #expect(try await process(store).get() == 200)
        #expect(servers.counts == [1, 2, 0])
    }

    @Test func `a session that is closed does not wait for a renewal, and neither does an earlier wait`() async throws {
        let (store, gate) = (GatedStore(), Turnstile())
        let bench = process(store)
        #expect(try await bench.get() == 200)
        store.writes.withLock { $0 = gate }
        bench.clock.advance(by: .seconds(3590))
        #expect(try await bench.get() == 200)
        await gate.arrivals(1)
        let end = Task { await bench.session.invalidate(cancelling: false) }
        while (try? await bench.get()) != nil { await Task.yield() }
        await bench.session.invalidate(cancelling: true)
        await end.value
        #expect(bench.transport.shutdowns == 1)
        gate.open()
    }

    @Test func `a session that ends in order does not wait for a save that never ends, and the save is made later`() async throws {
        let (memory, gate) = (MemoryCredentialStore.patient(), Turnstile())
        defer { gate.open() }
        let store = GatedStore(memory)
        let bench = process(store)
        #expect(try await bench.get() == 200)
        store.writes.withLock { $0 = gate }
        bench.clock.advance(by: .seconds(3590))
        #expect(try await bench.get() == 200)
        await gate.arrivals(1)
        let end = Task { () async throws in await bench.session.invalidate(cancelling: false) }
        while (try? await bench.get()) != nil { await Task.yield() }
        #expect(bench.transport.shutdowns == 0)
        _ = await ending(of: end, on: bench.clock)
        #expect(bench.transport.shutdowns == 1)
        #expect(bench.events.count(.notStored) == 1)
        gate.open()
        while try await content(of: memory)?.contains("r2") != true { await Task.yield() }
        servers.forgetTokens()
        #expect(try await process(store).get() == 200)
        #expect(servers.counts == [1, 2, 0])
    }

    // MARK: Stores

    /// Returns what a store has.
    private func content(of store: any CredentialStore) async throws -> String? {
        let key = CredentialKey("Countersign credential\nRenewable\nserver=https://app.example")
        return try await store.read(key).map { String(decoding: $0.secret.bytes, as: UTF8.self) }
    }

    @Test func `a login whose save does not end fails its request at the time limit, and the next request has its token`()
        async throws
    {
        let (store, gate) = (GatedStore(), Turnstile())
        defer { gate.open() }
        store.writes.withLock { $0 = gate }
        let bench = process(store)
        let request = Task { try await bench.get() }
        await gate.arrivals(1)
        // The time limits of the authentication and of the save.
        await bench.clock.sleepers(2)
        bench.clock.advance(by: .seconds(60))
        await expectError(.timedOut) { _ = try await request.value }
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [1, 0, 0])
    }

    @Test func `a store that failed once is asked again, and what is used up is not sent from it`() async throws {
        let store = FailingStore([:])
        let first = process(store)
        #expect(try await first.get() == 200)
        store.fail("write", .noSpace)
        servers.forgetTokens()
        #expect(try await first.get() == 200)
        #expect(servers.counts == [1, 1, 0])
        store.heal()
        first.clock.advance(by: .seconds(31))
        #expect(try await first.get() == 200)
        while try await content(of: store)?.contains("r2") != true { await Task.yield() }
        let second = process(store)
        #expect(try await second.get() == 200)
        servers.forgetTokens()
        #expect(try await second.get() == 200)
        #expect(servers.counts == [1, 2, 0])
    }

    @Test func `what a failing store does not have is kept for the next registration, and the used token is not sent again`()
        async throws
    {
        let (servers, store) = (servers, FailingStore([:]))
        let observer = ProgramObserver(parameters: RenewableParameters(), prompter: nil, store: store)
        let bench = ProgramBench(observer) { try await servers.answer($0) }
        #expect(try await bench.get() == 200)
        store.fail("write", .noSpace)
        servers.forgetTokens()
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [1, 1, 0])
        bench.session.unregister(observer)
        bench.session.register(observer)
        store.heal()
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [1, 1, 0])
        bench.clock.advance(by: .seconds(31))
        #expect(try await bench.get() == 200)
        while try await content(of: store)?.contains("r2") != true { await Task.yield() }
    }

    @Test func `a token that the store fails to save after the observer was unregistered is kept for the next registration`()
        async throws
    {
        let (servers, store, gate) = (servers, FailingStore([:]), Turnstile())
        defer { gate.open() }
        let observer = ProgramObserver(parameters: RenewableParameters(), prompter: nil, store: store)
        let bench = ProgramBench(observer) { try await servers.answer($0) }
        #expect(try await bench.get() == 200)
        servers.forgetTokens()
        servers.gate.withLock { $0 = gate }
        let request = Task { try await bench.get() }
        await gate.arrivals(1)
        bench.session.unregister(observer)
        await #expect(throws: (any Error).self) { try await request.value }
        store.fail("write", .noSpace)
        gate.open()
        #expect(await comesTrue { bench.events.count(.notStored) == 1 })
        // Nothing is saved before the renewal has ended.
        #expect(await comesTrue { bench.session.state.withLock { $0.savesUnderWay } == 0 })
        store.heal()
        bench.session.register(observer)
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [1, 1, 0])
        bench.clock.advance(by: .seconds(31))
        #expect(try await bench.get() == 200)
        while try await content(of: store)?.contains("r2") != true { await Task.yield() }
        #expect(servers.counts == [1, 1, 0])
    }

    @Test func `a token that is deleted while an unregistered observer renews it is not brought back by the next registration`()
        async throws
    {
        let (servers, store, gate) = (servers, MemoryCredentialStore.patient(), Turnstile())
        defer { gate.open() }
        let observer = ProgramObserver(parameters: RenewableParameters(), prompter: nil, store: store)
        let bench = ProgramBench(observer) { try await servers.answer($0) }
        #expect(try await bench.get() == 200)
        servers.forgetTokens()
        servers.gate.withLock { $0 = gate }
        let request = Task { try await bench.get() }
        await gate.arrivals(1)
        bench.session.unregister(observer)
        await #expect(throws: (any Error).self) { try await request.value }
        // Another process logs out.
        try await store.clear()
        gate.open()
        #expect(await comesTrue { bench.session.state.withLock { $0.savesUnderWay } == 0 })
        #expect(try await content(of: store) == nil)
        bench.session.register(observer)
        #expect(try await bench.get() == 200)
        #expect(servers.counts == [2, 1, 0])
    }

    @Test func `a token that replaces one whose save is being repeated takes its place in the store`() async throws {
        let (store, gate) = (FailingStore([:]), Turnstile())
        defer { gate.open() }
        let bench = process(store)
        #expect(try await bench.get() == 200)
        store.fail("write", .noSpace)
        servers.forgetTokens()
        #expect(try await bench.get() == 200)
        store.heal()
        store.writes.withLock { $0 = gate }
        bench.clock.advance(by: .seconds(31))
        #expect(try await bench.get() == 200)
        await gate.arrivals(1)
        // The store is about to have the second token, and the renewal still finds the first one.
        servers.forgetTokens()
        let request = Task { try await bench.get() }
        #expect(await comesTrue { servers.counts == [1, 2, 0] })
        gate.open()
        #expect(try await request.value == 200)
        #expect(try await content(of: store)?.contains("r3") == true)
        servers.forgetTokens()
        #expect(try await process(store).get() == 200)
        #expect(servers.counts == [1, 3, 0])
    }

    @Test func `a save that a renewal has prevented is made with the next request`() async throws {
        let (servers, store, gate) = (servers, FailingStore([:]), Turnstile())
        defer { gate.open() }
        let observer = ProgramObserver(parameters: RenewableParameters(), prompter: nil, store: store)
        let bench = ProgramBench(observer) { try await servers.answer($0) }
        #expect(try await bench.get() == 200)
        store.fail("write", .noSpace)
        servers.forgetTokens()
        #expect(try await bench.get() == 200)
        store.heal()
        servers.forgetTokens()
        servers.state.withLock { $0.faults = [.unavailable] }
        servers.gate.withLock { $0 = gate }
        let request = Task { try await bench.get() }
        await gate.arrivals(1)
        // The repeated save of a request that came just before, whose turn in the store comes only now.
        let credential = try #require(observer.manager.spaces.withLock { $0.all }.first)
        await credential.storeAgain(in: bench.session, epoch: credential.state.withLock { $0.epoch })
        #expect(try await content(of: store)?.contains("r2") == false)
        gate.open()
        await expectError(.unexpectedAnswer) { _ = try await request.value }
        servers.state.withLock { _ = $0.tokens.insert("t2") }
        #expect(try await bench.get() == 200)
        #expect(await comesTrue { bench.session.state.withLock { $0.savesUnderWay } == 0 })
        #expect(try await content(of: store)?.contains("r2") == true)
        #expect(servers.counts == [1, 1, 0])
    }

    @Test func `the wait for a store's lock ends before the authentication, whose error would not name the lock`() async throws {
        let store = GatedStore()
        let bench = process(store)
        #expect(try await bench.get() == 200)
        servers.forgetTokens()
        #expect(try await bench.get() == 200)
        let limit = bench.session.configuration.flightTimeout
        let timeouts = store.lockTimeouts.withLock(\.self)
        #expect(timeouts.count == 2)
        #expect(timeouts.allSatisfy { $0 < limit && $0 > limit / 2 })
    }

    @Test func `processes with one store that has nothing log in once`() async throws {
        let store = MemoryCredentialStore.patient()
        let processes = (0..<5).map { _ in process(store) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for process in processes { group.addTask { try await process.get() } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(servers.counts == [1, 0, 0])
    }

    @Test func `a process renews what another one has stored, although that has expired`() async throws {
        servers.state.withLock { $0.lifetime = 1 }
        let store = MemoryCredentialStore.patient()
        #expect(try await process(store).get() == 200)
        try await Task.sleep(for: .milliseconds(1100))
        servers.state.withLock { $0.lifetime = 3600 }
        let second = process(store)
        #expect(try await second.get() == 200)
        #expect(servers.counts == [1, 1, 0])
        #expect(carried(second) == [nil, "Token t2"])
    }

    @Test func `processes with one store renew once`() async throws {
        let store = MemoryCredentialStore.patient()
        let processes = (0..<5).map { _ in process(store) }
        for process in processes { #expect(try await process.get() == 200) }
        #expect(servers.counts == [1, 0, 0])
        servers.forgetTokens()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for process in processes { group.addTask { try await process.get() } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(servers.counts == [1, 1, 0])
    }

    @Test func `what another process has ended is not begun again by a renewal`() async throws {
        let store = MemoryCredentialStore.patient()
        let (first, second) = (process(store), process(store))
        #expect(try await first.get() == 200)
        #expect(try await second.get() == 200)
        try await first.session.logOut()
        servers.forgetTokens()
        #expect(try await second.get() == 200)
        #expect(servers.counts == [2, 0, 0])
    }
}
