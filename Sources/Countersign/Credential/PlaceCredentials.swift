#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import Synchronization

/// The protection space of a credential (RFC 9110, section 11.5).
public struct CredentialPlace: Sendable, Hashable, CustomStringConvertible {
    /// The server.
    public let origin: Origin
    /// The realm that the server names; `nil` for the whole origin.
    public let realm: String?

    /// Creates a place.
    public init(origin: Origin, realm: String? = nil) {
        self.origin = origin
        self.realm = realm
    }

    /// The URL for stores that look up credentials by URL only: the root of the origin, with the realm, if there is one, as the
    /// fragment, which is never sent to a server.
    public var url: URL? {
        let fragment = realm.map { "#" + PercentEncoding.encode($0.utf8) } ?? ""
        return URL(string: "\(origin)/\(fragment)")
    }

    public var description: String { "\(origin)" }
}

/// An application's own credential store that looks up credentials by protection space. It has no versions, no locks, and no list
/// of its entries.
public protocol PlaceCredentialStore: Sendable {
    /// Returns the stored values of a credential's fields in the order of the spec, or `nil` if there are none.
    ///
    /// - Throws: The store's error. The session continues as if there were none.
    func load(for place: CredentialPlace) async throws -> [ProgramValue]?
    /// Stores the values of a credential for a protection space.
    ///
    /// - Throws: The store's error. The session continues with the credential in memory.
    func store(_ values: [ProgramValue], for place: CredentialPlace) async throws
    /// Deletes the credential for a protection space.
    ///
    /// - Throws: The store's error. A logout then throws ``CountersignError/Code/credentialNotDeleted``.
    func delete(for place: CredentialPlace) async throws
}

/// The credentials of a method in a ``PlaceCredentialStore``.
final class PlaceCredentials: CredentialRepository {
    private struct State {
        /// The spaces that may have a stored credential.
        var places: Set<ProtectionSpace> = []
        /// The spaces in ``places`` that have no stored credential, as far as known. They are dropped when there are many, since
        /// a server can name any number of spaces.
        var empty: Set<ProtectionSpace> = []
        /// The number of spaces at which the empty ones are dropped next.
        var mostUntilNextLook = PlaceCredentials.mostPlaces
        /// The number of saves that have begun, and whether one is running. A read beside a save does not show that a space is
        /// empty.
        var saves: UInt64 = 0
        var isSaving = false
        /// The spaces whose stored credential must not be used: it belongs to a user who has logged out, or was refused, and has
        /// not been deleted.
        var stale: Set<ProtectionSpace> = []
        /// The number of logouts. A change that was requested before a logout does not make the stored credential usable after
        /// it.
        var logouts = 0
        /// The deletion of the previous user's credentials.
        var deletion: Task<CredentialStoreError?, Never>?

        /// Records that a space may have a stored credential.
        mutating func noteFull(_ place: ProtectionSpace) {
            places.insert(place)
            empty.remove(place)
        }
    }

    /// The number of spaces above which empty ones are dropped.
    private static var mostPlaces: Int { 1_000 }

    private let store: any PlaceCredentialStore
    /// The queue of changes: a deletion runs after every change that began before it.
    private let changes = OrderedTasks()
    private let state = Mutex(State())

    let isShared = false
    let locksOrFails = false

    init(_ store: any PlaceCredentialStore) { self.store = store }

    func note(_ place: ProtectionSpace) {
        guard place.stored != nil else { return }
        state.withLock { state in
            if state.places.count >= state.mostUntilNextLook {
                // A stale space has a credential that was not deleted.
                state.places.subtract(state.empty.subtracting(state.stale))
                state.empty.formIntersection(state.places)
                state.mostUntilNextLook = max(Self.mostPlaces, state.places.count * 2)
            }
            state.noteFull(place)
        }
    }

    func load(_ place: ProtectionSpace) async throws(CredentialStoreError) -> CredentialEntry? {
        // Waits for the deletion of a logout, so that deleted credentials are not found.
        let deletion = state.withLock { $0.deletion }
        _ = await deletion?.value
        guard let stored = place.stored, !state.withLock({ $0.stale.contains(place) }) else { return nil }
        let saves: UInt64? = state.withLock { $0.isSaving ? nil : $0.saves }
        let values: [ProgramValue]?
        do {
            values = try await store.load(for: stored)
        } catch {
            throw Self.failure(of: error)
        }
        state.withLock { state in
            if values != nil {
                state.noteFull(place)
            } else if state.saves == saves, state.places.contains(place) {
                state.empty.insert(place)
            }
        }
        return values.map { CredentialEntry($0, for: place) }
    }

