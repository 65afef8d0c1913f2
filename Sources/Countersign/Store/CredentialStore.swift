/// Stores secrets under names, for tasks and, depending on the store, for several processes.
///
/// Every change names the version that it replaces. If that is not the newest version, the call throws
/// ``CredentialStoreError/Code/conflict`` and changes nothing, so no update is lost. To also *do* something only once, such as
/// sending a single-use refresh token, take the lock and then read again:
///
/// ```swift
/// let renewed = try await store.withExclusiveLock(on: key, timeout: .seconds(30)) {
///     let current = try await store.read(key)
///     if let current, current.version != seen.version { return current }
///     let secret = try await renew(seen.secret)
///     let version = try await store.write(secret, for: key, replacing: seen.version)
///     return StoredCredential(secret: secret, version: version)
/// }
/// ```
///
/// Reading, writing and deleting neither need the lock nor wait for it. A logout therefore does not wait for a renewal, whose write
/// then conflicts.
///
/// A store must not block Swift's cooperative threads.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol CredentialStore: Sendable {
    /// Returns the newest version of a credential, or `nil` if there is none.
    ///
    /// - Throws: ``CredentialStoreError``, also for a credential that exists and is unreadable.
    func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential?

    /// Replaces one version of a credential.
    ///
    /// Cancellation of the task is ignored, so that a credential that a server has issued is stored even if no caller waits for it.
    ///
    /// - Parameters:
    ///   - secret: The new secret.
    ///   - key: The name of the credential.
    ///   - version: The version that is replaced; `nil` if there must be none.
    /// - Returns: The new version.
    /// - Throws: ``CredentialStoreError``; with ``CredentialStoreError/Code/conflict`` if another version is stored, or none. After
    ///   an error the old version is unchanged, except possibly after ``CredentialStoreError/Code/inputOutput``: then reading may
    ///   return the new version, and writing again conflicts.
    @discardableResult
    func write(
        _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialVersion

    /// Deletes one version of a credential.
    ///
    /// - Throws: ``CredentialStoreError``, with ``CredentialStoreError/Code/conflict`` if another version is stored, or none.
    func delete(_ key: CredentialKey, replacing version: CredentialVersion) async throws(CredentialStoreError)

    /// Deletes a credential, readable or not.
    ///
    /// This is the only way to replace a damaged credential.
    ///
    /// - Throws: ``CredentialStoreError``.
    func discard(_ key: CredentialKey) async throws(CredentialStoreError)

    /// Deletes all credentials, readable or not.
    ///
    /// Locks are not affected. A later write of a lock holder conflicts, unless it had found no credential.
    ///
    /// - Throws: ``CredentialStoreError``.
    func clear() async throws(CredentialStoreError)

    /// Runs an operation while no other operation runs under the same name.
    ///
    /// Each name has its own lock. The lock is not reentrant: an operation that takes the lock of its own name again waits until
    /// the timeout. The lock is released when the operation returns or throws, and when the process ends.
    ///
    /// - Parameters:
    ///   - key: The name.
    ///   - timeout: The time limit for taking the lock. The operation itself may take longer.
    ///   - operation: The operation.
    /// - Returns: The result of the operation.
    /// - Throws: ``CredentialStoreError`` with ``CredentialStoreError/Code/lockTimedOut``; `CancellationError` if the task is
    ///   cancelled while it waits; the operation's errors.
    func withExclusiveLock<Success: Sendable>(
        on key: CredentialKey, timeout: Duration, _ operation: @Sendable () async throws -> Success
    ) async throws -> Success
}
