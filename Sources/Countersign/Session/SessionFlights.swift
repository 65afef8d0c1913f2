internal import Synchronization

/// What the authenticators that have been used in a session have there: one manager of credentials for each.
///
/// The session owns the managers, and an entry holds its authenticator weakly: neither keeps the other alive. An entry is found
/// by the authenticator's identity and used only if its weak reference still is that very object, so an address that is used again
/// cannot lead to what something else has.
final class SessionFlights: Sendable {
    private struct Entry: Sendable {
        weak let owner: ProgramAuthenticator?
        let manager: CredentialManager
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// What an authenticator has, made at its first use.
    func manager(for owner: ProgramAuthenticator, make: () -> CredentialManager) -> CredentialManager {
        entries.withLock { entries in
            if let entry = entries[ObjectIdentifier(owner)], entry.owner === owner { return entry.manager }
            entries = entries.filter { $0.value.owner != nil }
            let manager = make()
            entries[ObjectIdentifier(owner)] = Entry(owner: owner, manager: manager)
            return manager
        }
    }

    /// What an authenticator has, if it has been used in this session.
    func manager(for owner: ProgramAuthenticator) -> CredentialManager? {
        entries.withLock { entries in
            guard let entry = entries[ObjectIdentifier(owner)], entry.owner === owner else { return nil }
            return entry.manager
        }
    }

    /// Ends what is under way, and forgets what was got.
    func endSession(of session: Session) {
        for manager in entries.withLock({ $0.values.map(\.manager) }) { manager.end(isRegistered: true, in: session) }
    }
}
