internal import Synchronization

/// The credential managers of the authenticators that have been used in a session, one for each.
///
/// The session owns the managers, and an entry holds its authenticator weakly, so neither keeps the other alive. An entry is
/// found by the authenticator's identity and used only if its weak reference still is that object, since the address of a
/// released authenticator can be reused.
final class SessionFlights: Sendable {
    private struct Entry: Sendable {
        weak let owner: ProgramAuthenticator?
        let manager: CredentialManager
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// Returns the manager of an authenticator, and creates it on first use.
    func manager(for owner: ProgramAuthenticator, make: () -> CredentialManager) -> CredentialManager {
        entries.withLock { entries in
            if let entry = entries[ObjectIdentifier(owner)], entry.owner === owner { return entry.manager }
            entries = entries.filter { $0.value.owner != nil }
            let manager = make()
            entries[ObjectIdentifier(owner)] = Entry(owner: owner, manager: manager)
            return manager
        }
    }

    /// Returns the manager of an authenticator; `nil` if the authenticator has not been used in this session.
    func manager(for owner: ProgramAuthenticator) -> CredentialManager? {
        entries.withLock { entries in
            guard let entry = entries[ObjectIdentifier(owner)], entry.owner === owner else { return nil }
            return entry.manager
        }
    }

    /// The managers of all authenticators.
    var managers: [CredentialManager] { entries.withLock { $0.values.map(\.manager) } }

    /// Ends the running authentications, and drops the credentials.
    func endSession(of session: Session) {
        for manager in managers { manager.end(isRegistered: true, in: session) }
    }
}
