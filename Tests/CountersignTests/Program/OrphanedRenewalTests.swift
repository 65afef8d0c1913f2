import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A method with a renewal and a revocation.
private struct RevocableParameters: ProgramParameters {
    static let program = MethodProgram(
        name: "Revocable", summary: "A token that is renewed and revoked.",
        slots: [.parameter("server"), .credential("token", isSecret: true), .credential("refresh", isSecret: true)],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(fields: [1, 2].map { .slot($0) }, space: .servers, destinations: [0]),
        acquire: [.http(call("login"))], renewal: CredentialRenewal(needs: [2], [.http(call("refresh"))]),
        attach: [.header("Authorization", ProgramTemplate(.text("Token "), .slot(1)))],
        rejections: [RejectionRule(.renew, .acquire)],
        end: [
            .http(
                HTTPCall(
                    "DELETE", ProgramTemplate(.text("https://login.example/token")),
                    headers: [HTTPCall.Member("X-Token", ProgramTemplate(.slot(1)))],
                    answers: [HTTPCall.Answer(ChallengePattern("answer 1", statuses: [204]))]))
        ])

    private static func call(_ name: String) -> HTTPCall {
        HTTPCall(
            "POST", ProgramTemplate(.text("https://login.example/\(name)")),
            answers: [
                HTTPCall.Answer(
                    ChallengePattern(
                        "answer 1", statuses: [200],
                        captures: [.slot(1, from: .json(["/token"])), .slot(2, from: .json(["/refresh"]))]))
            ])
    }

    var slotValues: [ProgramValue] { [URL(string: ProgramBench.origin).map(ProgramValue.url) ?? .absent] }
}

/// Renewals whose observer is unregistered before the server has answered, and registered again.
@Suite("Orphaned renewals", .timeLimit(.minutes(10)))
struct OrphanedRenewalTests {
    /// A server whose renewals wait at the gate. Only the latest token is valid, and only after its renewal.
    private final class Server: Sendable {
        let gate = Turnstile()
        let tokens = Mutex(0)
        let isFailing: Bool

        init(isFailing: Bool) { self.isFailing = isFailing }

        func answer(_ sent: ScriptedTransport.Sent) async throws -> Reply {
            switch sent.path {
            case "/login": return issue()
            case "/refresh":
                try await gate.pass()
                return isFailing ? Reply(503) : issue()
            case "/token": return Reply(204)
            case "/first": return .text("data")
            default: return sent["Authorization"] == "Token t2" ? .text("data") : Reply(401)
            }
        }

        private func issue() -> Reply {
            let number = tokens.withLock { tokens in
                tokens += 1
                return tokens
            }
            return .text(#"{"token":"t\#(number)","refresh":"r\#(number)"}"#)
        }
    }

    /// Registers an observer again while a renewal is running, logs out, and returns the tokens that were revoked.
    private func revoked(isFailing: Bool, isStored: Bool) async throws -> [String] {
        let server = Server(isFailing: isFailing)
        defer { server.gate.open() }
        let observer = ProgramObserver(
            parameters: RevocableParameters(), prompter: nil, store: isStored ? MemoryCredentialStore.patient() : nil)
        let bench = ProgramBench(observer) { try await server.answer($0) }
        let url = try #require(URL(string: ProgramBench.origin))
        try await observer.authenticate(for: url, in: bench.session)
        // A server has accepted the token, so that a refused one is renewed.
        #expect(try await bench.get("/first") == 200)
        let request = Task { try await bench.get() }
        await server.gate.arrivals(1)
        bench.session.unregister(observer)
        await #expect(throws: (any Error).self) { try await request.value }
        bench.session.register(observer)
        let logout = Task { try await bench.session.logOut() }
        #expect(await comesTrue { bench.events.count(.ended) == 1 })
        server.gate.open()
        try await logout.value
        return bench.transport.sent.filter { $0.method == .delete }.compactMap { $0["X-Token"] }
    }

    @Test(arguments: [true, false]) func `the result of a renewal that is still running is revoked by the logout`(
        _ isStored: Bool
    ) async throws {
        #expect(try await revoked(isFailing: false, isStored: isStored) == ["t2"])
    }

    @Test func `the stored token is revoked if its renewal has failed`() async throws {
        #expect(try await revoked(isFailing: true, isStored: true) == ["t1"])
    }

    /// A session whose observer was registered again while a renewal of its token was running.
    private func benchWithOrphan(
        of server: Server, in store: (any CredentialStore)?
    ) async throws -> (bench: ProgramBench, credential: ManagedCredential) {
        let observer = ProgramObserver(parameters: RevocableParameters(), prompter: nil, store: store)
        let bench = ProgramBench(observer) { try await server.answer($0) }
        try await observer.authenticate(for: try #require(URL(string: ProgramBench.origin)), in: bench.session)
        #expect(try await bench.get("/first") == 200)
        let request = Task { try await bench.get() }
        await server.gate.arrivals(1)
        bench.session.unregister(observer)
        await #expect(throws: (any Error).self) { try await request.value }
        bench.session.register(observer)
        return (bench, try #require(observer.manager.spaces.withLock { $0.all }.first))
    }

    private func revoked(_ bench: ProgramBench) -> [String] {
        bench.transport.sent.filter { $0.method == .delete }.compactMap { $0["X-Token"] }
    }

    @Test func `a renewal that ends after the logout has read the store is revoked in place of what was read`() async throws {
        let server = Server(isFailing: false)
        defer { server.gate.open() }
        let store = HookedStore()
        let (bench, credential) = try await benchWithOrphan(of: server, in: store)
        store.afterNextRead {
            server.gate.open()
            _ = await comesTrue { credential.state.withLock { $0.orphans.isEmpty } }
        }
        try await bench.session.logOut()
        #expect(revoked(bench) == ["t2"])
    }

    @Test func `without a store, the result of a renewal that has ended since is revoked by the next logout`() async throws {
        let server = Server(isFailing: false)
        defer { server.gate.open() }
        let (bench, credential) = try await benchWithOrphan(of: server, in: nil)
        server.gate.open()
        #expect(await comesTrue { credential.state.withLock { $0.orphans.isEmpty } })
        try await bench.session.logOut()
        #expect(revoked(bench) == ["t2"])
    }
}

/// A store in which something else happens right after a read.
private final class HookedStore: CredentialStore {
    private struct Hook {
        var run: @Sendable () async -> Void = {}
    }

    private let store = MemoryCredentialStore()
    private let hook = Mutex(Hook())

    /// Runs work after the next read, before its result is returned.
    func afterNextRead(_ work: @escaping @Sendable () async -> Void) { hook.withLock { $0.run = work } }

    func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential? {
        let found = try await store.read(key)
        let taken = hook.withLock { hook in
            defer { hook = Hook() }
            return hook
        }
        await taken.run()
        return found
    }

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
        try await store.withExclusiveLock(on: key, timeout: timeout, operation)
    }
}
