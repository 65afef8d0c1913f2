internal import HTTPTypes
internal import Synchronization

extension ManagedCredential {
    /// Replaces the credential that a challenged request carried; returns at once if there is a newer one.
    ///
    /// - Parameter isRepeated: Whether a challenge to the same request has been answered before.
    /// - Throws: ``CountersignError``, an error of the application, ``FlightFailure``, `CancellationError`.
    func ensureOther(
        than carried: Generation, after challenge: ChallengeReading, isRepeated: Bool, for exchange: ExchangeContext
    ) async throws {
        let observed = try observed(by: carried, after: challenge, isRepeated: isRepeated, for: exchange)
        do {
            try await fly(from: observed, for: exchange) { [self] present, epoch in
                try await other(than: carried, present, after: challenge, for: exchange, epoch: epoch)
            }
        } catch is NeedsChallenge {
            // The request had joined a flight without a challenge, which could not obtain a credential or must not ask the user.
            try await ensureOther(than: carried, after: challenge, isRepeated: isRepeated, for: exchange)
        }
    }

    /// Returns the credential that a flight obtains after a challenge.
    private func other(
        than carried: Generation, _ present: HeldCredential?, after challenge: ChallengeReading, for exchange: ExchangeContext,
        epoch: UInt64
    ) async throws -> HeldCredential {
        let rule = method.program.rule(for: challenge.name)
        guard method.countsRefusals || method.isToken else {
            return try await acquire(insteadOf: nil, replacing: nil, by: rule, after: challenge, for: exchange)
        }
        // A credential that has expired, or that the request did not carry, was not refused.
        let wasRefused = present.map { !$0.hasRunOut(at: now()) && $0.generation == carried.own(ofSpace: number) } ?? false
        let refused = wasRefused || !method.countsRefusals ? present : nil
        do {
            return try await replacement(of: present, refused, by: rule, after: challenge, for: exchange, epoch: epoch)
        } catch let failure as RenewalFailure {
            // The credential is kept, since a later renewal may succeed.
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

    /// Returns the generation that a challenged request counts as having carried. Any newer credential answers the challenge.
    ///
    /// If refusals are not counted, a repeated challenge within one exchange means that the new credential had no effect. Any
    /// other challenge requires another credential, whatever servers have accepted.
    ///
    /// A separate function, since the frame of the waiting function would otherwise reserve space for all its variables.
    ///
    /// - Throws: The error of a credential that was permanently refused, if the request carried it.
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
            // An expired credential is not sent, so no server can refuse it. A credential that was sent was refused, even if the
            // same response removed its cookies.
            if let held = state.held, held.hasExpired(at: now), own != held.generation {
                if held.isRenewable, held.hasRunOut(at: now) { return held.generation }
                state.expired = held
                state.held = nil
            }
            // No action could meet the challenge. The credential stays valid for other requests.
            if let rule, rule.actions.isEmpty, let held = state.held, held.generation == own { throw refusedForGood(by: rule) }
            // The refusal of a credential that was just renewed by one server invalidates neither the credential at other servers
            // nor its next renewal.
            if let held = state.held, held.generation == own, held.isRenewed, !held.isAccepted, isRepeated, rule?.retries ?? 0 == 0
            {
                throw refusedForGood(by: rule)
            }
            // A request that carried the permanently refused credential, or an older one, gets its error. So does a request
            // without a credential that began before the refusal, since it waited for the same result. A later request starts
            // again.
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
            // A request without a credential gets the current one. If there is none, a flight obtains it.
            return state.held == nil ? state.generation : own ?? .none
        }
    }

    /// Obtains the replacement of a credential after a challenge: by a renewal, from the store, or by the steps to a new one.
    ///
    /// - Parameters:
    ///   - present: The current credential, if there is one.
    ///   - refused: The same credential if it was refused; otherwise `nil`.
    func replacement(
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
        // A credential that stays valid for other requests is not removed from the store.
        let isKept = refused != nil && rule?.keepsCredential == true
        if !isKept,
            let found = try await storedCredential(insteadOf: refused, after: challenge, for: exchange, epoch: epoch).credential
        {
            if !found.hasRunOut(at: now()) { return found }
            if let next = try await renewed(found, in: exchange.session, epoch: epoch) { return next }
            state.withLock { if $0.epoch == epoch, $0.held == nil { $0.expired = found } }
        }
        return try await obtained(
            insteadOf: refused, by: rule, after: challenge, for: exchange, epoch: epoch, isSecondLook: true)
    }

    /// Obtains a credential by the method's steps, or adopts one that another process has stored meanwhile. Processes with the
    /// same store log in one at a time.
    func obtained(
        insteadOf refused: HeldCredential?, by rule: RejectionRule?, after challenge: ChallengeReading,
        for exchange: ExchangeContext, epoch: UInt64, isSecondLook: Bool
    ) async throws -> HeldCredential {
        guard method.obtains else {
            return try await acquire(
                insteadOf: refused, replacing: expired(epoch), by: rule, after: challenge, for: exchange)
        }
        return try await exclusively(for: method.isInteractive ? interactiveTimeout : flightTimeout) { [self] in
            // A process that waits for the login or renewal of another process adopts its result.
            let found = try await storedCredential(
                insteadOf: refused, after: challenge, for: exchange, epoch: epoch, isSecondLook: true
            ).credential
            return found.flatMap { $0.hasRunOut(at: now()) ? nil : $0 }
        } _: { [self] in
            try FlightScope.requireWanted()
            let stored = try await storedCredential(
                insteadOf: refused, after: challenge, for: exchange, epoch: epoch, isSecondLook: isSecondLook)
            if let found = stored.credential ?? state.withLock(\.uncommitted), !found.hasRunOut(at: now()) { return found }
            let next = try await acquire(
                insteadOf: refused, replacing: expired(epoch), by: rule, after: challenge, for: exchange)
            // A credential from a server is stored even if no request waits for it any more. A credential from the application is
            // not, since the application can provide it again.
            if method.onlyAsks { try FlightScope.requireWanted() }
            return await save(next, insteadOf: .anything, later: stored.basis, in: exchange.session, epoch: epoch)
        }
    }

    /// Keeps a credential for other requests, and records the error for requests that received the same challenge.
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

    /// Drops a credential that was permanently refused, so that it is not sent again. A later request starts again.
    private func forget(_ refused: HeldCredential?, because error: any Error, epoch: UInt64) {
        state.withLock { state in
            guard state.epoch == epoch, state.held?.generation == refused?.generation else { return }
            if refused != nil { state.unstored?.entry = nil }
            guard refused != nil || error.isRefusal else { return }
            state.held = nil
            // Later logins are compared with the same user until a logout, also if this one was dismissed or has failed.
            if !method.slotsBefore.isEmpty, let refused { state.expired = refused }
            // The error of a cancelled flight does not apply to later requests.
            if !Task.isCancelled { state.refusal = (state.generation, .latest, error) }
        }
    }
}

extension Error {
    /// Whether a server has refused the credential or the login, so that a repetition would fail too.
    fileprivate var isRefusal: Bool {
        guard let error = self as? CountersignError else { return false }
        return error.code == .refusedByServer || error.code == .challengedAgain
    }
}

extension MethodProgram {
    /// Returns the rule for a challenge to a request that carried the credential.
    func rule(for challenge: String) -> RejectionRule? {
        rejections.first { ($0.challenge ?? challenge) == challenge }
    }
}
