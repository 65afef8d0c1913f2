public import Foundation

/// Keeps the identities of client certificates in a store of an application's own, each under a key that follows from the address it is
/// for.
///
/// ```swift
/// let storage = UserIdentityStorage(store: store)
/// try storage.store(identity: archive, for: orders)
/// ```
open class UserIdentityStorage: UserIdentityStoring, @unchecked Sendable {
    // Unchecked: what is stored here never changes and is Sendable, and what a subclass adds it answers for.

    /// What every key begins with.
    public static let keyPrefix = "com.sap.foundation.user.identity."

    private let storage: KeyedStorage

    /// Makes a storage.
    ///
    /// - Parameters:
    ///   - store: Keeps the identities.
    ///   - keyHandler: The key for an address.
    @preconcurrency public init(
        store: any CodableStoring, keyHandler: @escaping @Sendable (URL) -> String = UserIdentityStorage.key
    ) {
        storage = KeyedStorage(store: store, keyHandler: keyHandler)
    }

    /// Keeps the identities.
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

    /// Keeps an identity in place of the one that is there.
    open func store(identity: Data, for url: URL) throws {
        try store.put(identity, for: keyHandler(url))
    }

    /// The identity for an address, or `nil` if there is none.
    open func identity(for url: URL) throws -> Data? {
        try store.get(Data.self, for: keyHandler(url))
    }

    /// Forgets the identity for an address; there may be none.
    open func delete(for url: URL) throws {
        try store.remove(for: keyHandler(url))
    }

    /// Forgets all identities whose keys have the prefix; those under keys of another handler's stay.
    ///
    /// A store that fails keeps what it has.
    open func clear() { store.removeAll(withPrefix: Self.keyPrefix) }
}
