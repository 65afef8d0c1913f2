#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where the credentials of a method outlive the process: a ``CredentialStore``, or a store of the application's own kind.
protocol CredentialRepository: Sendable {
    /// Whether other processes keep to its locks and see each other's credentials.
    var isShared: Bool { get }
    /// Whether nothing is sent for a credential without the store's lock; otherwise a store that fails stops no request.
    var locksOrFails: Bool { get }
    /// Whether nothing is renewed or got anew unless the store could be read.
    var mustBeRead: Bool { get }

    /// Notes that there may be something of a space.
    func note(_ place: ProtectionSpace)
    /// The credential of a space that is stored and has not run out, or can be renewed all the same.
    ///
    /// - Throws: ``CredentialStoreError``; an error of the application's store.
    func load(_ place: ProtectionSpace) async throws -> CredentialEntry?
    /// What is stored of all spaces, where the store has a list of it.
    ///
    /// - Throws: ``CredentialStoreError``.
    func all() async throws -> [CredentialEntry]
    /// Keeps a credential in place of what is stored for its space.
    ///
    /// - Parameter change: What to keep, asked when it is this change's turn; `nil` if that is not wanted any more.
    func save(for place: ProtectionSpace, _ change: @escaping @Sendable () -> StoredChange?) async -> StoredOutcome
    /// Deletes a credential, unless another one has taken its place.
    ///
    /// - Returns: What keeps the store from it.
    func remove(
        _ entry: CredentialEntry, for place: ProtectionSpace, while isWanted: @escaping @Sendable () -> Bool
    ) async -> (any Error)?
    /// Whether there are so many that the oldest make room for others.
    func isFull() async -> Bool
    /// Does something that no other process does meanwhile for the same space.
    ///
    /// - Parameter found: What another process has got that makes it needless; asked while this one waits, where the store tells of changes.
    /// - Throws: ``CredentialStoreError``, or an error of the application's store, if the lock was not to be had; the work's errors.
    func exclusively<Success: Sendable>(
        for place: ProtectionSpace, timeout: Duration, unless found: @escaping @Sendable () async throws -> Success?,
        _ work: @escaping @Sendable () async throws -> Success
    ) async throws -> Success
    /// Makes sure that the lock is not lost; part of the work, right before a server is sent what it takes once.
    ///
    /// - Throws: ``CredentialStoreError`` with the code `lockLost`.
    func requireLock() async throws
    /// The user has logged out: from now on nothing is found that is stored. Comes before anything of the next user's begins.
    func disown()
    /// Deletes everything, after the changes that were begun.
    func discard(at now: Duration)
    /// Deletes what is stored for an origin that nothing was asked of in this process, where the store has an entry for each origin; others
    /// delete all at a logout.
    func discard(_ origin: Origin, at now: Duration)
    /// Returns when nothing is stored of the user who has logged out.
    ///
    /// - Throws: ``CredentialStoreError``; an error of the application's store.
    func waitForDeletion() async throws
    /// Does what no request should wait for: deletes what a logout could not delete.
    func tend(_ place: ProtectionSpace, at now: Duration)
}

extension CredentialRepository {
    var mustBeRead: Bool { false }
    func requireLock() async throws {}
    func all() async throws -> [CredentialEntry] { [] }
    func discard(_ origin: Origin, at now: Duration) {}
    func tend(_ place: ProtectionSpace, at now: Duration) {}
}

/// What came of a change.
enum StoredOutcome: Sendable {
    case kept
    /// Something else is there than the change is for, or it was not wanted any more.
    case declined
    case failed(any Error)
}

/// What a store is to keep.
struct StoredChange: Sendable {
    let entry: CredentialEntry
    /// What has to be there still, so that neither a logout nor a login of another process is undone.
    let basis: StoredBasis
}

/// What has to be in a store for a change of it.
enum StoredBasis: Sendable {
    case anything
    case nothing
    case entry(CredentialEntry)

    /// What a look into the store has found.
    init(found: CredentialEntry?) { self = found.map { .entry($0) } ?? .nothing }

    var entry: CredentialEntry? { if case .entry(let entry) = self { entry } else { nil } }
}

/// The credential of one protection space as it is stored.
struct CredentialEntry: Sendable, Hashable {
    let server: String?
    let separators: [String?]
    /// The fields by their names.
    let fields: [String: String]
    let cookies: [StoredCookie]?
    /// The fields that are identities, by their names; `nil` if there is none.
    var identities: [String: StoredIdentity]?
    /// The names of the header fields that it was attached in.
    let attached: Set<String>
    /// When it runs out; `nil` if that is not known.
    let expires: Date?
    /// The values of ``PreparedProgram/credentialSlots``, in place of the fields, for a store of the application's own kind.
    var values: [ProgramValue] = []
    /// The token, in place of the fields, of a method whose credential is one.
    var token: StoredToken?
}

extension CredentialEntry {
    /// The space that it is of.
    var place: ProtectionSpace {
        ProtectionSpace(server: server.flatMap { URL(string: $0) }.flatMap { Origin($0) }, separators: separators)
    }

    /// What a store of the application's own kind keeps of a credential.
    init(_ values: [ProgramValue], for place: ProtectionSpace) {
        self.init(
            server: place.server?.description, separators: place.separators, fields: [:], cookies: nil, attached: [], expires: nil,
            values: values)
    }
}

extension CredentialEntry: Codable {
    private enum CodingKeys: CodingKey {
        case server, separators, fields, cookies, identities, attached, expires
    }
}

extension CredentialEntry: RedactedDescription {}
