#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Synchronization

/// The credentials of a method in an application's store: those of all its protection spaces under one name, so that a logout deletes also
/// what this process has never used.
///
/// Other processes may change what is stored at any time: each change reads, changes its own entry, and writes in place of what was read.
final class StoredCredentials: CredentialRepository {
    /// What is stored.
    private struct Content: Codable {
        var format = 1
        /// The oldest first.
        var entries: [CredentialEntry] = []
    }

    private struct State {
        /// Whether what is stored is of a user who has logged out, and could not be deleted.
        var isStale = false
        /// How many users have logged out: what was begun before a logout says nothing of what is stored after it.
        var logouts = 0
        /// Deletes what was stored for the user before.
        var deletion: Task<CredentialStoreError?, Never>?
    }

    private let store: any CredentialStore
    private let key: CredentialKey
    /// Whether what has run out is of use still, since another one can come of it.
    private let keepsExpired: Bool
    /// A deletion comes after every change that was begun before it.
    private let changes = OrderedTasks()
    private let state = Mutex(State())

    /// More spaces than this are not kept: the oldest go.
    private static var mostEntries: Int { 64 }
    /// Each conflict is another process's success, so that this many in a row do not happen.
    private static var mostConflicts: Int { 16 }

    init(_ store: any CredentialStore, of method: PreparedProgram) {
        self.store = store
        key = CredentialKey(method.storeName)
        keepsExpired = method.program.renewal != nil
    }

    let isShared = true
    var locksOrFails: Bool { (store as? any DistributedCredentialStore)?.requiresLock ?? false }
    var mustBeRead: Bool { locksOrFails }

    func note(_ place: ProtectionSpace) {}

    func exclusively<Success: Sendable>(
        for place: ProtectionSpace, timeout: Duration, unless found: @escaping @Sendable () async throws -> Success?,
        _ work: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        let space = ([place.server?.description] + place.separators).map { $0 ?? "" }.joined(separator: "\n")
        let lock = CredentialKey("\(key.name)\nrenewal\n\(space)")
        guard let store = store as? any DistributedCredentialStore else {
            return try await store.withExclusiveLock(on: lock, timeout: timeout, work)
        }
        return try await store.withExclusiveLock(on: lock, timeout: timeout, work, watching: key, unless: found)
    }

    func requireLock() async throws { try await (store as? any DistributedCredentialStore)?.requireLock() }

    func load(_ place: ProtectionSpace) async throws(CredentialStoreError) -> CredentialEntry? {
        let deletion = state.withLock { $0.deletion }
        // What a logout deletes is not found again.
        _ = await deletion?.value
        guard !state.withLock({ $0.isStale }), let found = try await store.read(key) else { return nil }
        return try Self.content(found).entries.first { $0.isOf(place) && isOfUse($0) }
    }

    func all() async throws -> [CredentialEntry] {
        guard !state.withLock({ $0.isStale }), let found = try await store.read(key) else { return [] }
        return try Self.content(found).entries
    }

    func isFull() async -> Bool {
        guard let found = try? await store.read(key), let content = try? Self.content(found) else { return false }
        return content.entries.count >= Self.mostEntries
    }

    private func isOfUse(_ entry: CredentialEntry) -> Bool { keepsExpired || !entry.hasExpired }

    func save(for place: ProtectionSpace, _ change: @escaping @Sendable () -> StoredChange?) async -> StoredOutcome {
        let isKept = Mutex(false)
        let failure = await self.change { [self] entries in
            // A change that meets another process's is made once more.
            isKept.withLock { $0 = false }
            guard let change = change() else { return }
            switch change.basis {
            case .anything: break
            case .nothing: if entries.contains(where: { $0.isOf(place) && isOfUse($0) }) { return }
            case .entry(let basis): if !entries.contains(basis) { return }
            }
            isKept.withLock { $0 = true }
            entries.removeAll { $0.isOf(place) || !isOfUse($0) }
            entries.append(change.entry)
            entries = entries.suffix(Self.mostEntries)
        }
        // Who has lost the lock leaves it to the one who has it.
        return failure.map { $0.code == .lockLost ? .declined : .failed($0) } ?? (isKept.withLock(\.self) ? .kept : .declined)
    }

    func remove(
        _ entry: CredentialEntry, for place: ProtectionSpace, while isWanted: @escaping @Sendable () -> Bool
    ) async -> (any Error)? {
        await change { if isWanted() { $0.removeAll { $0 == entry } } }
    }

    func disown() {
        state.withLock { state in
            state.isStale = true
            state.logouts += 1
        }
    }

    func discard(at now: Duration) {
        state.withLock { state in
            state.deletion = changes.enqueue { [self, logouts = state.logouts] in
                do throws(CredentialStoreError) {
                    try await store.discard(key)
                    noteReplaced(since: logouts)
                    return nil
                } catch {
                    // Also if a change that was begun before the logout has ended since.
                    self.state.withLock { $0.isStale = true }
                    return error
                }
            }
        }
    }

    func waitForDeletion() async throws {
        let deletion = state.withLock { $0.deletion }
        if let error = await deletion?.value { throw error }
    }

