#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Synchronization

/// The credentials of a method in a ``CredentialStore``. Those of all protection spaces have one name, so that a logout also
/// deletes credentials that this process has never used.
///
/// Other processes may change the stored content at any time, so each change reads it, changes its own entry, and replaces the
/// version that was read.
final class StoredCredentials: CredentialRepository {
    /// The stored content.
    private struct Content: Codable {
        var format = 1
        /// The entries, the oldest first.
        var entries: [CredentialEntry] = []
        /// Whether entries were dropped because the store accepts no larger content; `nil` if not.
        var isCut: Bool?

        /// Whether entries may have been dropped because there was no room for them.
        var isIncomplete: Bool { entries.count >= StoredCredentials.mostEntries || isCut == true }
    }

    private struct State {
        /// Whether the stored content belongs to a user who has logged out, and has not been deleted.
        var isStale = false
        /// The number of logouts. A change that began before a logout does not make the stored content usable after it.
        var logouts = 0
        /// The deletion of the previous user's credentials.
        var deletion: Task<CredentialStoreError?, Never>?
        /// Whether damaged content was deleted here since the last logout, perhaps with entries that are still in memory.
        var hasLost = false
        /// The spaces whose entry was found or saved after that. If it is missing later, another process has logged out.
        var regained: Set<ProtectionSpace> = []

        mutating func noteRegained(_ place: ProtectionSpace) {
            guard hasLost else { return }
            regained.insert(place)
            // A server can name any number of spaces.
            if regained.count > StoredCredentials.mostRegained { endLoss() }
        }

        mutating func endLoss() {
            hasLost = false
            regained = []
        }
    }

    private let store: any CredentialStore
    private let key: CredentialKey
    /// Whether expired credentials are kept, since they can be renewed.
    private let keepsExpired: Bool
    /// The queue of changes: a deletion runs after every change that began before it.
    private let changes = OrderedTasks()
    private let state = Mutex(State())

    /// The maximum number of entries. Others are dropped.
    private static var mostEntries: Int { 64 }
    /// The maximum number of conflicts in a row. Each one is a successful change of another process, so this limit is not
    /// expected to be reached.
    private static var mostConflicts: Int { 16 }
    /// The maximum number of spaces that are remembered after the deletion of damaged content.
    private static var mostRegained: Int { 1_000 }
    /// The time limit for the lock of the deletion of damaged content, in real time. Its holder only reads and deletes.
    private static var repairTimeout: Duration { .seconds(10) }

    init(_ store: any CredentialStore, of method: PreparedProgram) {
        self.store = store
        key = CredentialKey(method.storeName)
        keepsExpired = method.program.renewal != nil
    }

    let isShared = true
    var locksOrFails: Bool { (store as? any DistributedCredentialStore)?.requiresLock ?? false }
    var mustBeRead: Bool { locksOrFails }

