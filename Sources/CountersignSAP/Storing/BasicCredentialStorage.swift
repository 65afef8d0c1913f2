public import Foundation

/// Keeps user names and passwords in a store of an application's own, each under a key that follows from the address it is for.
///
/// ```swift
/// let storage = BasicCredentialStorage(store: store)
/// try storage.store(credential: BasicCredential(username: "Aladdin", password: "open sesame"), for: orders)
/// ```
open class BasicCredentialStorage: BasicCredentialStoring, @unchecked Sendable {
    // Unchecked: what is stored here never changes and is Sendable, and what a subclass adds it answers for.

    /// What every key begins with.
    public static let keyPrefix = "com.sap.foundation.basic.credential."

    private let storage: KeyedStorage

    /// Makes a storage.
    ///
    /// - Parameters:
    ///   - store: Keeps the credentials.
    ///   - keyHandler: The key for an address.
    @preconcurrency public init(
        store: any CodableStoring, keyHandler: @escaping @Sendable (URL) -> String = BasicCredentialStorage.key
    ) {
        storage = KeyedStorage(store: store, keyHandler: keyHandler)
    }

    /// Keeps the credentials.
    open var store: any CodableStoring {
        get { storage.store }
        set { storage.store = newValue }
    }

    /// The key for an address.
    @preconcurrency open var keyHandler: @Sendable (URL) -> String {
        get { storage.keyHandler }
        set { storage.keyHandler = newValue }
    }

    /// The key for an address, unless another handler is given: the prefix and the whole address.
    @Sendable
    public class func key(for url: URL) -> String { keyPrefix + url.absoluteString }

    /// Keeps a credential in place of the one that is there.
    open func store(credential: BasicCredential, for url: URL) throws {
        try store.put(credential, for: keyHandler(url))
    }

    /// The credential for an address, or `nil` if there is none.
    open func credential(for url: URL) throws -> BasicCredential? {
        try store.get(BasicCredential.self, for: keyHandler(url))
    }

    /// Forgets the credential for an address; there may be none.
    open func delete(for url: URL) throws {
        try store.remove(for: keyHandler(url))
    }

    /// Forgets all credentials whose keys have the prefix; those under keys of another handler's stay.
    ///
    /// A store that fails keeps what it has.
    open func clear() { store.removeAll(withPrefix: Self.keyPrefix) }
}
