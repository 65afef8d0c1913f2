/// A credential store that processes on several machines share through servers that can be unreachable.
///
/// In addition to a ``CredentialStore``, no machine renews a credential while the store is unreachable, and all machines use a
/// renewed credential at once. A write of a task that has lost its lock throws ``CredentialStoreError/Code/lockLost``.
@preconcurrency public protocol DistributedCredentialStore: CredentialStore {
    /// Whether a credential is renewed or obtained only with the lock and with the store's current value.
    ///
    /// If `true`, a renewal fails with the store's error while the store is unreachable. A valid credential can still be used.
    var requiresLock: Bool { get }

    /// Verifies that the current task still holds its locks, right before an action that must not happen twice.
    ///
    /// - Throws: ``CredentialStoreError`` with the code ``CredentialStoreError/Code/lockLost``.
    func requireLock() async throws(CredentialStoreError)

    /// Returns when the stored version differs from a known one.
    ///
    /// It may return early, so read again.
    ///
    /// - Parameters:
    ///   - key: The name of the credential.
    ///   - version: The known version; `nil` for none.
    /// - Throws: ``CredentialStoreError``; `CancellationError`.
    func waitForChange(of key: CredentialKey, from version: CredentialVersion?) async throws
}
