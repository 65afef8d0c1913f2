#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The persistent storage of a method's credentials: a ``CredentialStore``, or a store of the application's own kind.
protocol CredentialRepository: Sendable {
    /// Whether the processes that use the store observe its locks and see each other's credentials.
    var isShared: Bool { get }
    /// Whether a credential is obtained or renewed only under the store's lock. Otherwise a failing store does not stop requests.
    var locksOrFails: Bool { get }
    /// Whether the store must be readable before a credential is renewed or obtained.
    var mustBeRead: Bool { get }
    /// Whether the store has not answered a call yet, even if the call is not waited for any more.
    var isUnanswered: Bool { get }

    /// Records that the store may have a credential of a space.
    func note(_ place: ProtectionSpace)
    /// Returns the stored credential of a space, if it has not expired or can be renewed.
    ///
    /// - Throws: ``CredentialStoreError``; an error of the application's store.
    func load(_ place: ProtectionSpace) async throws -> CredentialEntry?
    /// Returns the stored credentials of all spaces, if the store can list them.
    ///
    /// - Throws: ``CredentialStoreError``.
    func all() async throws -> [CredentialEntry]
    /// Saves a credential in place of the stored one of its space.
    ///
    /// - Parameter change: Returns the entry to save, after the earlier changes; `nil` if the change is no longer wanted.
    func save(for place: ProtectionSpace, _ change: @escaping @Sendable () -> StoredChange?) async -> StoredOutcome
    /// Deletes a credential, unless another one has taken its place.
    ///
    /// - Returns: The error of the store; `nil` if it did not fail.
    func remove(
        _ entry: CredentialEntry, for place: ProtectionSpace, while isWanted: @escaping @Sendable () -> Bool
    ) async -> (any Error)?
    /// Whether the entry of a space may be missing although no process has logged out: the store is full, so that new entries replace
    /// the oldest ones, or damaged content was deleted with it.
    func mayHaveDropped(_ place: ProtectionSpace) async -> Bool
    /// The name under which the renewals of a space's credential take turns in this process (``RenewalTurns``); `nil` if the store
    /// has locks.
    func turn(of place: ProtectionSpace) -> CredentialKey?
    /// Runs work while no other process does the same for the same space.
    ///
    /// - Parameter found: Returns the result of another process that makes the work unnecessary. Called while this process waits,
    ///   if the store reports changes.
    /// - Throws: ``CredentialStoreError`` or an error of the application's store, if the lock could not be taken; the work's
    ///   errors.
    func exclusively<Success: Sendable>(
        for place: ProtectionSpace, timeout: Duration, unless found: @escaping @Sendable () async throws -> Success?,
        _ work: @escaping @Sendable () async throws -> Success
    ) async throws -> Success
    /// Throws if the lock was lost. Called by the work immediately before it sends a value that the server accepts only once.
    ///
    /// - Throws: ``CredentialStoreError`` with the code `lockLost`.
    func requireLock() async throws
    /// Whether an error of reading concerns only damaged content, which the next credential replaces.
    func isDamage(_ error: any Error) -> Bool
    /// Hides all stored credentials after a logout. Called before any work of the next user begins.
    func disown()
    /// Deletes all credentials, after the changes that have begun.
    func discard(at now: Duration)
    /// Deletes the credential of an origin to which this process has sent no request, if the store has an entry for each origin.
    /// Other stores delete all entries at a logout.
    func discard(_ origin: Origin, at now: Duration)
    /// Waits until the stored credentials of the user who has logged out are deleted.
    ///
    /// - Throws: ``CredentialStoreError``; an error of the application's store.
    func waitForDeletion() async throws
    /// Repeats the failed deletions of a logout. No request waits for it.
    func tend(_ place: ProtectionSpace, at now: Duration)
}

extension CredentialRepository {
    var mustBeRead: Bool { false }
    var isUnanswered: Bool { false }
    func requireLock() async throws {}
    func isDamage(_ error: any Error) -> Bool { error.isCorruption }
    func all() async throws -> [CredentialEntry] { [] }
    func discard(_ origin: Origin, at now: Duration) {}
    func tend(_ place: ProtectionSpace, at now: Duration) {}
}

/// The result of a change.
enum StoredOutcome: Sendable {
    case kept
    /// The store has other content than the change requires, or the change is no longer wanted.
    case declined
    case failed(any Error)
}

/// A change in a store.
struct StoredChange: Sendable {
    let entry: CredentialEntry
    /// The content that the store must still have, so that neither a logout nor a login of another process is undone.
    let basis: StoredBasis
    /// The credential that the new one replaces here, or the new one itself, which may be in the store in place of the basis: a save,
    /// perhaps a repeated one, that had not ended in time may have stored it since.
    var former: CredentialEntry?
}

/// The content that a store must have for a change.
enum StoredBasis: Sendable {
    case anything
    case nothing
    case entry(CredentialEntry)

    /// Creates the basis from the entry that was found in the store.
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
    /// The header fields and other places that carried it, and the recipients that it names: ``HeldCredential/attachedPlaces``.
    let attached: Set<String>
    /// The expiry; `nil` if it is unknown.
    let expires: Date?
    /// The values of ``PreparedProgram/credentialSlots``, in place of the fields, for a store of the application's own kind.
    var values: [ProgramValue] = []
    /// The token, in place of the fields, if the method's credential is a token.
    var token: StoredToken?
}

extension CredentialEntry {
    /// The credential's protection space.
    var place: ProtectionSpace {
        ProtectionSpace(server: server.flatMap { URL(string: $0) }.flatMap { Origin($0) }, separators: separators)
    }

    /// Whether it is the credential of a space.
    func isOf(_ place: ProtectionSpace) -> Bool {
        server == place.server?.description && separators == place.separators
    }

    /// Whether it has expired by the wall clock.
    var hasExpired: Bool { expires.map { $0 <= Date() } ?? false }

    /// Creates the entry for a store of the application's own kind.
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

extension CredentialEntry {
    /// A hash of an entry, by which it is compared with another one of this process without its secrets.
    ///
    /// It is the entry's hash value, which covers all forms of entries, and whose key is random for each process. Two different entries
    /// have the same one with a probability of 2⁻⁶⁴.
    struct Digest: Sendable, Equatable {
        private let hash: Int

        init(_ entry: CredentialEntry) { hash = entry.hashValue }
    }
}

extension CredentialEntry {
    /// Creates an entry from the token in a token store.
    init(_ token: OAuth2Token, for place: ProtectionSpace) {
        self.init(
            server: place.server?.description, separators: place.separators, fields: [:], cookies: nil, attached: [], expires: nil,
            token: StoredToken(token: token))
    }
}

/// A token in a store. Two are equal if their secrets are, because an application's own store may round the other values.
struct StoredToken: Sendable, Hashable {
    let token: OAuth2Token

    private var secrets: [String?] { [token.accessToken, token.refreshToken] }
    static func == (one: StoredToken, other: StoredToken) -> Bool { one.secrets == other.secrets }
    func hash(into hasher: inout Hasher) { hasher.combine(secrets) }
}
