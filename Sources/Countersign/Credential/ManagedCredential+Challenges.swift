internal import HTTPTypes
internal import Synchronization

extension ManagedCredential {
    /// Replaces the credential that a challenged request carried; returns at once if there is another one.
    ///
    /// - Parameter isRepeated: Whether a challenge to the same request has been answered before.
    /// - Throws: ``CountersignError``, an error of the application's, ``FlightFailure``, `CancellationError`.
    func ensureOther(
        than carried: Generation, after challenge: ChallengeReading, isRepeated: Bool, for exchange: ExchangeContext
    ) async throws {
        let observed = try observed(by: carried, after: challenge, isRepeated: isRepeated, for: exchange)
        do {
            try await fly(from: observed, for: exchange) { [self] present, epoch in
                try await other(than: carried, present, after: challenge, for: exchange, epoch: epoch)
            }
        } catch is NeedsChallenge {
            // It had joined a flight of others, who have none, or that was not to ask the user.
            try await ensureOther(than: carried, after: challenge, isRepeated: isRepeated, for: exchange)
        }
    }

    /// The credential that a flight brings after a challenge.
    private func other(
        than carried: Generation, _ present: HeldCredential?, after challenge: ChallengeReading, for exchange: ExchangeContext,
        epoch: UInt64
    ) async throws -> HeldCredential {
        let rule = method.program.rule(for: challenge.name)
        guard method.countsRefusals || method.isToken else {
            return try await acquire(insteadOf: nil, by: rule, after: challenge, for: exchange)
        }
        // What has run out, or was not sent, was not refused.
        let wasRefused = present.map { !$0.hasRunOut(at: now()) && $0.generation == carried.own(ofSpace: number) } ?? false
        let refused = wasRefused || !method.countsRefusals ? present : nil
        do {
            return try await replacement(of: present, refused, by: rule, after: challenge, for: exchange, epoch: epoch)
        } catch let failure as RenewalFailure {
            // What can still be renewed is kept for that.
            throw failure.error
        } catch {
            guard method.countsRefusals else { throw error }
            if rule?.keepsCredential == true, let refused {
                decline(challenge, of: refused, because: error, epoch: epoch)
            } else {
                forget(refused, because: error, epoch: epoch)
            }
            throw error
        }
    }

    /// What a challenged request is taken to have carried; a newer credential than that serves it.
    ///
    /// Where refusals are not counted, a credential that was challenged again within the same exchange did not help; any other challenge asks
    /// for another one, whatever servers have accepted.
    ///
    /// Apart from what waits, whose frame would have room for all this as long as it does.
    ///
    /// - Throws: What a request ends with that carried what was refused for good.
    @inline(never)
    private func observed(
        by carried: Generation, after challenge: ChallengeReading, isRepeated: Bool, for exchange: ExchangeContext
    ) throws -> Generation {
        let rule = method.program.rule(for: challenge.name)
        guard method.countsRefusals else {
            let own = carried.own(ofSpace: number) ?? .none
            if isRepeated, own >= state.withLock(\.generation) { throw refusedForGood(by: rule) }
            return own
        }
        let now = now()
        return try state.withLock { state in
            let own = carried.own(ofSpace: number)
            // What has run out is not sent, so that no server can refuse it; what was sent was refused, also if its cookies went with that.
            if let held = state.held, held.hasExpired(at: now), own != held.generation {
                if held.isRenewable, held.hasRunOut(at: now) { return held.generation }
                state.outdated = held.stored
                state.held = nil
            }
            // One server does not take what has just been renewed: that says nothing against it at others, nor against what renews it.
            if let held = state.held, held.generation == own, held.isRenewed, !held.isAccepted, isRepeated, rule?.retries ?? 0 == 0
            {
                throw refusedForGood(by: rule)
            }
            // A request that carried what was refused for good, or one before it, gets its error. So does one that carried none, but was
            // begun by then: it waited for the same answer. A later one starts over.
            if let refusal = state.refusal,
                own.map({ $0 <= refusal.generation }) ?? (state.held == nil && exchange.number <= refusal.latest)
            {
                throw refusal.error
            }
            if let declined = state.declined, own == declined.generation, exchange.number <= declined.latest,
                declined.values == challenge.values
            {
                throw declined.error
            }
            // A request without a credential is served by the present one; where there is none, by a flight.
            return state.held == nil ? state.generation : own ?? .none
        }
    }

