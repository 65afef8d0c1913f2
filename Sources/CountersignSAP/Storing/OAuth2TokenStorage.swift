public import Countersign
public import Foundation

/// Keeps OAuth 2.0 tokens in a store of an application's own, each under a key that follows from the address it is for.
///
/// ```swift
/// let observer = OAuth2Observer(authenticationParameters: parameters, tokenStore: OAuth2TokenStorage(store: store))
/// ```
///
/// It promises what `OAuth2TokenStore` alone can promise: with one process for each store all is well. Processes that share a store need
/// one that can lock, such as an `EncryptedFileStore` behind a `CredentialTokenStore`.
open class OAuth2TokenStorage: OAuth2TokenStore, @unchecked Sendable {
    // Unchecked: what is stored here never changes and is Sendable, and what a subclass adds it answers for.

    /// What every key begins with.
    public static let keyPrefix = "com.sap.foundation.oauth2.token."

    private let storage: KeyedStorage

    /// Makes a storage.
    ///
    /// - Parameters:
    ///   - store: Keeps the tokens.
    ///   - keyHandler: The key for an address.
    @preconcurrency public init(store: any CodableStoring, keyHandler: @escaping @Sendable (URL) -> String = OAuth2TokenStorage.key)
    {
        storage = KeyedStorage(store: store, keyHandler: keyHandler)
    }

    /// Keeps the tokens.
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

    /// Keeps a token in place of the one that is there.
    open func store(token: OAuth2Token, for url: URL) throws {
        try store.put(token, for: keyHandler(url))
    }

    /// The token for an address, or `nil` if there is none.
    open func token(for url: URL) throws -> OAuth2Token? {
        try store.get(OAuth2Token.self, for: keyHandler(url))
    }

    /// Forgets the token for an address; there may be none.
    open func deleteToken(for url: URL) throws {
        try store.remove(for: keyHandler(url))
    }

    /// Forgets all tokens whose keys have the prefix; those under keys of another handler's stay.
    ///
    /// A store that fails keeps what it has: the requirement cannot throw.
    open func clear() { store.removeAll(withPrefix: Self.keyPrefix) }
}
