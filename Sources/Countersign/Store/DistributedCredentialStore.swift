/// A store that processes on several machines share, through servers that may be out of reach.
///
/// What it adds to a ``CredentialStore`` is for fleets: no machine goes on by itself when the store cannot be reached, and a renewal
/// of one machine is taken over by the others at once. A write of a task whose lock another process has by now ends with
/// ``CredentialStoreError/Code/lockLost``.
@preconcurrency public protocol DistributedCredentialStore: CredentialStore {
    /// Whether a credential is renewed, or got anew, only with the lock, and only by what the store says.
    ///
    /// With `true`, a store that is out of reach ends a renewal with its error. A credential that is good is used all the same.
    var requiresLock: Bool { get }

    /// Makes sure that the locks which the present task has are its own still, right before something is done that must not be done twice.
    ///
    /// - Throws: ``CredentialStoreError`` with the code ``CredentialStoreError/Code/lockLost``.
    func requireLock() async throws(CredentialStoreError)

    /// Returns as soon as another version is stored than one that was seen, or none.
    ///
    /// It may return early: read again.
    ///
    /// - Parameters:
    ///   - key: Under which name.
    ///   - version: The version that was seen; `nil` if there was none.
    /// - Throws: ``CredentialStoreError``; `CancellationError`.
    func waitForChange(of key: CredentialKey, from version: CredentialVersion?) async throws
}
