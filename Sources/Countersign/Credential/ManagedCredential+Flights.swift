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
            operation: operation(in: session, for: nil) { [self] _, _ in
                try await acquire(
                    insteadOf: nil, by: nil, after: .none, in: session, prompting: nil,
                    hooks: ApplicationHooks(review: method.review(session)))
            })
    }

    /// - Parameter user: The user's session that the flight belongs to; `nil` for the current one.
    private func operation(
        in session: Session, for user: SessionEpoch?,
        _ next: @escaping @Sendable (HeldCredential?, UInt64) async throws -> HeldCredential
    ) -> FlightCoordinator.Operation {
        // Each waiter passes an operation, but only one of the operations runs.
        return { [self, outer = FlightScope.current] in
            let scope = FlightScope(
                of: coordinator, within: outer, presenter: session.configuration.presenter,
                userCodePresenter: session.configuration.userCodePresenter)
            let (present, epoch) = state.withLock { ($0.held, $0.epoch) }
            let owner = user ?? session.epoch
            // If the user has logged out since the challenge, the flight must not run for the next user. The end of a session
            // cancels its flights before it advances the epoch.
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
        try state.withLock { state in
            guard state.epoch == epoch else { throw FlightFailure.sessionEnded }
            state.isRestored = true
            state.held = next
            state.generation = next.generation
            state.uncommitted = nil
            state.pause = nil
            state.nextEarlyRenewal = .zero
        }
    }
}
