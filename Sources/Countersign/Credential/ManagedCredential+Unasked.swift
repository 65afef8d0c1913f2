internal import Synchronization

/// Credentials that are obtained, renewed or saved although no server has asked for them.
extension ManagedCredential {
    /// The minimum interval between attempts that no request waits for: early renewals, and repeated saves to the store.
    static var patience: Duration { .seconds(30) }

    /// Whether a credential can be obtained before a request is sent: from a store that was not read yet, as the first one of a
    /// method whose requests always carry it, or in place of an expired one.
    var canPrepare: Bool {
        let now = now()
        return state.withLock { canPrepare($0, at: now) }
    }

    private func canPrepare(_ state: State, at now: Duration) -> Bool {
        if needsRestoring(state, at: now) { return true }
        return state.held.map { $0.hasRunOut(at: now) && ($0.isRenewable || method.acquiresUnasked) }
            ?? method.program.credential.isEager
    }

    /// Obtains a credential before a request is sent, if that is possible without a challenge.
    ///
    /// - Throws: The method's errors, ``CountersignError``, an error of the application, ``FlightFailure``, `CancellationError`.
    func prepare(for exchange: ExchangeContext) async throws {
        try await restore(for: exchange)
        let now = now()
        let generation = try state.withLock { state -> Generation? in
            guard canPrepare(state, at: now) else { return nil }
            // The request began before the refusal, so it gets the same error.
            if state.held == nil, let refusal = state.refusal, exchange.number <= refusal.latest { throw refusal.error }
            return state.held?.generation ?? state.generation
        }
        if let generation { try await replaceUnasked(generation, asksUser: true, for: exchange) }
    }

    /// Starts work that no request waits for: replaces a credential that will soon expire while requests still use it, and
    /// repeats failed saves and deletions in the store.
    func tend(for exchange: ExchangeContext) {
        let now = now()
        store?.tend(place, at: now)
        let (generation, stores, epoch) = state.withLock { state in
            var generation: Generation?
            if let held = state.held, held.lifetime.phase(at: now) == .renewable, held.isRenewable || method.acquiresEarly,
                now >= state.nextEarlyRenewal
            {
                state.nextEarlyRenewal = now + Self.patience
                generation = held.generation
            }
            let isDue = !state.isRenewing && state.unstored?.entry != nil && state.unstored?.next.map { now >= $0 } == true
            if isDue { state.unstored?.next = now + Self.patience }
            return (generation, isDue, state.epoch)
        }
        guard generation != nil || stores else { return }
        beside(exchange) {
            // The save comes first: during a renewal, which is based on the stored content, nothing is saved.
            if stores { await self.storeAgain(in: exchange.session, epoch: epoch) }
            // A running flight replaces the credential, too. If this work waited for it, it would keep a login page open after the
            // last request has left.
            guard let generation, !self.coordinator.isFlying else { return }
            try? await self.replaceUnasked(generation, asksUser: false, for: exchange)
        }
    }

    /// Starts work beside an exchange, for which the invalidation of the session waits.
    private func beside(_ exchange: ExchangeContext, _ work: @escaping @Sendable () async -> Void) {
        let session = exchange.session
        session.beginSave()
        Task.detached {
            defer { session.endSave() }
            await work()
        }
    }

    /// Replaces the credential of a generation without a challenge. Does nothing if that requires a challenge, or a user who must
    /// not be asked.
    private func replaceUnasked(_ generation: Generation, asksUser: Bool, for exchange: ExchangeContext) async throws {
        do {
            try await fly(from: generation, for: exchange) { [self] present, epoch in
                do {
                    if present == nil, asksUser, method.acquiresUnasked {
                        // The store may have a credential that has expired since, and that can be renewed.
                        return try await replacement(of: nil, nil, by: nil, after: .none, for: exchange, epoch: epoch)
                    }
                    if let next = try await renewed(present, in: exchange.session, epoch: epoch) { return next }
                } catch let failure as RenewalFailure {
                    throw failure.error
                }
                guard asksUser ? method.acquiresUnasked : method.acquiresEarly else { throw NeedsChallenge() }
                return try await obtained(insteadOf: nil, by: nil, after: .none, for: exchange, epoch: epoch, isSecondLook: false)
            }
        } catch is NeedsChallenge {}
    }
}
