import Synchronization

/// Stores credentials in memory, for the lifetime of the store.
public final class MemoryCredentialStore: CredentialStore {
    private struct State {
        var credentials: [CredentialKey: StoredCredential] = [:]
        var writings: UInt64 = 0
    }

    private let state = Mutex(State())
    private let locks = KeyedLocks()
    private let clock: any Clock<Duration>

    /// Creates an empty store.
    ///
    /// - Parameter clock: The clock for lock timeouts.
    public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    public func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential? {
        state.withLock { $0.credentials[key] }
    }

    @discardableResult
    public func write(
        _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialVersion {
        try state.withLock { state throws(CredentialStoreError) in
            guard state.credentials[key]?.version == version else { throw Self.conflict }
            state.writings += 1
            let version = CredentialVersion(rawValue: String(state.writings))
            state.credentials[key] = StoredCredential(secret: secret, version: version)
            return version
        }
    }

    public func delete(_ key: CredentialKey, replacing version: CredentialVersion) async throws(CredentialStoreError) {
        try state.withLock { state throws(CredentialStoreError) in
            guard state.credentials[key]?.version == version else { throw Self.conflict }
            state.credentials[key] = nil
        }
    }

    public func discard(_ key: CredentialKey) async throws(CredentialStoreError) {
        state.withLock { $0.credentials[key] = nil }
    }

    public func clear() async throws(CredentialStoreError) {
        state.withLock { $0.credentials = [:] }
    }

    public func withExclusiveLock<Success: Sendable>(
        on key: CredentialKey, timeout: Duration, _ operation: @Sendable () async throws -> Success
    ) async throws -> Success {
        try await withExclusiveLock(on: key, timeout: timeout, clock: clock, operation)
    }

    private func withExclusiveLock<Success: Sendable>(
        on key: CredentialKey, timeout: Duration, clock: some Clock<Duration>, _ operation: @Sendable () async throws -> Success
    ) async throws -> Success {
        let deadline = clock.now.advanced(by: timeout)
        guard let success = try await locks.withLock(on: key, until: deadline, clock: clock, operation) else {
            throw CredentialStoreError(.lockTimedOut, detail: "another task holds the lock of this credential")
        }
        return success
    }

    private static let conflict = CredentialStoreError(.conflict, detail: "the credential was changed meanwhile")
}

extension MemoryCredentialStore: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "MemoryCredentialStore(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class) }
}
