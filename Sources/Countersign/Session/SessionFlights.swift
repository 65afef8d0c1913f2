internal import Synchronization

/// The flights of a session: one coordinator for each authenticator that has been used in it.
///
/// The session owns the coordinators, and an entry holds its authenticator weakly: neither keeps the other alive. An entry is found
/// by the authenticator's identity and used only if its weak reference still is that very object, so an address that is used again
/// cannot lead to the flights of something else.
final class SessionFlights: Sendable {
    private struct Entry: Sendable {
        weak let owner: (any AnyObject & Sendable)?
        let coordinator: FlightCoordinator
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// The coordinator of an authenticator, made at its first use.
    func coordinator(for owner: any AnyObject & Sendable, make: () -> FlightCoordinator) -> FlightCoordinator {
        entries.withLock { entries in
            if let entry = entries[ObjectIdentifier(owner)], entry.owner === owner { return entry.coordinator }
            entries = entries.filter { $0.value.owner != nil }
            let coordinator = make()
            entries[ObjectIdentifier(owner)] = Entry(owner: owner, coordinator: coordinator)
            return coordinator
        }
    }

    /// The coordinator of an authenticator, if it has been used in this session.
    func coordinator(for owner: any AnyObject & Sendable) -> FlightCoordinator? {
        entries.withLock { entries in
            guard let entry = entries[ObjectIdentifier(owner)], entry.owner === owner else { return nil }
            return entry.coordinator
        }
    }

    /// Discards what is flying.
    func endSession() {
        for coordinator in entries.withLock({ $0.values.map(\.coordinator) }) { coordinator.endSession() }
    }
}