    /// - Returns: What keeps the store from it.
    private func change(
        _ change: @escaping @Sendable (inout [CredentialEntry]) -> Void
    ) async -> CredentialStoreError? {
        await changes.enqueue { [self] in
            do throws(CredentialStoreError) {
                for _ in 0..<Self.mostConflicts {
                    if try await write(change) { return nil }
                }
                return CredentialStoreError(.conflict, detail: "the credentials are changed all the time")
            } catch {
                return error
            }
        }.value
    }

    /// - Returns: `false` if another process was first.
    private func write(_ change: (inout [CredentialEntry]) -> Void) async throws(CredentialStoreError) -> Bool {
        let (isStale, logouts) = state.withLock { ($0.isStale, $0.logouts) }
        let found = try await readOrGiveUp()
        var content = try isStale ? Content() : found.map(Self.content) ?? Content()
        let before = content.entries
        change(&content.entries)
        guard isStale || content.entries != before else { return true }
        do throws(CredentialStoreError) {
            if content.entries.isEmpty {
                if let found { try await store.delete(key, replacing: found.version) }
            } else {
                try await store.write(Self.secret(content), for: key, replacing: found?.version)
            }
        } catch {
            guard error.code == .conflict else { throw error }
            return false
        }
        noteReplaced(since: logouts)
        return true
    }

    /// What is stored is of the present user, unless one has logged out meanwhile.
    private func noteReplaced(since logouts: Int) {
        state.withLock { state in
            if state.logouts == logouts { state.isStale = false }
        }
    }

    /// What is stored. What is damaged makes room for the next; what only cannot be read here, for want of its key,
    /// stays.
    private func readOrGiveUp() async throws(CredentialStoreError) -> StoredCredential? {
        do throws(CredentialStoreError) {
            return try await store.read(key)
        } catch {
            guard error.code == .corrupt else { throw error }
            try await store.discard(key)
            return nil
        }
    }

    private static func content(_ stored: StoredCredential) throws(CredentialStoreError) -> Content {
        // The decoder's own error quotes what it read.
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(stored.secret.bytes)) else {
            throw CredentialStoreError(.foreign, detail: "what is stored in the credentials' place is none")
        }
        guard content.format == 1 else {
            throw CredentialStoreError(.unsupportedFormat, detail: "the credentials were stored by a newer version of this program")
        }
        return content
    }

    private static func secret(_ content: Content) throws(CredentialStoreError) -> SecretBytes {
        guard let bytes = try? JSONEncoder().encode(content) else {
            throw CredentialStoreError(.inputOutput, detail: "the credentials could not be encoded")
        }
        return SecretBytes(bytes)
    }
}

extension CredentialEntry {
    /// Whether it is the credential of a space.
    fileprivate func isOf(_ place: ProtectionSpace) -> Bool {
        server == place.server?.description && separators == place.separators
    }

    fileprivate var hasExpired: Bool { expires.map { $0 <= Date() } ?? false }
}

/// The encoded form of a cookie in a store.
package struct StoredCookie: Codable, Sendable, Hashable {
    let name, value, domain, path: String
    let isHostOnly, isSecure, isHTTPOnly: Bool
    let expires: Date?
    let sameSite: String?

    package init(_ cookie: Cookie) {
        name = cookie.name
        value = cookie.value
        domain = cookie.domain
        path = cookie.path
        isHostOnly = cookie.isHostOnly
        isSecure = cookie.isSecure
        isHTTPOnly = cookie.isHTTPOnly
        expires = cookie.expires
        sameSite = cookie.sameSite
    }

    /// The decoded cookie.
    package var cookie: Cookie {
        Cookie(
            name: name, value: value, domain: domain, isHostOnly: isHostOnly, path: path, expires: expires, isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, sameSite: sameSite)
    }
}

extension StoredCookie: RedactedDescription {}

/// An identity as it is stored, with its private key.
struct StoredIdentity: Codable, Sendable, Hashable {
    private let certificates: [Data]
    private let key: Data

    init(_ identity: ConnectionIdentity) {
        certificates = identity.certificateChain.map { Data($0) }
        key = Data(identity.privateKey.bytes)
    }

    /// The identity of connections.
    var identity: ConnectionIdentity {
        ConnectionIdentity(certificateChain: certificates.map(Array.init), privateKey: SecretBytes(key))
    }
}

extension StoredIdentity: RedactedDescription {}

extension PreparedProgram {
    /// What tells the credentials of a method from others in a store: its name, and all that the application has given but secrets.
    var storeName: String {
        let parameters = zip(program.slots, self.parameters).compactMap { slot, value -> String? in
            guard slot.source == .parameter, !slot.isSecret, let text = value.nameInStore else { return nil }
            return "\(slot.name)=\(text)"
        }
        return (["Countersign credential", program.name] + parameters).joined(separator: "\n")
    }
}

extension ProgramValue {
    fileprivate var nameInStore: String? {
        switch self {
        case .text(let text): text
        case .url(let url): url.absoluteString
        case .origins(let origins): origins.origins.map { $0.map(\.description).sorted().joined(separator: " ") } ?? "anywhere"
        case .absent, .secret, .duration, .date, .json, .xml, .cookies, .identity, .texts, .members, .data: nil
        }
    }
}
