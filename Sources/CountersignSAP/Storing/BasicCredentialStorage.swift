public import Foundation

/// Stores user names and passwords in an application's store, with keys derived from URLs.
///
/// ```swift
/// let storage = BasicCredentialStorage(store: store)
/// try storage.store(credential: BasicCredential(username: "Aladdin", password: "open sesame"), for: orders)
/// ```
open class BasicCredentialStorage: BasicCredentialStoring, @unchecked Sendable {
    // Unchecked, because the class is open: its own properties are immutable and Sendable, and subclasses are responsible for
    // theirs.

    /// The prefix of all keys.
    public static let keyPrefix = "com.sap.foundation.basic.credential."

    private let storage: KeyedStorage

    /// Creates a storage.
    ///
    /// - Parameters:
    ///   - store: The underlying store.
    ///   - keyHandler: Returns the key for a URL.
    @preconcurrency public init(
        store: any CodableStoring, keyHandler: @escaping @Sendable (URL) -> String = BasicCredentialStorage.key
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

    /// Stores a credential, replacing an existing one.
    ///
    /// - Throws: The error of `store`.
    open func store(credential: BasicCredential, for url: URL) throws {
        try store.put(credential, for: keyHandler(url))
    }

    /// Returns the credential for a URL, or `nil` if there is none.
    ///
    /// - Throws: The error of `store`.
    open func credential(for url: URL) throws -> BasicCredential? {
        try store.get(BasicCredential.self, for: keyHandler(url))
    }

    /// Deletes the credential for a URL, if there is one.
    ///
    /// - Throws: The error of `store`.
    open func delete(for url: URL) throws {
        try store.remove(for: keyHandler(url))
    }

    /// Deletes all credentials whose keys have the prefix. Keys of another handler are not affected.
    ///
    /// If the store fails, its values are kept.
    open func clear() { store.removeAll(withPrefix: Self.keyPrefix) }
}
