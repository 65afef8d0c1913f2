public import Foundation

/// Stores the identities of client certificates in an application's store, with keys derived from URLs.
///
/// ```swift
/// let storage = UserIdentityStorage(store: store)
/// try storage.store(identity: archive, for: orders)
/// ```
open class UserIdentityStorage: UserIdentityStoring, @unchecked Sendable {
    // Unchecked, because the class is open: its own properties are immutable and Sendable, and subclasses are responsible for
    // theirs.

    /// The prefix of all keys.
    public static let keyPrefix = "com.sap.foundation.user.identity."

    private let storage: KeyedStorage

    /// Creates a storage.
    ///
    /// - Parameters:
    ///   - store: The underlying store.
    ///   - keyHandler: Returns the key for a URL.
    @preconcurrency public init(
        store: any CodableStoring, keyHandler: @escaping @Sendable (URL) -> String = UserIdentityStorage.key
    ) {
        storage = KeyedStorage(store: store, keyHandler: keyHandler)
    }

    /// The underlying store.
    open var store: any CodableStoring {
        get { storage.store }
        set { storage.store = newValue }
    }

    /// Returns the key for a URL.
    @preconcurrency open var keyHandler: @Sendable (URL) -> String {
        get { storage.keyHandler }
        set { storage.keyHandler = newValue }
    }

    /// Returns the default key for a URL: the prefix and the complete URL.
    @Sendable
    public class func key(for url: URL) -> String { keyPrefix + url.absoluteString }

    /// Stores an identity, replacing an existing one.
    ///
    /// - Throws: The error of `store`.
    open func store(identity: Data, for url: URL) throws {
        try store.put(identity, for: keyHandler(url))
    }

    /// Returns the identity for a URL, or `nil` if there is none.
    ///
    /// - Throws: The error of `store`.
    open func identity(for url: URL) throws -> Data? {
        try store.get(Data.self, for: keyHandler(url))
    }

    /// Deletes the identity for a URL, if there is one.
    ///
    /// - Throws: The error of `store`.
    open func delete(for url: URL) throws {
        try store.remove(for: keyHandler(url))
    }

    /// Deletes all identities whose keys have the prefix. Keys of another handler are not affected.
    ///
    /// If the store fails, its values are kept.
    open func clear() { store.removeAll(withPrefix: Self.keyPrefix) }
}
