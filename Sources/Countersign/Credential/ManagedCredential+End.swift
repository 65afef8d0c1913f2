internal import Synchronization

extension ManagedCredential {
    /// The end of a credential together with the user's session.
    struct End: Sendable {
        fileprivate let credential: ManagedCredential
        /// The state that has ended.
        fileprivate let state: State
        /// Cancels the running flight, and resumes its waiters. Call it without locks.
        let inform: @Sendable () -> Void

        /// The revocations of the credentials that have ended, and of those that running logins still bring.
        var revocations: [Revocation] { credential.revocations(of: state) + credential.revocations(ofFlightsIn: state) }
    }

    /// The revocations of the current credential and of those that are being adopted; none if the method has no revocation.
    var revocations: [Revocation] { revocations(of: state.withLock(\.self)) }

    private func revocations(of state: State) -> [Revocation] {
        guard !method.program.end.isEmpty else { return [] }
        let (adopted, renewal, orphans) = (state.adopted.values, state.renewal, Array(state.orphans.values))
        // An adopted credential does not continue the current one, as a renewed one does. If its adoption has failed, it is the
        // application's.
        let successor = state.uncommitted.flatMap { $0.isAdopted ? nil : $0 }
        let present = successor ?? state.superseded ?? state.held
        // The current credential may have just been adopted.
        var revocations = adopted.filter { other in present.map { !$0.isSent(as: other) } ?? true }
            .map { other in revocation { other } }
        // No request has carried these, so there is nothing to end but the credential itself, which has ended by its expiry.
        let now = now()
        revocations += state.unused.filter { !$0.isSpent(at: now) }
            .map { credential in revocation(ofUsed: false) { credential } }
        revocations += orphans.map { orphan in revocation { await orphan.result } }
        // The server also has the result of a running renewal, which is revoked instead.
        if present != nil || renewal != nil {
            revocations.append(
                revocation {
                    if let renewal, let renewed = await Self.result(of: renewal) { return renewed }
                    return await Self.unrenewed(present, by: orphans)
                })
        }
        return revocations
    }

    /// Returns the revocations of the credentials that servers issue to running logins although the user has logged out.
    private func revocations(ofFlightsIn state: State) -> [Revocation] {
        // A flight whose login has ended may still wait for a review or a store, and one that waits for this logout does not end.
        let known = Set((state.unused + [state.uncommitted].compactMap(\.self)).compactMap(\.flight))
        let isInside = FlightScope.isInside(coordinator)
        return state.flights.map { revocation(ofFlight: $1, waiting: !isInside && !known.contains($0)) }
    }

    /// Returns the revocation of the credential that a login brings too late.
    ///
    /// It waits for the end of the login, but no longer than for a request, and not for the user, since a page or the application can
    /// ignore the cancellation. A credential that arrives later is revoked then, and an error of its revocation is lost.
    private func revocation(ofFlight flight: RunningFlight, waiting waits: Bool) -> Revocation {
        { [self] session in
            let _: Void = try await firstValue { [self] deliver in
                if !waits || flight.scope.isAsking { deliver(()) }
                let limiting = Task { [configuration = session.configuration] in
                    guard (try? await configuration.clock.sleep(for: configuration.requestTimeout)) != nil else { return }
                    deliver(())
                }
                defer { limiting.cancel() }
                do {
                    _ = try await flight.task.value
                } catch let late as LateCredential {
                    limiting.cancel()
                    let revoke = revocation(ofUsed: false) { late.credential }
                    try await revoke(session)
                } catch {}
            }
        }
    }

    /// Returns the credential that a server has issued to a renewal; `nil` if there is none.
    static func result(of renewal: Task<HeldCredential?, any Error>) async -> HeldCredential? {
        do { return try await renewal.value } catch { return (error as? LateCredential)?.credential }
    }