    /// What follows a challenge to a request with a credential, or to one without.
    ///
    /// - Parameters:
    ///   - present: The present credential, if there is one.
    ///   - refused: The same, if it was refused.
    private func replacement(
        of present: HeldCredential?, _ refused: HeldCredential?, by rule: RejectionRule?, after challenge: ChallengeReading,
        for exchange: ExchangeContext, epoch: UInt64
    ) async throws -> HeldCredential {
        let isBorne = present.map { $0.isAccepted || $0.isRenewed } == true && rule?.actions.contains(.renew) == true
        if !method.countsRefusals || refused == nil || isBorne,
            let next = try await renewed(present, in: exchange.session, epoch: epoch)
        {
            return next
        }
        try FlightScope.requireWanted()
        // What is good for other requests stays in the store.
        let isKept = refused != nil && rule?.keepsCredential == true
        if !isKept,
            let found = try await storedCredential(insteadOf: refused, after: challenge, for: exchange, epoch: epoch).credential
        {
            if !found.hasRunOut(at: now()) { return found }
            if let next = try await renewed(found, in: exchange.session, epoch: epoch) { return next }
        }
        return try await obtained(
            insteadOf: refused, by: rule, after: challenge, for: exchange, epoch: epoch, isSecondLook: true)
    }

    /// A credential that the steps to one lead to, or what another process has got meanwhile: of those with one store, one logs in at a time.
    func obtained(
        insteadOf refused: HeldCredential?, by rule: RejectionRule?, after challenge: ChallengeReading,
        for exchange: ExchangeContext, epoch: UInt64, isSecondLook: Bool
    ) async throws -> HeldCredential {
        guard method.obtains else {
            return try await acquire(insteadOf: refused, by: rule, after: challenge, for: exchange)
        }
        return try await exclusively(for: method.isInteractive ? interactiveTimeout : flightTimeout) { [self] in
            // Of those that wait for one login, or one renewal, each takes what has come of it.
            let found = try await storedCredential(
                insteadOf: refused, after: challenge, for: exchange, epoch: epoch, isSecondLook: true
            ).credential
            return found.flatMap { $0.hasRunOut(at: now()) ? nil : $0 }
        } _: { [self] in
            try FlightScope.requireWanted()
            let stored = try await storedCredential(
                insteadOf: refused, after: challenge, for: exchange, epoch: epoch, isSecondLook: isSecondLook)
            if let found = stored.credential ?? state.withLock(\.uncommitted), !found.hasRunOut(at: now()) { return found }
            let next = try await acquire(insteadOf: refused, by: rule, after: challenge, for: exchange)
            // What a server has given is kept also if no request waits for it any more; what the application gives, it gives again.
            if method.onlyAsks { try FlightScope.requireWanted() }
            return await save(next, insteadOf: .anything, later: stored.basis, epoch: epoch)
        }
    }

    /// Keeps a credential for other requests; those that the same challenge has come to end with this error.
    private func decline(
        _ challenge: ChallengeReading, of credential: HeldCredential, because error: any Error, epoch: UInt64
    ) {
        guard !Task.isCancelled else { return }
        state.withLock { state in
            guard state.epoch == epoch else { return }
            state.declined = Declined(
                generation: credential.generation, values: challenge.values, latest: .latest, error: error)
        }
    }

    /// What was refused for good is not sent again: a later request starts over.
    private func forget(_ refused: HeldCredential?, because error: any Error, epoch: UInt64) {
        state.withLock { state in
            guard state.epoch == epoch, state.held?.generation == refused?.generation else { return }
            if refused != nil { state.unstored?.entry = nil }
            guard refused != nil || error.isRefusal else { return }
            state.held = nil
            // That the flight was given up says nothing to requests that come later.
            if !Task.isCancelled { state.refusal = (state.generation, .latest, error) }
        }
    }
}

extension Error {
    /// Whether a server has refused what was sent to it, so that sending it again would not help.
    fileprivate var isRefusal: Bool {
        guard let error = self as? CountersignError else { return false }
        return error.code == .refusedByServer || error.code == .challengedAgain
    }
}

extension MethodProgram {
    /// What follows a challenge to a request that had the credential.
    func rule(for challenge: String) -> RejectionRule? {
        rejections.first { ($0.challenge ?? challenge) == challenge }
    }
}
