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
        let operation = operation(in: exchange.session, for: exchange.epoch, next)
        try await waiting {
            _ = try await coordinator.ensureNewer(
                than: observed, begun: exchange.number, in: exchange.session, operation: operation)
        }
    }

    /// Waits for a flight. If its time limit ends while the store has to answer, the error names the store: clients take the end of a
    /// flight without the user for the silence of a server.
    private func waiting(for flight: () async throws -> Void) async throws {
        do {
            try await flight()
        } catch FlightFailure.timedOut where !method.isInteractive && store?.isUnanswered == true {
            throw CountersignError(
                .timedOut, detail: "the store did not answer within the time limit of the authentication", origin: place.server)
        }
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
            let operation = operation(in: exchange.session, for: exchange.epoch) { [self] present, epoch in
                do {
                    return try await replacement(of: present, nil, by: nil, after: .none, for: exchange, epoch: epoch)
                } catch let failure as RenewalFailure {
                    throw failure.error
                }
            }
            try await waiting {
                _ = try await coordinator.request(newerThan: observed, in: exchange.session, operation: operation)
            }
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
    /// If it fails, a later logout does not revoke the credential. If it fails while the credential is being saved, for example at the
    /// flight's time limit, a later request can carry the credential nevertheless, and the next logout revokes it from then on.
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
        credential.isAdopted = true
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
            let operation = operation(in: session, for: owner, mayLogIn: false) { [self] _, epoch in
                // A renewal outlives its flight, and its result must not replace this credential.
                if let renewal = state.withLock(\.renewal) { _ = try? await renewal.value }
                let saved = try await exclusively(for: flightTimeout) {
                    nil
                } _: { [self] in
                    // The caller of a flight that has timed out meanwhile may have adopted another credential since.
                    try FlightScope.requireWanted()
                    state.withLock { state in
                        guard state.epoch == epoch, let renewed = state.uncommitted, !renewed.isAdopted else { return }
                        state.superseded = renewed
                    }
                    var next = credential
                    next.flight = FlightScope.current?.flight
                    return await save(next, insteadOf: .anything, later: .anything, in: session, epoch: epoch)
                }
                isStored.withLock { $0 = saved.stored != nil }
                return saved
            }
            try await waiting { _ = try await coordinator.startAlone(operation: operation) }
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

    /// - Parameters:
    ///   - user: The user's session that the flight belongs to; `nil` for the one at the time of this call.
    ///   - mayLogIn: Whether the flight may bring a credential that only its login knows.
    private func operation(
        in session: Session, for user: SessionEpoch?, mayLogIn: Bool = true,
        _ next: @escaping @Sendable (HeldCredential?, UInt64) async throws -> HeldCredential
    ) -> FlightCoordinator.Operation {
        let owner = user ?? session.epoch
        // Each waiter passes an operation, but only one of the operations runs.
        return { [self, outer = FlightScope.current] in
            let (present, epoch, flight) = state.withLock { state in
                state.flightsSoFar += 1
                return (state.held, state.epoch, state.flightsSoFar)
            }
            let scope = FlightScope(
                of: coordinator, within: outer, presenter: session.configuration.presenter,
                userCodePresenter: session.configuration.userCodePresenter, flight: flight)
            // If the user has logged out since the challenge, the flight must not run for the next user. The credential's epoch
            // advances together with that of the session.
            try session.requireCurrent(owner)
            try Task.checkCancellation()
            let isWanted: @Sendable () throws -> Void = {
                try self.verify(epoch)
                try session.requireCurrent(owner)
            }
            var next = try await awaitable(mayLogIn ? scope : nil) {
                try await scope.run(while: isWanted) { try await next(present, epoch) }
            }
            // Computed before the commit, since it calls code of the application. Changes that others make to the cookies until
            // the commit are kept.
            let change = next.login.flatMap { session.cookies.change(adopting: $0.after, since: $0.before) }
            next.login = nil
            return { [self, next] in
                try commit(next, by: flight, changing: change, epoch: epoch, of: owner, in: session)
            }
        }
    }

    /// Runs a flight in a task whose end a logout can wait for.
    ///
    /// - Parameter scope: The scope of the flight; `nil` if no logout has to wait for it.
    private func awaitable(
        _ scope: FlightScope?, _ work: @escaping @Sendable () async throws -> HeldCredential
    ) async throws -> HeldCredential {
        guard method.revokesUnused, let scope, let flight = scope.flight else { return try await work() }
        let task = Task { try await work() }
        state.withLock { state in
            if flight > state.formerFlights { state.flights[flight] = RunningFlight(task: task, scope: scope) }
        }
        defer { state.withLock { _ = $0.flights.removeValue(forKey: flight) } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Records a credential that a login has just brought. Until it has a place, a logout finds it there.
    ///
    /// - Throws: ``LateCredential`` if the user has logged out during the login.
    func note(brought credential: inout HeldCredential) throws {
        guard let flight = FlightScope.current?.flight else { return }
        credential.flight = flight
        let isLate = state.withLock { [credential] state in
            if method.revokesUnused, flight > state.formerFlights { state.keepUnused(credential) }
            return flight <= state.formerFlights
        }
        if isLate { throw LateCredential(credential: credential) }
    }

    /// - Parameters:
    ///   - flight: The number of the flight.
    ///   - change: The changes of a login to the session's cookies; `nil` if there are none.
    private func commit(
        _ next: HeldCredential, by flight: UInt64, changing change: CookieJar.Change?, epoch: UInt64, of user: SessionEpoch,
        in session: Session
    ) throws {
        try verify(epoch)
        var next = next
        next.generation = coordinator.generation.next
        next.since = now()
        next.epoch = user
        next.isAdopted = false
        // The cookies change before the generation, so that every request with the new generation carries them.
        if method.usesSessionCookies {
            guard session.changeCookies(in: user, change) else { throw FlightFailure.sessionEnded }
        }
        // The user's session cannot end meanwhile, so a logout either revokes the credential or prevents its commit.
        let isCommitted = session.changeCredential(in: user) { [next] in
            state.withLock { state in
                guard state.epoch == epoch else { return false }
                state.isRestored = true
                // An abandoned login may have brought another credential at the last moment.
                if method.revokesUnused { state.keepUncommitted(replacedBy: next) }
                state.noteUse(of: next)
                state.latestFlight = max(state.latestFlight, flight)
                state.held = next
                state.named = next.recipients
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

/// A credential that a server has issued to a login or a renewal although the user had logged out meanwhile. The logout revokes it.
struct LateCredential: Error {
    let credential: HeldCredential
}
