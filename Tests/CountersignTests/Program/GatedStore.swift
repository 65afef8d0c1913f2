import Countersign
import Synchronization

/// A store whose operations wait at gates, like that of a slow disk or one that another process has locked.
final class GatedStore: CredentialStore {
    private let store: MemoryCredentialStore
    /// The gates; `nil` for operations that do not wait. A read has happened before it waits.
    private let reads, locks: Turnstile?
    /// The gate of writes from now on.
    let writes = Mutex<Turnstile?>(nil)
    /// The time limits with which locks were requested.
    let lockTimeouts = Mutex<[Duration]>([])

    init(_ store: MemoryCredentialStore = MemoryCredentialStore.patient(), reads: Turnstile? = nil, locks: Turnstile? = nil) {
        self.store = store
        self.reads = reads
        self.locks = locks
    }

    func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential? {
        let found = try await store.read(key)
        try? await reads?.pass()
        return found
    }

    func write(
        _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialVersion {
        try? await writes.withLock(\.self)?.pass()
        return try await store.write(secret, for: key, replacing: version)
    }

    func delete(_ key: CredentialKey, replacing version: CredentialVersion) async throws(CredentialStoreError) {
        try await store.delete(key, replacing: version)
    }

    func discard(_ key: CredentialKey) async throws(CredentialStoreError) { try await store.discard(key) }

    func clear() async throws(CredentialStoreError) { try await store.clear() }

    func withExclusiveLock<Success: Sendable>(
        on key: CredentialKey, timeout: Duration, _ operation: @Sendable () async throws -> Success
    ) async throws -> Success {
        lockTimeouts.withLock { $0.append(timeout) }
        try await locks?.pass()
        return try await store.withExclusiveLock(on: key, timeout: timeout, operation)
    }
}