    func save(for place: ProtectionSpace, _ change: @escaping @Sendable () -> StoredChange?) async -> StoredOutcome {
        let isKept = Mutex(false)
        let failure = await self.change(place) { [self] in
            guard let change = change() else { return false }
            state.withLock { state in
                state.noteFull(place)
                state.saves += 1
                state.isSaving = true
            }
            defer { state.withLock { $0.isSaving = false } }
            // The stored credential may have been replaced or deleted, for example by the logout of another observer.
            if let basis = change.basis.entry {
                let found = try await store.load(for: $0)
                guard let found, found == basis.values || found == change.former?.values else { return false }
            }
            try await store.store(change.entry.values, for: $0)
            isKept.withLock { $0 = true }
            return true
        }
        return failure.map { .failed($0) } ?? (isKept.withLock(\.self) ? .kept : .declined)
    }

    func remove(
        _ entry: CredentialEntry, for place: ProtectionSpace, while isWanted: @escaping @Sendable () -> Bool
    ) async -> (any Error)? {
        let error = await change(place) { [store] in
            guard isWanted() else { return false }
            // Another session with the same store may have stored a newer credential.
            if let found = try? await store.load(for: $0), found != entry.values { return true }
            try await store.delete(for: $0)
            return true
        }
        if error != nil { state.withLock { _ = $0.stale.insert(place) } }
        return error
    }

    /// - Parameter change: Makes the change, and returns `false` if it is no longer wanted.
    /// - Returns: The error of the store; `nil` if it did not fail.
    private func change(
        _ place: ProtectionSpace, _ change: @escaping @Sendable (CredentialPlace) async throws -> Bool
    ) async -> CredentialStoreError? {
        guard let stored = place.stored else { return nil }
        let logouts = state.withLock { $0.logouts }
        return await changes.enqueue { [self] in
            do {
                guard try await change(stored) else { return nil }
                state.withLock { state in
                    if state.logouts == logouts { state.stale.remove(place) }
                }
                return nil
            } catch {
                return Self.failure(of: error)
            }
        }.value
    }

    func mayHaveDropped(_ place: ProtectionSpace) async -> Bool { false }

    func turn(of place: ProtectionSpace) -> CredentialKey? {
        place.stored.map { RenewalTurns.key(of: "\($0.origin)\n\($0.realm ?? "")", in: store, usedBy: self) }
    }

    func exclusively<Success: Sendable>(
        for place: ProtectionSpace, timeout: Duration, unless found: @escaping @Sendable () async throws -> Success?,
        _ work: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        try await work()
    }

    func disown() {
        state.withLock { state in
            state.stale = state.places
            state.logouts += 1
        }
    }

    func discard(at now: Duration) {
        state.withLock { state in
            state.deletion = changes.enqueue { [self, places = state.places] in
                var failure: CredentialStoreError?
                for place in places {
                    guard let stored = place.stored else { continue }
                    do {
                        try await store.delete(for: stored)
                        self.state.withLock { state in
                            state.stale.remove(place)
                            if state.places.contains(place) { state.empty.insert(place) }
                        }
                    } catch {
                        self.state.withLock { _ = $0.stale.insert(place) }
                        failure = failure ?? Self.failure(of: error)
                    }
                }
                return failure
            }
        }
    }

    func waitForDeletion() async throws {
        let deletion = state.withLock { $0.deletion }
        if let error = await deletion?.value { throw error }
    }

    /// Returns the error for a failure of the application's store, without its text, which is the application's own.
    private static func failure(of error: any Error) -> CredentialStoreError {
        CredentialStoreError(.inputOutput, detail: "the application's store failed: \(type(of: error))")
    }
}

extension ProtectionSpace {
    /// The space in a store of the application's own kind; `nil` if it is not a single server.
    fileprivate var stored: CredentialPlace? {
        server.map { CredentialPlace(origin: $0, realm: separators.lazy.compactMap(\.self).first) }
    }
}
