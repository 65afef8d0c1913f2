internal import Synchronization

extension ManagedCredential {
    /// The end of a credential together with the user's session.
    struct End: Sendable {
        fileprivate let credential: ManagedCredential
        /// The state that has ended.
        fileprivate let state: State
        /// Cancels the running flight, and resumes its waiters. Call it without locks.
        let inform: @Sendable () -> Void

        /// The revocations of the credentials that have ended.
        var revocations: [Revocation] { credential.revocations(of: state) }
    }

    /// The revocations of the current credential and of those that are being adopted; none if the method has no revocation.
    var revocations: [Revocation] { revocations(of: state.withLock(\.self)) }

    private func revocations(of state: State) -> [Revocation] {
        guard !method.program.end.isEmpty else { return [] }
        let (adopted, renewal, orphans) = (state.adopted.values, state.renewal, Array(state.orphans.values))
        // A credential that is being adopted does not continue the current one, as a renewed one does.
        let successor = state.uncommitted.flatMap { next in adopted.contains { $0.isSent(as: next) } ? nil : next }
        let present = successor ?? state.superseded ?? state.held
        // The current credential may have just been adopted.
        var revocations = adopted.filter { other in present.map { !$0.isSent(as: other) } ?? true }
            .map { other in revocation { other } }
        revocations += orphans.map { orphan in revocation { await orphan.result } }
        // The server also has the result of a running renewal, which is revoked instead.
        if present != nil || renewal != nil {
            revocations.append(
                revocation {
                    if let renewed = try? await renewal?.value { return renewed }
                    return await Self.unrenewed(present, by: orphans)
                })
        }
        return revocations
    }

    /// Returns a credential; `nil` if an orphaned renewal has replaced it at the server.
    private static func unrenewed(_ credential: HeldCredential?, by orphans: [Orphan]) async -> HeldCredential? {
        for orphan in orphans where orphan.used != nil && orphan.used == credential?.stored {
            if await orphan.result != nil { return nil }
        }
        return credential
    }

    /// Returns the revocation of a stored credential; `nil` if the method has no revocation, or if a credential is held in
    /// memory.
    func revocation(of entry: CredentialEntry, in session: Session) -> Revocation? {
        let (isHeld, orphans) = state.withLock {
            ($0.uncommitted != nil || $0.held != nil || $0.renewal != nil, Array($0.orphans.values))
        }
        guard !method.program.end.isEmpty, !isHeld, let stored = restored(entry, for: nil, in: session) else { return nil }
        return revocation { await Self.unrenewed(stored, by: orphans) }
    }

    private func revocation(of credential: @escaping @Sendable () async -> HeldCredential?) -> Revocation {
        { [method, report] session in
            guard let held = await credential() else { return }
            var runner = StepRunner(method, with: held, in: session, report: report)
            do {
                try await runner.end(showingPagesFor: session.configuration.requestTimeout)
            } catch let refusal as CallRun.Refusal {
                throw CountersignError(
                    .operationRefused, detail: "the server did not revoke the credential",
                    authenticationMethod: method.program.name, origin: refusal.origin, status: refusal.status)
            } catch let error as CountersignError {
                throw error.completed(authenticationMethod: method.program.name, origin: nil)
            }
        }
    }

    /// Ends the user's session for this credential, after a commit that has begun.
    ///
    /// - Parameter isLogout: Whether the user logs out, so that stored credentials are not restored any more.
    func end(isLogout: Bool) {
        coordinator.endSession()
        _ = reset(isLogout: isLogout, to: coordinator.generation)
    }

    /// Ends the user's session for this credential under the session's lock, in one step with the session's epoch.
    ///
    /// Flights write their results under the same lock, and nothing of the next user can begin before the lock is released.
    func endWithSession() -> End {
        let (generation, inform) = coordinator.endSessionUnderLock()
        return End(credential: self, state: reset(isLogout: true, to: generation), inform: inform)
    }

    /// - Returns: The state before.
    private func reset(isLogout: Bool, to generation: Generation) -> State {
        state.withLock { state in
            let before = state
            state = State(
                isRestored: isLogout, saves: before.saves, generation: max(generation, before.generation), epoch: before.epoch + 1,
                firstEpoch: isLogout ? before.epoch + 1 : before.firstEpoch)
            if !isLogout { state.inherit(from: before) }
            return before
        }
    }

    /// Whether the user's session is still the same.
    func isCurrent(_ epoch: UInt64) -> Bool { state.withLock { $0.epoch == epoch } }

    /// Whether a session was invalidated, and no request of another session waits for the credential.
    func isAbandoned(by session: Session) -> Bool { session.isClosed && coordinator.waiterCount == 0 }

    /// Throws if the user's session has ended, since its results must not be kept for another one.
    func verify(_ epoch: UInt64) throws {
        guard isCurrent(epoch) else { throw FlightFailure.sessionEnded }
    }
}

extension ManagedCredential.State {
    /// Takes over what the same user still needs after the observer was unregistered.
    fileprivate mutating func inherit(from before: Self) {
        orphans = before.orphans
        let latest = before.uncommitted ?? before.held
        if let renewal = before.renewal {
            orphans[before.epoch] = ManagedCredential.Orphan(
                renewal: renewal, used: latest?.stored ?? before.unstored?.basis.entry)
        }
        guard let unstored = before.unstored, unstored.basis.entry != nil else { return }
        // The store may still have the used credential, which the next registration would otherwise send again.
        self.unstored = unstored
        self.unstored?.next = .zero
        if unstored.entry != nil { uncommitted = latest }
    }
}
