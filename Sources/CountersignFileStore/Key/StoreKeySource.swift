public import Countersign

/// The source of a store's key: the caller (``StoreKey`` itself), or a service of the system.
///
/// A key belongs to one folder, and must not be stored together with the encrypted data.
public protocol StoreKeySource: Sendable {
    /// Returns the key, or `nil` if none was created yet.
    ///
    /// - Throws: `CredentialStoreError`, usually with the code `keyUnavailable` if the service is locked or does not answer.
    func existingKey() async throws(CredentialStoreError) -> StoreKey?

    /// Creates and stores a key.
    ///
    /// A store calls this only while it holds the lock of its folder, after ``existingKey()`` has returned `nil`, and only if the
    /// folder has no data that is encrypted with a lost key.
    ///
    /// - Throws: `CredentialStoreError`, usually with the code `keyUnavailable`.
    func makeKey() async throws(CredentialStoreError) -> StoreKey
}

extension StoreKey: StoreKeySource {
    public func existingKey() async throws(CredentialStoreError) -> StoreKey? { self }
    public func makeKey() async throws(CredentialStoreError) -> StoreKey { self }
}
