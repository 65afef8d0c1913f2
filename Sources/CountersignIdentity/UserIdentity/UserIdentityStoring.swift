public import Foundation

/// Stores the identities of client certificates, each with its private key, by URL.
///
/// An identity is the bytes of a PKCS #12 archive (RFC 7292) without a password, so every reader of the store can act as the user.
/// Protect it accordingly. Calls may block and may come from any thread.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol UserIdentityStoring: AnyObject, Sendable {
    /// Stores an identity, replacing an existing one.
    ///
    /// - Throws: The store's error. The session continues with the identity in memory.
    func store(identity: Data, for url: URL) throws

    /// Returns the identity for a URL, or `nil` if there is none.
    ///
    /// - Throws: The store's error. The session continues as if there were none.
    func identity(for url: URL) throws -> Data?

    /// Deletes the identity for a URL, if there is one.
    ///
    /// - Throws: The store's error. A logout then throws `CountersignError` with the code `credentialNotDeleted`.
    func delete(for url: URL) throws
}
