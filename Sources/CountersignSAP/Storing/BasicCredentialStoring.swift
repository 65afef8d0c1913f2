public import Foundation

/// Keeps user names and passwords by the address that they are for, beyond the life of a request or of the process.
///
/// A call may block, as files and keychains do, and may come from any thread. Credentials come in clear; encrypting them is up to the
/// implementation.
public protocol BasicCredentialStoring: AnyObject, Sendable {
    /// Keeps a credential in place of the one that is there.
    func store(credential: BasicCredential, for url: URL) throws

    /// The credential for an address, or `nil` if there is none.
    func credential(for url: URL) throws -> BasicCredential?

    /// Forgets the credential for an address; there may be none.
    func delete(for url: URL) throws
}
