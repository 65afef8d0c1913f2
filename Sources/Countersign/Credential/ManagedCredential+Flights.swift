internal import Synchronization

extension ManagedCredential {
    /// Has one flight for all that wait bring a credential.
    ///
    /// - Parameter next: Makes it of the present one, for the user of this epoch.
    func fly(
        from observed: Generation, for exchange: ExchangeContext,
        _ next: @escaping @Sendable (HeldCredential?, UInt64) async throws -> HeldCredential
    ) async throws {
        _ = try await coordinator.ensureNewer(
            than: observed, begun: exchange.number, in: exchange.session,
            operation: operation(in: exchange.session, for: exchange.epoch, next))
    }

    /// Gets a credential that no request has asked for.
    ///
    /// - Throws: What ``ensureOther(than:after:isRepeated:for:)`` throws; ``FlightFailure/busy`` where one is got already.
    func acquireUnasked(in session: Session) async throws {
        _ = try await coordinator.startAlone(
            operation: operation(in: session, for: nil) { [self] _, _ in
                try await acquire(
                    insteadOf: nil, by: nil, after: .none, in: session, prompting: nil,
                    hooks: ApplicationHooks(review: method.review(session)))
            })
    }

    /// - Parameter user: The user's session that it is for; `nil` for the present one.
    private func operation(
        in session: Session, for user: SessionEpoch?,
        _ next: @escaping @Sendable (HeldCredential?, UInt64) async throws -> HeldCredential
    ) -> FlightCoordinator.Operation {
        // Each that waits has an operation, of which one is run.
        return { [self, outer = FlightScope.current] in
            let scope = FlightScope(
                of: coordinator, within: outer, presenter: session.configuration.presenter,
                userCodePresenter: session.configuration.userCodePresenter)
            let (present, epoch) = state.withLock { ($0.held, $0.epoch) }
            let owner = user ?? session.epoch
            // Not for the next user, if this one has logged out since the challenge. Ending the session cancels flights before it counts on.
            try session.requireCurrent(owner)
            try Task.checkCancellation()
            let isWanted: @Sendable () throws -> Void = {
                try self.verify(epoch)
                try session.requireCurrent(owner)
            }
            var next = try await scope.run(while: isWanted) { try await next(present, epoch) }
            // Worked out here, since it calls what is the application's; what others do to the cookies until it is made stays.
            let change = next.login.flatMap { session.cookies.change(adopting: $0.after, since: $0.before) }
            next.login = nil
            return { [self, next] in try commit(next, changing: change, epoch: epoch, of: owner, in: session) }
        }
    }

    /// - Parameter change: What a login has changed in the session's cookies.
    private func commit(
        _ next: HeldCredential, changing change: CookieJar.Change?, epoch: UInt64, of user: SessionEpoch, in session: Session
    ) throws {
        try verify(epoch)
        var next = next
        next.generation = coordinator.generation.next
        next.since = now()
        next.epoch = user
        // Before the generation: a request that carries it has these cookies.
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
