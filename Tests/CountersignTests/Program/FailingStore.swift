import Countersign
import Synchronization

/// A store in which some operations fail.
final class FailingStore: CredentialStore {
    private let store = MemoryCredentialStore.patient()
    private let failures: Mutex<[String: CredentialStoreError.Code]>
    /// The gate of writes that do not fail; `nil` if they do not wait.
    let writes = Mutex<Turnstile?>(nil)
    /// The maximum size of a secret in bytes; `nil` if there is none.
    let sizeLimit = Mutex<Int?>(nil)
    /// Runs once, after the next read has failed and before its caller gets the error.
    let afterFailedRead = Mutex<(@Sendable () async -> Void)?>(nil)

    init(_ failures: [String: CredentialStoreError.Code]) { self.failures = Mutex(failures) }

    func heal() { failures.withLock { $0 = [:] } }

    /// Makes an operation fail from now on.
    func fail(_ work: String, _ code: CredentialStoreError.Code) { failures.withLock { $0[work] = code } }

    private func check(_ work: String) throws(CredentialStoreError) {
        if let code = failures.withLock({ $0[work] }) { throw CredentialStoreError(code, detail: "the disk says no") }
    }

    func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential? {
        do throws(CredentialStoreError) {
            try check("read")
        } catch {
            let work = afterFailedRead.withLock { $0.take() }
            await work?()
            throw error
        }
        return try await store.read(key)
    }

    func write(
        _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialVersion {
        try check("write")
        if let limit = sizeLimit.withLock(\.self), secret.bytes.count > limit {
            throw CredentialStoreError(.tooLarge, detail: "the disk says no")
        }
        try? await writes.withLock(\.self)?.pass()
        return try await store.write(secret, for: key, replacing: version)
    }

    func delete(_ key: CredentialKey, replacing version: CredentialVersion) async throws(CredentialStoreError) {
        try check("delete")
        try await store.delete(key, replacing: version)
    }

    func discard(_ key: CredentialKey) async throws(CredentialStoreError) {
        try check("discard")
        try await store.discard(key)
    }

    func clear() async throws(CredentialStoreError) {
        try check("clear")
        try await store.clear()
    }

    func withExclusiveLock<Success: Sendable>(
        on key: CredentialKey, timeout: Duration, _ operation: @Sendable () async throws -> Success
    ) async throws -> Success {
        try await store.withExclusiveLock(on: key, timeout: timeout, operation)
    }
}
