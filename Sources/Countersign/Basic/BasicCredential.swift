#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A user name and password (RFC 7617).
///
/// The password is a secret: no description, reflection or dump of this type shows it, nor the name. Encoding does, since a store needs
/// both: code that encodes a credential is responsible for the result.
public struct BasicCredential: Sendable, Hashable, Codable {
    /// The user name; without a colon, at which servers part name and password.
    public let username: String
    /// The password.
    public let password: String

    /// Makes a credential.
    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}

extension BasicCredential: ReducedDescription {
    /// That there is a credential.
    public var visibleParts: KeyValuePairs<String, String> { ["credential": redacted] }
}

/// Keeps user names and passwords by the address that they are for.
///
/// A call may block and may come from any thread. The URL is the root of an origin; a server's realm, if it names one, is its fragment, so
/// that two realms of one server have entries of their own in a store that goes by the whole URL.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol BasicCredentialStoring: AnyObject, Sendable {
    /// Keeps a credential in place of the one that is there.
    func store(credential: BasicCredential, for url: URL) throws
    /// The credential for an address, or `nil` if there is none.
    func credential(for url: URL) throws -> BasicCredential?
    /// Forgets the credential for an address; there may be none.
    func delete(for url: URL) throws
}