    /// Returns a credential, or the one by which a renewal has replaced it at the server.
    ///
    /// That renewal may have ended, and its result may have been stored, after the logout has read the store.
    private static func unrenewed(_ credential: HeldCredential?, by renewals: [Orphan]) async -> HeldCredential? {
        for renewal in renewals where renewal.used != nil && renewal.used == credential?.stored {
            if let renewed = await renewal.result { return renewed }
        }
        return credential
    }

    /// The running renewals.
    var renewals: [Orphan] { state.withLock { Array($0.orphans.values) + [$0.currentRenewal].compactMap(\.self) } }

    /// Returns the revocation of a stored credential; `nil` if the method has no revocation, or if a credential is held in
    /// memory.
    ///
    /// - Parameter renewals: The renewals that were running before the store was read.
    func revocation(of entry: CredentialEntry, renewedBy renewals: [Orphan], in session: Session) -> Revocation? {
        let isHeld = state.withLock { $0.uncommitted != nil || $0.held != nil || $0.renewal != nil }
        guard !method.program.end.isEmpty, !isHeld, let stored = restored(entry, for: nil, in: session, isEnding: true) else {
            return nil
        }
        return revocation { await Self.unrenewed(stored, by: renewals) }
    }

    /// - Parameter isUsed: Whether a request may have carried it. Otherwise the user has seen nothing of it, so that no logout page is
    ///   shown, and a server that refuses to end it may not know it, for example after a login that has failed halfway.
    private func revocation(
        ofUsed isUsed: Bool = true, _ credential: @escaping @Sendable () async -> HeldCredential?
    ) -> Revocation {
        { [method, report, clock] session in
            guard let held = await credential(), held.revocation.take() else { return }
            // The steps also run for what has expired, for example to show a logout page. Many servers refuse to revoke it.
            let mayBeUnknown = !isUsed || held.isSpent(at: clock.elapsed())
            var method = method
            // A token ends by the session and the presenter by which it was obtained.
            let sender = method.tokens?.session ?? session
            if let tokens = method.tokens { method.presenter = { tokens.presenter ?? session.configuration.presenter } }
            var runner = StepRunner(method, with: held, in: sender, report: report)
            do {
                try await runner.end(showingPagesFor: isUsed ? session.configuration.requestTimeout : nil)
            } catch let refusal as CallRun.Refusal {
                guard !mayBeUnknown else { return }
                var error = CountersignError(
                    .operationRefused, detail: "the server did not revoke the credential",
                    authenticationMethod: method.program.name, origin: refusal.origin, status: refusal.status)
                error.retryAfter = refusal.retryAfter
                throw error
            } catch let error as CountersignError {
                let isRefused = error.code == .unexpectedAnswer && error.status.map { 400..<500 ~= $0 } == true
                guard !isRefused || !mayBeUnknown else { return }
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
                isRestored: isLogout, flightsSoFar: before.flightsSoFar,
                formerFlights: isLogout ? before.flightsSoFar : before.formerFlights, latestFlight: before.latestFlight,
                saves: before.saves, generation: max(generation, before.generation), epoch: before.epoch + 1,
                firstEpoch: isLogout ? before.epoch + 1 : before.firstEpoch, revocable: before.revocable)
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
    /// The running renewal of the current registration.
    fileprivate var currentRenewal: ManagedCredential.Orphan? {
        renewal.map {
            ManagedCredential.Orphan(renewal: $0, used: (uncommitted ?? held)?.stored ?? unstored?.basis.entry)
        }
    }

    /// Takes over what the same user still needs after the observer was unregistered.
    fileprivate mutating func inherit(from before: Self) {
        orphans = before.orphans
        // These are known only for their revocation.
        unused = before.unused
        flights = before.flights
        let latest = before.uncommitted ?? before.held
        if let renewal = before.currentRenewal { orphans[before.epoch] = renewal }
        guard let unstored = before.unstored, unstored.basis.entry != nil else { return }
        // The store may still have the used credential, which the next registration would otherwise send again.
        self.unstored = unstored
        self.unstored?.next = .zero
        if unstored.entry != nil { uncommitted = latest }
    }
}
