public import Foundation

/// Keeps the identities of client certificates, each with its private key, by the address that they are for.
///
/// An identity is the bytes of a PKCS #12 archive (RFC 7292) without a password, so every reader of the store can act as the user:
/// keep it in a safe place. A call may block, as files and keychains do, and may come from any thread.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol UserIdentityStoring: AnyObject, Sendable {
    /// Keeps an identity in place of the one that is there.
    func store(identity: Data, for url: URL) throws

    /// The identity for an address, or `nil` if there is none.
    func identity(for url: URL) throws -> Data?

    /// Forgets the identity for an address; there may be none.
    func delete(for url: URL) throws
}
