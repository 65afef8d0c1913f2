#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Synchronization

extension ManagedCredential {
    /// Obtains a credential in one flight for all waiting requests.
    ///
    /// - Parameter next: Returns the next credential from the current one and the epoch of the user's session.
    func fly(
        from observed: Generation, for exchange: ExchangeContext,
        _ next: @escaping @Sendable (HeldCredential?, UInt64) async throws -> HeldCredential
    ) async throws {
        _ = try await coordinator.ensureNewer(
            than: observed, begun: exchange.number, in: exchange.session,
            operation: operation(in: exchange.session, for: exchange.epoch, next))
    }

    /// Obtains a credential without a request that needs it.
    ///
    /// - Throws: The errors of ``ensureOther(than:after:isRepeated:for:)``; ``FlightFailure/busy`` if a flight is running.
    func acquireUnasked(in session: Session) async throws {
        _ = try await coordinator.startAlone(
            operation: operation(in: session, for: nil) { [self] _, epoch in
                try await acquire(
                    insteadOf: nil, replacing: expired(epoch), by: nil, after: .none, in: session, prompting: nil,
                    hooks: ApplicationHooks(review: method.review(session)))
            })
    }

    /// Obtains a credential before any request needs it, unless the current one has not expired.
    ///
    /// - Throws: The errors of ``ensureOther(than:after:isRepeated:for:)``.
    func ensurePresent(for exchange: ExchangeContext) async throws {
        try await restore(for: exchange)
        let now = now()
        let observed = state.withLock { state in
            state.held.map { $0.hasExpired(at: now) ? $0.generation : nil } ?? state.generation
        }
        guard let observed else { return }
        do {
            _ = try await coordinator.request(
                newerThan: observed, in: exchange.session,
                operation: operation(in: exchange.session, for: exchange.epoch) { [self] present, epoch in
                    do {
                        return try await replacement(of: present, nil, by: nil, after: .none, for: exchange, epoch: epoch)
                    } catch let failure as RenewalFailure {
                        throw failure.error
                    }
                })
        } catch is NeedsChallenge {
            // It had joined a renewal that must not involve the user.
            try await ensurePresent(for: exchange)
        }
    }

    /// Replaces the current credential with one from the application, which is stored as after a login.
    ///
    /// Runs as a flight, so that challenged requests wait for the result and no login starts beside it. A logout that begins
    /// meanwhile revokes the credential. Once begun, it continues if the caller's task is cancelled.
    ///
    /// - Parameter values: The values of the credential, by slot.
    /// - Returns: Whether the store has saved it.
    /// - Throws: ``FlightFailure/busy`` if an authentication is running; ``FlightFailure/sessionEnded``; ``CountersignError`` with
    ///   ``CountersignError/Code/invalidRequest`` for values that cannot be sent, or that have expired and cannot be renewed; the
    ///   error of a store that requires its lock; `CancellationError`.
    func adopt(_ values: [Int: ProgramValue], in session: Session) async throws -> Bool {
        try Task.checkCancellation()
        var all = method.parameters
        for (slot, value) in values { all[slot] = value }
        var credential = try held(all, nil, signer: nil, lifetime: restLifetime(of: all))
        guard !credential.hasRunOut(at: now()) || credential.isRenewable else {
            throw CountersignError(.invalidRequest, detail: "the credential has expired and cannot be renewed")
        }
        // A challenge to it is answered by a renewal, as for a credential from the store.
        credential.isAccepted = true
        let number = UUID()
        let owner = note(adopting: credential, as: number, in: session)
        // The end of the session waits until the store has the credential.
        session.beginSave()
        // The record remains until the flight has ended, even if the caller is cancelled before.
        return try await firstValue { [self, credential] _ in
            // The end of the user's session takes the credential itself.
            defer {
                if session.epoch == owner { state.withLock { _ = $0.adopted.removeValue(forKey: number) } }
                session.endSave()
            }
            let isStored = Mutex(false)
            _ = try await coordinator.startAlone(
                operation: operation(in: session, for: owner) { [self] _, epoch in
                    // A renewal outlives its flight, and its result must not replace this credential.
                    if let renewal = state.withLock(\.renewal) { _ = try? await renewal.value }
                    let saved = try await exclusively(for: flightTimeout) {
                        nil
                    } _: { [self] in
                        // The caller of a flight that has timed out meanwhile may have adopted another credential since.
                        try FlightScope.requireWanted()
                        state.withLock { if $0.epoch == epoch, let renewed = $0.uncommitted { $0.superseded = renewed } }
                        return await save(credential, insteadOf: .anything, later: .anything, in: session, epoch: epoch)
                    }
                    isStored.withLock { $0 = saved.stored != nil }
                    return saved
                })
            return isStored.withLock(\.self)
        }
    }

