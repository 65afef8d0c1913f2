/// Keeps secrets under names, for tasks and, if the store says so, processes that share it.
///
/// Every change names the version that it replaces: a caller that has not seen the newest version gets
/// ``CredentialStoreError/Code/conflict`` and overwrites nothing. That alone loses no update. To also *do* something only once,
/// such as sending a refresh token that the server accepts a single time, take the lock and read again once you have it:
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
/// Reading, writing and deleting neither need the lock nor wait for it; a logout does not wait for a renewal. The renewal's
/// write then conflicts.
///
/// A store that is slow or blocks does so outside of Swift's cooperative threads.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol CredentialStore: Sendable {
    /// The newest version of a credential, or `nil` if there is none.
    ///
    /// - Throws: ``CredentialStoreError``; never `nil` for something that is there and cannot be read.
    func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential?

    /// Puts a secret in the place of one version of a credential.
    ///
    /// The cancellation of the task is ignored: what a server has given out is stored, even if no caller waits for it any more.
    ///
    /// - Parameters:
    ///   - secret: What to store.
    ///   - key: Under which name.
    ///   - version: The version that is replaced; `nil` if there is to be none.
    /// - Returns: the new version.
    /// - Throws: ``CredentialStoreError``; with ``CredentialStoreError/Code/conflict`` if another version is there, or none. The old
    ///   version is still there after an error. Only an ``CredentialStoreError/Code/inputOutput`` may come after the new one took its
    ///   place: writing again is a conflict then, and reading shows the new version.
    @discardableResult
    func write(
        _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialVersion

    /// Deletes one version of a credential.
    ///
    /// - Throws: ``CredentialStoreError``; with ``CredentialStoreError/Code/conflict`` if another version is there, or none.
    func delete(_ key: CredentialKey, replacing version: CredentialVersion) async throws(CredentialStoreError)

    /// Deletes whatever is stored under a name, readable or not.
    ///
    /// This is how a damaged credential is given up: nothing else overwrites one.
    func discard(_ key: CredentialKey) async throws(CredentialStoreError)

    /// Deletes all credentials, readable or not.
    ///
    /// Locks that are held stay held; what their holders then write conflicts, unless they had found nothing.
    func clear() async throws(CredentialStoreError)

    /// Runs an operation while no other one runs under the same name.
    ///
    /// Names do not affect each other. The lock is not reentrant: an operation that asks for its own name again waits in vain. It ends
    /// with the operation, with an error thrown from it, and, between processes, with the process.
    ///
    /// - Parameters:
    ///   - key: The name.
    ///   - timeout: How long to wait for the lock; the operation itself may take longer.
    ///   - operation: What to do.
    /// - Returns: what the operation returns.
    /// - Throws: ``CredentialStoreError`` with ``CredentialStoreError/Code/lockTimedOut``; `CancellationError` if the task is cancelled
    ///   while it waits; the operation's errors.
    func withExclusiveLock<Success: Sendable>(
        on key: CredentialKey, timeout: Duration, _ operation: @Sendable () async throws -> Success
    ) async throws -> Success
}
