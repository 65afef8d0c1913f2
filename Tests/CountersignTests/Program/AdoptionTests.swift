import Foundation
import HTTPTypes
import Synchronization
import Testing

@_spi(Generated) @testable import Countersign

/// A method with a revocation, whose tokens come from the application.
private struct AdoptedToken: ProgramParameters {
    static let program = MethodProgram(
        name: "Adopted", summary: "A token.",
        slots: [.parameter("server"), .credential("token", isSecret: true)],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(fields: [.slot(1)], destinations: [0]),
        acquire: [.prompt(0, slots: [1])],
        attach: [.header("Authorization", ProgramTemplate(.text("Bearer "), .slot(1)))],
        rejections: [RejectionRule(.acquire, retries: 1)],
        end: [
            .http(
                HTTPCall(
                    "DELETE", ProgramTemplate(.text("https://app.example/token")),
                    headers: [HTTPCall.Member("X-Token", ProgramTemplate(.slot(1)))],
                    answers: [HTTPCall.Answer(ChallengePattern("answer 1", statuses: [204]))]))
        ])

    var slotValues: [ProgramValue] { [URL(string: ProgramBench.origin).map { .url($0) } ?? .absent] }
}

/// Credentials of the application, and a logout at the same time.
@Suite("Adoption of credentials", .timeLimit(.minutes(10)))
struct AdoptionTests {
    /// An observer that adopts a token for another one after the logout has asked it for its own revocations.
    private final class LateObserver: SessionObserver {
        let name = "Late"
        private let observer: ProgramObserver<AdoptedToken>

        init(_ observer: ProgramObserver<AdoptedToken>) { self.observer = observer }

        func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Countersign.Attachment { .nothing }

        func revocations(in session: Session) -> [Revocation] {
            // The logout does not wait for anything here, so another thread adopts the token.
            _ = try? BlockingBridge().wait { [observer] () async throws -> Bool in
                try await observer.adopt([1: .secret("t1")], in: session)
            }
            return []
        }
    }

    /// An observer whose stores take long to read: another observer is registered meanwhile, and adopts a token.
    private final class SlowObserver: StoringObserver {
        let name = "Slow"
        private let other: ProgramObserver<AdoptedToken>

        init(registering other: ProgramObserver<AdoptedToken>) { self.other = other }

        func storedRevocations(in session: Session) async throws -> [Revocation] {
            session.register(other)
            _ = try await other.adopt([1: .secret("t1")], in: session)
            return []
        }

        var credentials: CredentialManager? { nil }
    }

    /// An observer that runs work while a logout ends the user's session, when it tells the observers.
    private final class EndObserver: SessionObserver {
        let name = "End"
        private let work: @Sendable (Session) -> Void

        init(_ work: @escaping @Sendable (Session) -> Void) { self.work = work }

        func didEndSession(_ session: Session) { work(session) }
    }

    /// An application with another token for each prompt: "t1", "t2", and so on.
    private final class Tokens: ProgramPrompting {
        private let given = Mutex(0)

        var count: Int { given.withLock { $0 } }

        func answer(prompt index: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
            let number = given.withLock { given in
                given += 1
                return given
            }
            return [.secret("t\(number)")]
        }
    }

