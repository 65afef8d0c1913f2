#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A user name and password (RFC 7617).
///
/// Descriptions, reflection and dumps of this type show neither the name nor the password. Encoding includes both, since a store
/// needs them; the caller is responsible for the encoded data.
public struct BasicCredential: Sendable, Hashable, Codable {
    /// The user name. It must not contain a colon, which separates name and password (RFC 7617, section 2).
    public let username: String
    /// The password.
    public let password: String

    /// Creates a credential.
    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}

extension BasicCredential: ReducedDescription {
    /// A placeholder in place of the credential.
    public var visibleParts: KeyValuePairs<String, String> { ["credential": redacted] }
}

/// Stores user names and passwords by URL.
///
/// A call may block and may come from any thread. The URL is the root of an origin. The realm, if the server names one, is the
/// URL's fragment, so that two realms of a server have separate entries.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol BasicCredentialStoring: AnyObject, Sendable {
    /// Stores a credential, replacing an existing one.
    ///
    /// - Throws: The store's error. The session continues with the credential in memory.
    func store(credential: BasicCredential, for url: URL) throws
    /// Returns the credential for a URL, or `nil` if there is none.
    ///
    /// - Throws: The store's error. The session continues as if there were none.
    func credential(for url: URL) throws -> BasicCredential?
    /// Deletes the credential for a URL, if there is one.
    ///
    /// - Throws: The store's error. A logout then throws ``CountersignError/Code/credentialNotDeleted``.
    func delete(for url: URL) throws
}
