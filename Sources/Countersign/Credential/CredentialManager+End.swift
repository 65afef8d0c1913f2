internal import HTTPTypes
internal import Synchronization

extension CredentialManager {
    /// The revocations of the current credentials.
    var revocations: [Revocation] { spaces.withLock { $0.all }.flatMap(\.revocations) }

    /// Returns the revocations of stored credentials that this process does not hold.
    func storedRevocations(in session: Session) async throws -> [Revocation] {
        // Without a revocation, the store need not be read.
        guard !method.program.end.isEmpty, let store = store(in: session) else { return [] }
        // Taken before the store is read, since they can end and replace what was read.
        let renewals = spaces.withLock { $0.all }.flatMap(\.renewals)
        return try await store.all().compactMap { entry in
            let space = spaces.withLock { spaces in self.space(for: entry.place, among: &spaces, in: session) }
            return space.revocation(of: entry, renewedBy: renewals, in: session)
        }
    }

    /// Ends the credentials together with the user's session, in one step under the session's lock. So no flight of the next user
    /// can begin before, whose credential would be dropped, and nothing that it stores is deleted.
    ///
    /// - Parameter now: The time by the session's clock.
    func endWithSession(_ session: Session, at now: Duration) -> [ManagedCredential.End] {
        hasLoggedOut.store(true, ordering: .relaxed)
        store?.disown()
        let ends = spaces.withLock { $0.all }.map { $0.endWithSession() }
        // After the ends, so that nothing of the user who has logged out is stored later.
        deleteStored(at: now, in: session)
        return ends
    }

    /// Ends the credentials of a session that is closed, or of an observer that was unregistered.
    func end(isRegistered: Bool, in session: Session) {
        if isRegistered {
            hasLoggedOut.store(true, ordering: .relaxed)
            store?.disown()
        }
        for space in spaces.withLock({ $0.all }) { space.end(isLogout: isRegistered) }
        // An unregistered observer may be registered again and use its stored credentials.
        guard isRegistered else {
            destinations?.reset()
            return
        }
        deleteStored(at: session.now(), in: session)
    }

    /// Begins to delete the stored credentials.
    private func deleteStored(at now: Duration, in session: Session) {
        guard let store = store(in: session) else { return }
        store.discard(at: now)
        Task { [observer, weak session] in
            do { try await store.waitForDeletion() } catch { session?.report(SessionEvent(.notStored, observer: observer)) }
        }
    }

    /// Waits until the stored credentials of the user who has logged out are deleted.
    ///
    /// - Parameter origin: An origin that may have a stored credential although this process has sent it no request.
    /// - Throws: ``CountersignError/Code/credentialNotDeleted``; ``CountersignError/Code/timedOut``; `CancellationError`.
    func forget(at origin: Origin?, in session: Session) async throws {
        let store = store(in: session)
        if let origin, destinations?.origins?.origins == nil { store?.discard(origin, at: session.now()) }
        do {
            try await store?.waitForDeletion()
        } catch let error as CountersignError where error.code == .timedOut {
            throw error.completed(authenticationMethod: method.program.name)
        } catch {
            try Task.checkCancellation()
            // The text of a store's error is not passed on, since it is the application's own.
            let reason = (error as? CredentialStoreError)?.code.rawValue ?? "\(type(of: error))"
            throw CountersignError(
                .credentialNotDeleted, detail: "the store failed to delete a credential: \(reason)",
                authenticationMethod: method.program.name)
        }
    }
}
