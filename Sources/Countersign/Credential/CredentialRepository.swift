#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where the credentials of a method outlive the process: a ``CredentialStore``, or a store of the application's own kind.
protocol CredentialRepository: Sendable {
    /// Whether other processes keep to its locks and see each other's credentials.
    var isShared: Bool { get }

    /// Notes that there may be something of a space.
    func note(_ place: ProtectionSpace)
    /// The credential of a space that is stored and has not run out, or can be renewed all the same.
    func load(_ place: ProtectionSpace) async throws(CredentialStoreError) -> CredentialEntry?
    /// Keeps a credential in place of what is stored for its space.
    ///
    /// - Parameters:
    ///   - basis: What has to be there still, so that neither a logout nor a login of another process is undone; `nil` for anything.
    ///   - isWanted: Whether the user is still the same, asked when it is this change's turn.
    /// - Returns: What keeps the store from it.
    func save(
        _ entry: CredentialEntry, for place: ProtectionSpace, insteadOf basis: CredentialEntry?,
        while isWanted: @escaping @Sendable () -> Bool
    ) async -> CredentialStoreError?
    /// Deletes a credential, unless another one has taken its place.
    ///
    /// - Returns: What keeps the store from it.
    func remove(
        _ entry: CredentialEntry, for place: ProtectionSpace, while isWanted: @escaping @Sendable () -> Bool
    ) async -> CredentialStoreError?
    /// Whether there are so many that the oldest make room for others.
    func isFull() async -> Bool
    /// Does something that no other process does meanwhile for the same space.
    ///
    /// - Throws: ``CredentialStoreError`` if the lock was not to be had; the work's errors.
    func exclusively<Success: Sendable>(
        for place: ProtectionSpace, timeout: Duration, _ work: @escaping @Sendable () async throws -> Success
    ) async throws -> Success
    /// The user has logged out: from now on nothing is found that is stored. Comes before anything of the next user's begins.
    func disown()
    /// Deletes everything, after the changes that were begun.
    func discard()
    /// Returns when nothing is stored of the user who has logged out.
    func waitForDeletion() async throws(CredentialStoreError)
}

/// The credential of one protection space as it is stored.
struct CredentialEntry: Sendable, Hashable {
    let server: String?
    let separators: [String?]
    /// The fields by their names.
    let fields: [String: String]
    let cookies: [StoredCookie]?
    /// The names of the header fields that it was attached in.
    let attached: Set<String>
    /// When it runs out; `nil` if that is not known.
    let expires: Date?
    /// The values of ``PreparedProgram/credentialSlots``, in place of the fields, for a store of the application's own kind.
    var values: [ProgramValue] = []
}

extension CredentialEntry {
    /// What a store of the application's own kind keeps of a credential.
    init(_ values: [ProgramValue], for place: ProtectionSpace) {
        self.init(
            server: place.server?.description, separators: place.separators, fields: [:], cookies: nil, attached: [], expires: nil,
            values: values)
    }
}

extension CredentialEntry: Codable {
    private enum CodingKeys: CodingKey {
        case server, separators, fields, cookies, attached, expires
    }
}

extension CredentialEntry: RedactedDescription {
    package var visibleParts: KeyValuePairs<String, String> { [:] }
}