    /// Logs the user out on a thread that an observer may block.
    private func logOutAlone(_ session: Session) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try BlockingBridge().wait { () async throws -> Void in try await session.logOut() }
                    })
            }
        }
    }

    /// The only credential of an observer.
    private func credential(of observer: ProgramObserver<AdoptedToken>) throws -> ManagedCredential {
        try #require(observer.manager.spaces.withLock { $0.all }.first)
    }

    /// Returns a credential of a method with this token.
    private func token(_ token: String, of credential: ManagedCredential) throws -> HeldCredential {
        var values = credential.method.parameters
        values[1] = .secret(token)
        return try credential.held(values, nil, signer: nil)
    }

    private func bench(_ observer: any SessionObserver) -> ProgramBench {
        ProgramBench(observer) { sent in
            if sent.method == .delete { return Reply(204) }
            if sent.path == "/open" { return .text("open") }
            return sent["Authorization"] == nil ? Reply(401) : .text("data")
        }
    }

    private func revoked(_ bench: ProgramBench) -> [String] {
        bench.transport.sent.filter { $0.method == .delete }.compactMap { $0["X-Token"] }
    }

    @Test func `a credential that waits for the store's lock is revoked by a logout, and is not adopted`() async throws {
        let gate = Turnstile()
        let store = GatedStore(locks: gate)
        let observer = ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: store)
        let bench = bench(observer)
        let adoption = Task { try await observer.adopt([1: .secret("t1")], in: bench.session) }
        await gate.arrivals(1)
        try await bench.session.logOut()
        await expectError(.sessionEnded) { _ = try await adoption.value }
        #expect(revoked(bench) == ["t1"])
        gate.open()
        await expectError(.credentialMissing) { _ = try await bench.get() }
    }

    @Test func `an adopted credential is revoked once`() async throws {
        let observer = ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: MemoryCredentialStore.patient())
        let bench = bench(observer)
        #expect(try await observer.adopt([1: .secret("t1")], in: bench.session))
        #expect(try await bench.get() == 200)
        try await bench.session.logOut()
        #expect(revoked(bench) == ["t1"])
    }

    @Test func `a credential that is adopted after the logout has begun is revoked`() async throws {
        let observer = ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: nil)
        let bench = bench(observer)
        bench.session.register(LateObserver(observer))
        try await logOutAlone(bench.session)
        #expect(revoked(bench) == ["t1"])
        await expectError(.credentialMissing) { _ = try await bench.get() }
    }

    @Test func `a logout waits for the store of an observer that was registered after it had begun`() async throws {
        let store = FailingStore(["discard": .inputOutput])
        let late = ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: store)
        let bench = ProgramBench(SlowObserver(registering: late)) { _ in Reply(204) }
        await expectError(.credentialNotDeleted) { try await bench.session.logOut() }
        #expect(revoked(bench) == ["t1"])
    }

    @Test func `a logout whose store cannot be read in time ends the user's session and fails`() async throws {
        let gate = Turnstile()
        defer { gate.open() }
        let observer = ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: GatedStore(reads: gate))
        let bench = bench(observer)
        let logout = Task { try await bench.session.logOut() }
        await gate.arrivals(1)
        #expect(bench.events.count(.ended) == 0)
        let result = await ending(of: logout, on: bench.clock)
        #expect((#expect(throws: CountersignError.self) { try result.get() })?.code == .timedOut)
        #expect(bench.events.count(.ended) == 1)
    }

    @Test func `a logout reads the stores of several observers at once`() async throws {
        let gate = Turnstile()
        defer { gate.open() }
        let observers = (0..<2).map { _ in
            ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: GatedStore(reads: gate))
        }
        let bench = bench(observers[0])
        bench.session.register(observers[1])
        let logout = Task { try await bench.session.logOut() }
        // Each wait for a store has its time limit.
        await bench.clock.sleepers(2)
        gate.open()
        try await logout.value
    }

    @Test(arguments: [false, true])
    func `a session that ends in order waits until an adopted credential is stored`(_ isCancelled: Bool) async throws {
        let (store, gate) = (GatedStore(), Turnstile())
        defer { gate.open() }
        store.writes.withLock { $0 = gate }
        let observer = ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: store)
        let bench = bench(observer)
        let server = URL(string: ProgramBench.origin)
        let adoption = Task { try await observer.adopt([1: .secret("t1")], for: server, in: bench.session) }
        await gate.arrivals(1)
        if isCancelled { adoption.cancel() }
        let end = Task { await bench.session.invalidate(cancelling: false) }
        while (try? await bench.get("/open")) != nil { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(bench.transport.shutdowns == 0)
        gate.open()
        await end.value
        #expect(bench.transport.shutdowns == 1)
        if !isCancelled { #expect(try await adoption.value) }
        let other = self.bench(ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: store))
        #expect(try await other.get() == 200)
    }

    @Test func `an adoption that has timed out does not replace a later one`() async throws {
        let store = DeafStore()
        defer { store.lock.open() }
        let observer = ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: store)
        let bench = bench(observer)
        let server = URL(string: ProgramBench.origin)
        let late = Task { try await observer.adopt([1: .secret("t1")], for: server, in: bench.session) }
        let result = await ending(of: late, on: bench.clock)
        #expect((#expect(throws: CountersignError.self) { try result.get() })?.code == .timedOut)
        #expect(try await observer.adopt([1: .secret("t2")], for: server, in: bench.session))
        store.lock.open()
        await store.end.pass("the end of the first adoption", sourceLocation: #_sourceLocation)
        let other = self.bench(ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: store))
        #expect(try await other.get() == 200)
        #expect(other.transport.sent.last?["Authorization"] == "Bearer t2")
    }

    /// A store whose first lock is taken late, even by a cancelled task.
    private final class DeafStore: CredentialStore {
        private let store = MemoryCredentialStore.patient()
        private let locks = Mutex(0)
        let lock = Gate()
        /// Opens when the first lock has been released.
        let end = Gate()

        func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential? { try await store.read(key) }

        func write(
            _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
        ) async throws(CredentialStoreError) -> CredentialVersion { try await store.write(secret, for: key, replacing: version) }

        func delete(_ key: CredentialKey, replacing version: CredentialVersion) async throws(CredentialStoreError) {
            try await store.delete(key, replacing: version)
        }

        func discard(_ key: CredentialKey) async throws(CredentialStoreError) { try await store.discard(key) }
        func clear() async throws(CredentialStoreError) { try await store.clear() }

        func withExclusiveLock<Success: Sendable>(
            on key: CredentialKey, timeout: Duration, _ operation: @Sendable () async throws -> Success
        ) async throws -> Success {
            let number = locks.withLock { locks in
                locks += 1
                return locks
            }
            guard number == 1 else { return try await operation() }
            await lock.passDeaf()
            defer { end.open() }
            return try await operation()
        }
    }

    @Test func `a credential whose adoption has failed is not revoked`() async throws {
        let gate = Turnstile()
        let store = GatedStore(locks: gate)
        let observer = ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: store)
        let bench = bench(observer)
        let adoption = Task { try await observer.adopt([1: .secret("t1")], in: bench.session) }
        await gate.arrivals(1)
        await expectError(.busy) { _ = try await observer.adopt([1: .secret("t2")], in: bench.session) }
        gate.open()
        #expect(try await adoption.value)
        try await bench.session.logOut()
        #expect(revoked(bench) == ["t1"])
    }

    @Test func `a credential whose adoption fails while it is stored is not revoked, but the current one is`() async throws {
        let store = GatedStore()
        let observer = ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: store)
        let bench = bench(observer)
        _ = try await observer.adopt([1: .secret("t1")], in: bench.session)
        let credential = try credential(of: observer)
        let writes = Turnstile()
        defer { writes.open() }
        store.writes.withLock { $0 = writes }
        let adoption = Task { try await observer.adopt([1: .secret("t2")], in: bench.session) }
        await writes.arrivals(1)
        credential.coordinator.cancel()
        await expectError(.cancelled) { _ = try await adoption.value }
        for revocation in observer.revocations(in: bench.session) { try await revocation(bench.session) }
        #expect(revoked(bench) == ["t1"])
        writes.open()
        #expect(try await observer.adopt([1: .secret("t3")], in: bench.session))
        try await bench.session.logOut()
        #expect(revoked(bench) == ["t1", "t3"])
    }

    @Test func `a credential whose adoption has failed is revoked once a request has carried it`() async throws {
        let store = GatedStore()
        let observer = ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: store)
        let bench = bench(observer)
        let writes = Turnstile()
        defer { writes.open() }
        store.writes.withLock { $0 = writes }
        let url = try #require(URL(string: ProgramBench.origin))
        let adoption = Task { try await observer.adopt([1: .secret("t1")], for: url, in: bench.session) }
        await writes.arrivals(1)
        let credential = try credential(of: observer)
        credential.coordinator.cancel()
        await expectError(.cancelled) { _ = try await adoption.value }
        writes.open()
        // The store has it now, so the next challenge is answered with it.
        #expect(await comesTrue { credential.state.withLock { $0.uncommitted?.stored != nil } })
        #expect(try await bench.get() == 200)
        #expect(bench.transport.sent.last?["Authorization"] == "Bearer t1")
        try await bench.session.logOut()
        #expect(revoked(bench) == ["t1"])
    }

    @Test func `an adoption for the next user that begins while a logout runs is neither revoked nor forgotten`() async throws {
        let observer = ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: nil)
        let adopted = Mutex<HeldCredential?>(nil)
        let number = UUID()
        let ending = EndObserver { session in
            guard let credential = observer.manager.spaces.withLock({ $0.all }).first, let next = adopted.withLock(\.self) else {
                return
            }
            _ = credential.note(adopting: next, as: number, in: session)
        }
        let bench = ProgramBench(ending) { _ in Reply(204) }
        bench.session.register(observer)
        _ = try await observer.adopt([1: .secret("t1")], in: bench.session)
        let credential = try credential(of: observer)
        let next = try token("t2", of: credential)
        adopted.withLock { $0 = next }
        try await bench.session.logOut()
        #expect(revoked(bench) == ["t1"])
        let kept = credential.state.withLock { Array($0.adopted.keys) }
        #expect(kept == [number])
        // The next logout revokes it.
        adopted.withLock { $0 = nil }
        try await bench.session.logOut()
        #expect(revoked(bench) == ["t1", "t2"])
        let isOver = credential.state.withLock { $0.adopted.isEmpty }
        #expect(isOver)
    }

    @Test(arguments: [false, true])
    func `a credential that the next user obtains while a logout runs is kept, stored, and revoked by the next logout`(
        _ isStored: Bool
    ) async throws {
        let store = isStored ? MemoryCredentialStore.patient() : nil
        let application = Tokens()
        let observer = ProgramObserver(parameters: AdoptedToken(), prompter: application, store: store)
        let early = Mutex<Int?>(nil)
        let isFirst = Mutex(true)
        let ending = EndObserver { session in
            let isNow = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isNow else { return }
            let status = try? BlockingBridge().wait { () async throws -> Int in
                try await session.send(.to("\(ProgramBench.origin)/data")).head.status.code
            }
            early.withLock { $0 = status }
        }
        let bench = bench(ending)
        bench.session.register(observer)
        #expect(try await bench.get() == 200)
        try await logOutAlone(bench.session)
        #expect(early.withLock { $0 } == 200)
        #expect(try await bench.get() == 200)
        #expect(application.count == 2)
        if isStored {
            // Another process with the same store.
            let other = self.bench(ProgramObserver(parameters: AdoptedToken(), prompter: application, store: store))
            #expect(try await other.get() == 200)
            #expect(application.count == 2)
        }
        try await logOutAlone(bench.session)
        #expect(revoked(bench) == ["t1", "t2"])
    }

    @Test func `a credential is revoked by a logout even if the task that adopts it was cancelled`() async throws {
        let gate = Turnstile()
        let store = GatedStore(locks: gate)
        let observer = ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: store)
        let bench = bench(observer)
        let adoption = Task { try await observer.adopt([1: .secret("t1")], in: bench.session) }
        await gate.arrivals(1)
        adoption.cancel()
        await #expect(throws: CancellationError.self) { _ = try await adoption.value }
        try await bench.session.logOut()
        #expect(revoked(bench) == ["t1"])
        gate.open()
        await expectError(.credentialMissing) { _ = try await bench.get() }
    }

    @Test func `a renewed credential that an adoption replaces is revoked in place of the current one`() async throws {
        let store = GatedStore()
        let observer = ProgramObserver(parameters: AdoptedToken(), prompter: nil, store: store)
        let bench = bench(observer)
        _ = try await observer.adopt([1: .secret("t1")], in: bench.session)
        let credential = try credential(of: observer)
        // A renewal whose flight was abandoned leaves its result.
        let renewed = try token("t2", of: credential)
        credential.state.withLock { $0.uncommitted = renewed }
        let writes = Turnstile()
        store.writes.withLock { $0 = writes }
        let adoption = Task { try await observer.adopt([1: .secret("t3")], in: bench.session) }
        await writes.arrivals(1)
        for revocation in observer.revocations(in: bench.session) { try await revocation(bench.session) }
        #expect(revoked(bench).sorted() == ["t2", "t3"])
        writes.open()
        #expect(try await adoption.value)
        #expect(observer.revocations(in: bench.session).count == 1)
    }
}
