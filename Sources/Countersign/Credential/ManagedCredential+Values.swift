internal import Synchronization

/// The current credential for the application, in place of a request.
extension ManagedCredential {
    /// Returns the values of the current credential, even if it has expired, or else those of the stored one.
    ///
    /// Nothing is sent, and nothing changes: a stored credential is still read anew for the first challenged request.
    ///
    /// - Parameter user: The user's session that the credential must belong to.
    /// - Returns: `nil` if there is no credential, or only a stored one that has expired and cannot be renewed.
    /// - Throws: ``CredentialStoreError``; an error of the application's store; ``CountersignError/Code/timedOut``;
    ///   `CancellationError`.
    func values(for user: SessionEpoch, in session: Session) async throws -> CredentialValues? {
        let (current, isUnread, epoch) = state.withLock { state in
            // After a logout, the store is read only if a server asks for a credential.
            (state.uncommitted ?? state.held, !state.isRestored, state.epoch)
        }
        if let current { return (current.epoch ?? user) == user ? values(of: current) : nil }
        guard isUnread, let store, let entry = try await store.load(place) else { return nil }
        let isReplaced = state.withLock { [$0.expired?.stored, $0.unstored?.basis.entry].contains(entry) }
        guard !isReplaced, isCurrent(epoch), session.epoch == user else { return nil }
        return restored(entry, for: nil, in: session).map { values(of: $0) }
    }

    private func values(of credential: HeldCredential) -> CredentialValues {
        var values = Dictionary(zip(method.credentialSlots, credential.values)) { first, _ in first }
        // It was the lifetime when the credential was issued.
        if let lifetime = method.program.credential.lifetime { values[lifetime] = nil }
        return CredentialValues(values, expirationDate: credential.expirationDate)
    }
}