    func note(_ place: ProtectionSpace) {}
    func turn(of place: ProtectionSpace) -> CredentialKey? { nil }

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
        // Waits for the deletion of a logout, so that deleted credentials are not found.
        _ = await deletion?.value
        guard !state.withLock({ $0.isStale }), let found = try await store.read(key) else { return nil }
        let entry = try Self.content(found).entries.first { $0.isOf(place) && isOfUse($0) }
        if entry != nil { state.withLock { $0.noteRegained(place) } }
        return entry
    }

    func all() async throws -> [CredentialEntry] {
        guard !state.withLock({ $0.isStale }), let found = try await store.read(key) else { return [] }
        return try Self.content(found).entries
    }

    func mayHaveDropped(_ place: ProtectionSpace) async -> Bool {
        let regained = state.withLock(\.regained)
        do {
            let content = try await store.read(key).map(Self.content) ?? Content()
            noteLogout(regained, missingIn: content)
            return isLost(place) || content.isIncomplete
        } catch {
            return isLost(place)
        }
    }

    /// Ends what is known of damage if the entry of a regained space is missing: another process has logged out since, so that an entry
    /// which was lost before must not come back.
    ///
    /// - Parameter regained: The spaces that were regained before the content was read.
    private func noteLogout(_ regained: Set<ProtectionSpace>, missingIn content: Content) {
        guard !content.isIncomplete,
            !regained.allSatisfy({ place in content.entries.contains { $0.isOf(place) } })
        else { return }
        state.withLock { state in
            // Otherwise more damage was found meanwhile, or a user has logged out here.
            if state.regained.isSuperset(of: regained) { state.endLoss() }
        }
    }

    /// Whether the entry of a space may have been lost with damaged content.
    private func isLost(_ place: ProtectionSpace) -> Bool {
        state.withLock { $0.hasLost && !$0.regained.contains(place) }
    }

    private func isOfUse(_ entry: CredentialEntry) -> Bool { keepsExpired || !entry.hasExpired }

    func save(for place: ProtectionSpace, _ change: @escaping @Sendable () -> StoredChange?) async -> StoredOutcome {
        let isKept = Mutex(false)
        let failure = await self.change { [self] entries in
            // The change runs again after a conflict with another process.
            isKept.withLock { $0 = false }
            guard let change = change() else { return }
            switch change.basis {
            case .anything: break
            case .nothing: if entries.contains(where: { $0.isOf(place) && isOfUse($0) && $0 != change.former }) { return }
            case .entry(let basis):
                // Damaged content is no newer credential, so an entry that was lost with it is replaced.
                let isReplaced = isLost(place) && !entries.contains { $0.isOf(place) }
                if !isReplaced, !entries.contains(where: { $0 == basis || $0 == change.former }) { return }
            }
            isKept.withLock { $0 = true }
            entries.removeAll { $0.isOf(place) || !isOfUse($0) }
            entries.append(change.entry)
            entries.limit(to: Self.mostEntries)
        }
        if failure == nil, isKept.withLock(\.self) { state.withLock { $0.noteRegained(place) } }
        // A process that has lost the lock leaves the change to the new owner.
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
            state.endLoss()
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
                    // A change that began before the logout may have reset this.
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

    /// - Returns: The error of the store; `nil` if it did not fail.
    private func change(
        _ change: @escaping @Sendable (inout [CredentialEntry]) -> Void
    ) async -> CredentialStoreError? {
        await changes.enqueue { [self] in
            do throws(CredentialStoreError) {
                for _ in 0..<Self.mostConflicts {
                    if try await write(change) { return nil }
                }
                return CredentialStoreError(.conflict, detail: "other processes keep changing the credentials")
            } catch {
                return error
            }
        }.value
    }

    /// - Returns: `false` on a conflict with another process.
    private func write(_ change: (inout [CredentialEntry]) -> Void) async throws(CredentialStoreError) -> Bool {
        let (isStale, logouts, regained) = state.withLock { ($0.isStale, $0.logouts, $0.regained) }
        let found = try await readOrGiveUp(since: logouts)
        var content = try isStale ? Content() : found.map(Self.content) ?? Content()
        if !isStale { noteLogout(regained, missingIn: content) }
        let before = content.entries
        change(&content.entries)
        guard isStale || content.entries != before else { return true }
        do throws(CredentialStoreError) {
            if content.entries.isEmpty {
                if let found { try await store.delete(key, replacing: found.version) }
            } else {
                try await write(&content, replacing: found?.version)
            }
        } catch {
            guard error.code == .conflict else { throw error }
            return false
        }
        noteReplaced(since: logouts)
        return true
    }

    /// Writes content, without some of its entries if the store accepts no content of that size.
    private func write(_ content: inout Content, replacing version: CredentialVersion?) async throws(CredentialStoreError) {
        while true {
            do throws(CredentialStoreError) {
                try await store.write(Self.secret(content), for: key, replacing: version)
                return
            } catch {
                guard error.code == .tooLarge, content.entries.dropLargest() else { throw error }
                content.isCut = true
            }
        }
    }

    /// Records that the stored content belongs to the current user, unless a user has logged out meanwhile.
    private func noteReplaced(since logouts: Int) {
        state.withLock { state in
            if state.logouts == logouts { state.isStale = false }
        }
    }

    /// Reads the stored content, and deletes it if it is damaged. Content that only this process cannot read, because it has no
    /// key, is kept.
    ///
    /// - Parameter logouts: The number of logouts before. Damage says nothing about the credentials of a later user.
    private func readOrGiveUp(since logouts: Int) async throws(CredentialStoreError) -> StoredCredential? {
        do throws(CredentialStoreError) {
            return try await store.read(key)
        } catch {
            guard error.code == .corrupt else { throw error }
        }
        let found = try await readOrDiscard()
        state.withLock { state in
            guard state.logouts == logouts else { return }
            state.hasLost = true
            state.regained = []
        }
        return found
    }

    /// Reads the stored content again, and deletes it if it is still damaged. Processes do this one after another: one that has
    /// read damaged content does not delete what another one has saved in its place.
    private func readOrDiscard() async throws(CredentialStoreError) -> StoredCredential? {
        do {
            let lock = CredentialKey("\(key.name)\ndamage")
            return try await store.withExclusiveLock(on: lock, timeout: Self.repairTimeout) {
                [store, key] () async throws -> StoredCredential? in
                do throws(CredentialStoreError) {
                    return try await store.read(key)
                } catch {
                    guard error.code == .corrupt else { throw error }
                    try await store.discard(key)
                    return nil
                }
            }
        } catch let error as CredentialStoreError {
            throw error
        } catch {
            // The task is never cancelled, and the operation throws no other errors.
            throw CredentialStoreError(.inputOutput, detail: "the damaged credentials could not be deleted")
        }
    }

    private static func content(_ stored: StoredCredential) throws(CredentialStoreError) -> Content {
        // The decoder's error is not passed on, since it quotes the content.
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(stored.secret.bytes)) else {
            throw CredentialStoreError(.foreign, detail: "the stored data is not a list of credentials")
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
