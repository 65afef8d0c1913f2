import Countersign
import Foundation
import Synchronization

/// A store in memory whose credentials a test can make expire.
final class ExpiringStore: CredentialStore {
    private let store = MemoryCredentialStore()
    private let last = Mutex<(key: CredentialKey, secret: SecretBytes)?>(nil)
    private let isExpired = Mutex(false)

    /// Makes the stored credentials expire.
    func expire() { isExpired.withLock { $0 = true } }

    /// Returns a field of the credential that was stored last.
    func field(_ name: String) -> String? {
        let content = last.withLock(\.self).flatMap {
            try? JSONSerialization.jsonObject(with: Data($0.secret.bytes)) as? [String: Any]
        }
        let entries = content?["entries"] as? [[String: Any]]
        return (entries?.last?["fields"] as? [String: String])?[name]
    }

    func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential? {
        guard let found = try await store.read(key), isExpired.withLock(\.self) else { return try await store.read(key) }
        guard var content = (try? JSONSerialization.jsonObject(with: Data(found.secret.bytes))) as? [String: Any],
            let entries = content["entries"] as? [[String: Any]]
        else { return found }
        content["entries"] = entries.map { entry in entry.merging(["expires": 0]) { _, new in new } }
        guard let changed = try? JSONSerialization.data(withJSONObject: content) else { return found }
        return StoredCredential(secret: SecretBytes(Array(changed)), version: found.version)
    }

    func write(
        _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialVersion {
        let version = try await store.write(secret, for: key, replacing: version)
        isExpired.withLock { $0 = false }
        last.withLock { $0 = (key, secret) }
        return version
    }

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