    /// Records a credential that is being adopted.
    ///
    /// - Returns: The user's session that it belongs to from now on.
    func note(adopting credential: HeldCredential, as number: UUID, in session: Session) -> SessionEpoch {
        while true {
            let owner = session.epoch
            let isNoted = session.changeCredential(in: owner) {
                state.withLock { $0.adopted[number] = credential }
                return true
            }
            if isNoted { return owner }
        }
    }

    /// The lifetime of a credential that was issued before; zero and less have expired.
    private func restLifetime(of values: [ProgramValue]) -> TokenLifetime? {
        guard let slot = method.program.credential.lifetime, case .duration(let rest) = values[slot] else { return nil }
        let expiry = clock.date().addingTimeInterval(rest / .seconds(1))
        return TokenLifetime(until: expiry, restoredAt: clock.moment, jitter: clock.jitter())
    }

    /// - Parameter user: The user's session that the flight belongs to; `nil` for the one at the time of this call.
    private func operation(
        in session: Session, for user: SessionEpoch?,
        _ next: @escaping @Sendable (HeldCredential?, UInt64) async throws -> HeldCredential
    ) -> FlightCoordinator.Operation {
        let owner = user ?? session.epoch
        // Each waiter passes an operation, but only one of the operations runs.
        return { [self, outer = FlightScope.current] in
            let scope = FlightScope(
                of: coordinator, within: outer, presenter: session.configuration.presenter,
                userCodePresenter: session.configuration.userCodePresenter)
            let (present, epoch) = state.withLock { ($0.held, $0.epoch) }
            // If the user has logged out since the challenge, the flight must not run for the next user. The credential's epoch
            // advances together with that of the session.
            try session.requireCurrent(owner)
            try Task.checkCancellation()
            let isWanted: @Sendable () throws -> Void = {
                try self.verify(epoch)
                try session.requireCurrent(owner)
            }
            var next = try await scope.run(while: isWanted) { try await next(present, epoch) }
            // Computed before the commit, since it calls code of the application. Changes that others make to the cookies until
            // the commit are kept.
            let change = next.login.flatMap { session.cookies.change(adopting: $0.after, since: $0.before) }
            next.login = nil
            return { [self, next] in try commit(next, changing: change, epoch: epoch, of: owner, in: session) }
        }
    }

    /// - Parameter change: The changes of a login to the session's cookies; `nil` if there are none.
    private func commit(
        _ next: HeldCredential, changing change: CookieJar.Change?, epoch: UInt64, of user: SessionEpoch, in session: Session
    ) throws {
        try verify(epoch)
        var next = next
        next.generation = coordinator.generation.next
        next.since = now()
        next.epoch = user
        // The cookies change before the generation, so that every request with the new generation carries them.
        if method.usesSessionCookies {
            guard session.changeCookies(in: user, change) else { throw FlightFailure.sessionEnded }
        }
        // The user's session cannot end meanwhile, so a logout either revokes the credential or prevents its commit.
        let isCommitted = session.changeCredential(in: user) { [next] in
            state.withLock { state in
                guard state.epoch == epoch else { return false }
                state.isRestored = true
                state.held = next
                state.generation = next.generation
                state.uncommitted = nil
                state.superseded = nil
                state.pause = nil
                state.nextEarlyRenewal = .zero
                return true
            }
        }
        guard isCommitted else { throw FlightFailure.sessionEnded }
    }
}
