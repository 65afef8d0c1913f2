internal import Synchronization

extension ManagedCredential {
    /// The starting point of a renewal.
    struct Basis {
        /// The credential to renew; `nil` if there is none, or if another process has logged out, which ends the credential here
        /// too.
        var credential: HeldCredential?
        /// The content of the store, as far as it is known.
        var there: StoredBasis
        /// Whether ``credential`` differs from the current one.
        var isOther: Bool

        /// Returns the credential if it is valid and can be sent in place of the present one. The token of an interrupted renewal
        /// cannot: it differs from the present one only by its refresh token.
        func successor(of present: HeldCredential?, at now: Duration) -> HeldCredential? {
            guard isOther, let credential, !credential.hasRunOut(at: now) else { return nil }
            if let token = credential.token, token.accessToken == present?.token?.accessToken { return nil }
            return credential
        }
    }

    /// Chooses between the stored credential and the one in memory.
    ///
    /// - Throws: The store's error, if the store must be readable.
    func basis(insteadOf present: HeldCredential?, in session: Session, epoch: UInt64) async throws -> Basis {
        let (held, uncommitted, unstored) = state.withLock { ($0.held, $0.uncommitted, $0.unstored) }
        // An abandoned flight may have begun with a credential that has been replaced since.
        let isOutdated =
            held.map { held in
                present.map { $0.generation != .none && held.generation > $0.generation } ?? true
            } ?? false
        let known = uncommitted ?? (isOutdated ? held : present)
        let isOther = uncommitted != nil || isOutdated
        guard let store, method.obtains else { return Basis(credential: known, there: .anything, isOther: isOther) }
        let entry: CredentialEntry?
        do {
            entry = try await store.load(place)
        } catch let error where !store.mustBeRead || store.isDamage(error) {
            // An unreadable store does not invalidate the credential in memory. The store most likely has the content that was
            // last read.
            return Basis(credential: known, there: unstored?.basis ?? StoredBasis(found: known?.stored), isOther: isOther)
        }
        guard let entry else {
            // The entry is missing because another process has logged out, unless the store has dropped it.
            let isOver = store.isShared && unstored == nil ? await !store.mayHaveDropped(place) : false
            if isOver { state.withLock { if $0.epoch == epoch { $0.uncommitted = nil } } }
            return Basis(credential: isOver ? nil : known, there: .nothing, isOther: isOther)
        }
        if entry != known?.stored, entry != present?.stored, entry != unstored?.basis.entry,
            let found = restored(entry, for: nil, in: session)
        {
            // The entry may have the same access token with another refresh token. Then it does not count as another credential.
            let isOther = present.map { !found.isSent(as: $0) } ?? true
            return Basis(credential: found, there: .entry(entry), isOther: isOther)
        }
        return Basis(credential: known, there: .entry(entry), isOther: isOther)
    }
}
