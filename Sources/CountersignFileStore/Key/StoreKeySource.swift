public import Countersign

/// Where a store's key is kept: with the caller (``StoreKey`` itself), or in a place of the system's.
///
/// A key belongs to one folder. It never lies beside what it encrypts.
public protocol StoreKeySource: Sendable {
    /// The key, or `nil` if none was made yet.
    ///
    /// - Throws: `CredentialStoreError`, most likely with its code `keyUnavailable`: the place is locked or does not answer.
    func existingKey() async throws(CredentialStoreError) -> StoreKey?

    /// Makes a key and keeps it.
    ///
    /// A store asks for one only while it holds a lock of its folder, after ``existingKey()`` had none and if the folder has nothing that is
    /// encrypted with a key that is lost.
    ///
    /// - Throws: `CredentialStoreError`, most likely with its code `keyUnavailable`.
    func makeKey() async throws(CredentialStoreError) -> StoreKey
}

extension StoreKey: StoreKeySource {
    public func existingKey() async throws(CredentialStoreError) -> StoreKey? { self }
    public func makeKey() async throws(CredentialStoreError) -> StoreKey { self }
}
