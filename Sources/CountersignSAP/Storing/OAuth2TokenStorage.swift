public import Countersign
public import Foundation

/// Stores OAuth 2.0 tokens in an application's store, with keys derived from URLs.
///
/// ```swift
/// let observer = OAuth2Observer(authenticationParameters: parameters, tokenStore: OAuth2TokenStorage(store: store))
/// ```
///
/// It has the guarantees of `OAuth2TokenStore`, which suffice for one process per store. Processes that share a store need a
/// `CredentialTokenStore` with a locking store, such as an `EncryptedFileStore`.
open class OAuth2TokenStorage: OAuth2TokenStore, @unchecked Sendable {
    // Unchecked, because the class is open: its own properties are immutable and Sendable, and subclasses are responsible for
    // theirs.

    /// The prefix of all keys.
    public static let keyPrefix = "com.sap.foundation.oauth2.token."

    private let storage: KeyedStorage

    /// Creates a storage.
    ///
    /// - Parameters:
    ///   - store: The underlying store.
    ///   - keyHandler: Returns the key for a URL.
    @preconcurrency public init(store: any CodableStoring, keyHandler: @escaping @Sendable (URL) -> String = OAuth2TokenStorage.key)
    {
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

    /// Stores a token, replacing an existing one.
    ///
    /// - Throws: The error of `store`.
    open func store(token: OAuth2Token, for url: URL) throws {
        try store.put(token, for: keyHandler(url))
    }

    /// Returns the token for a URL, or `nil` if there is none.
    ///
    /// - Throws: The error of `store`.
    open func token(for url: URL) throws -> OAuth2Token? {
        try store.get(OAuth2Token.self, for: keyHandler(url))
    }

    /// Deletes the token for a URL, if there is one.
    ///
    /// - Throws: The error of `store`.
    open func deleteToken(for url: URL) throws {
        try store.remove(for: keyHandler(url))
    }

    /// Deletes all tokens whose keys have the prefix. Keys of another handler are not affected.
    ///
    /// If the store fails, its values are kept, since the protocol's requirement cannot throw.
    open func clear() { store.removeAll(withPrefix: Self.keyPrefix) }
}
