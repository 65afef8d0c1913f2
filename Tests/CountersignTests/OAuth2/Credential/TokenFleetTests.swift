import Foundation
import Synchronization
import Testing

@testable import Countersign

/// Tokens in a store that machines share: a refresh token that another machine may have used is not sent.
@Suite("Tokens of several machines", .timeLimit(.minutes(10)))
struct TokenFleetTests {
    @Test func `RT-17 a process that paused before the sending checks its lock, and uses the token of the other machine`()
        async throws
    {
        let fleet = FleetStore()
        let bench = try TokenBench(store: CredentialTokenStore(fleet))
        try bench.keepToken()
        bench.server.expire()
        // The token of the machine that has taken the lock meanwhile.
        fleet.loseLock(to: bench.server.token())
        #expect(try await bench.get() == "data")
        #expect(bench.server.used.isEmpty)
        #expect(bench.server.obtained == 0)
        #expect(bench.transport.sent.map { $0["Authorization"] } == ["Bearer access0", "Bearer access1"])
    }

    @Test func `RT-17 a renewal whose store cannot be read under the lock fails, and sends nothing`() async throws {
        let fleet = FleetStore()
        let bench = try TokenBench(store: CredentialTokenStore(fleet))
        try bench.keepToken()
        bench.server.expire()
        fleet.failReading(true)
        let error = await #expect(throws: CredentialStoreError.self) { try await bench.get() }
        #expect(error?.code == .unavailable)
        #expect(bench.server.used.isEmpty)
        fleet.failReading(false)
        #expect(try await bench.get() == "data")
        #expect(bench.server.used == ["refresh0"])
    }

    @Test func `a damaged token of a fleet is replaced by the next one`() async throws {
        let fleet = FleetStore()
        let bench = try TokenBench(store: CredentialTokenStore(fleet))
        try bench.keepToken()
        try await fleet.overwrite(SecretBytes(utf8: "no token"))
        #expect(try await bench.get() == "data")
        #expect(bench.server.obtained == 1)
        #expect(try bench.store.token(for: bench.url)?.accessToken == "access1")
    }

    @Test func `a damaged store is an error of the request, and keeps its token`() async throws {
        let store = FailingStore([:])
        let bench = try TokenBench(store: CredentialTokenStore(store))
        try bench.keepToken()
        for work in ["read", "write", "delete"] { store.fail(work, .storeDamaged) }
        let error = await #expect(throws: CredentialStoreError.self) { try await bench.get() }
        #expect(error?.code == .storeDamaged)
        #expect(bench.server.obtained == 0)
        store.heal()
        #expect(try await bench.get() == "data")
        #expect(bench.server.obtained == 0)
    }
}

/// A store on servers, with failures at certain moments.
private final class FleetStore: DistributedCredentialStore {
    private struct State {
        /// The name of the credential that was written last.
        var key: CredentialKey?
        /// The token that another machine stores before this process checks its lock.
        var next: SecretBytes?
        var failsReading = false
        var isLocked = false
    }

    private let base = MemoryCredentialStore.patient()
    private let state = Mutex(State())

    let requiresLock = true

    /// Makes the next check of the lock fail, because another machine has taken it and stored a token.
    func loseLock(to token: OAuth2Token) {
        let secret = (try? JSONEncoder().encode(token)).map { SecretBytes($0) }
        state.withLock { $0.next = secret }
    }

    /// Makes reading fail while the lock is held.
    func failReading(_ fails: Bool) { state.withLock { $0.failsReading = fails } }

    /// Overwrites the credential.
    func overwrite(_ secret: SecretBytes) async throws(CredentialStoreError) {
        guard let key = state.withLock(\.key) else { return }
        let found = try await base.read(key)
        try await base.write(secret, for: key, replacing: found?.version)
    }

    func requireLock() async throws(CredentialStoreError) {
        let next = state.withLock { state in
            defer { state.next = nil }
            return state.next
        }
        guard let next else { return }
        try await overwrite(next)
        throw CredentialStoreError(.lockLost, detail: "the lock's lease has expired")
    }

    func waitForChange(of key: CredentialKey, from version: CredentialVersion?) async throws {}

    func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential? {
        guard !state.withLock({ $0.isLocked && $0.failsReading }) else {
            throw CredentialStoreError(.unavailable, detail: "no member answers")
        }
        return try await base.read(key)
    }

    func write(
        _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialVersion {
        state.withLock { $0.key = key }
        return try await base.write(secret, for: key, replacing: version)
    }

    func delete(_ key: CredentialKey, replacing version: CredentialVersion) async throws(CredentialStoreError) {
        try await base.delete(key, replacing: version)
    }

    func discard(_ key: CredentialKey) async throws(CredentialStoreError) { try await base.discard(key) }

    func clear() async throws(CredentialStoreError) { try await base.clear() }

    func withExclusiveLock<Success: Sendable>(
        on key: CredentialKey, timeout: Duration, _ operation: @Sendable () async throws -> Success
    ) async throws -> Success {
        try await base.withExclusiveLock(on: key, timeout: timeout) {
            state.withLock { $0.isLocked = true }
            defer { state.withLock { $0.isLocked = false } }
            return try await operation()
        }
    }
}
