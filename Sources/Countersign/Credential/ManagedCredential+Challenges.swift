internal import HTTPTypes
internal import Synchronization

extension ManagedCredential {
    /// Sees to another credential than the one that a challenged request carried; returns at once if there is one.
    ///
    /// - Parameter isRepeated: Whether a challenge to the same request has been answered before.
    /// - Throws: ``CountersignError``, an error of the application's, ``FlightFailure``, `CancellationError`.
    func ensureOther(
        than carried: Generation, after challenge: ChallengeReading, isRepeated: Bool, for exchange: ExchangeContext
    ) async throws {
        let now = now()
        let rule = method.program.rule(for: challenge.name)
        let observed = try state.withLock { state in
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
            // A request without a credential is served by the present one; where there is none, by a flight.
            return state.held == nil ? state.generation : own ?? .none
        }
        do {
            try await fly(from: observed, for: exchange) { [self] present, epoch in
                // What has run out, or was not sent, was not refused.
                let wasRefused =
                    present.map { !$0.hasRunOut(at: self.now()) && $0.generation == carried.own(ofSpace: number) } ?? false
                let refused = wasRefused ? present : nil
                do {
                    return try await replacement(of: present, refused, by: rule, after: challenge, for: exchange, epoch: epoch)
                } catch let failure as RenewalFailure {
                    // What can still be renewed is kept for that.
                    throw failure.error
                } catch {
                    forget(refused, because: error, epoch: epoch)
                    throw error
                }
            }
        } catch is NeedsChallenge {
            // It had joined a flight of others, who have none.
            try await ensureOther(than: carried, after: challenge, isRepeated: isRepeated, for: exchange)
        }
    }

    /// Has one flight for all that wait bring a credential.
    ///
    /// - Parameter next: Makes it of the present one, for the user of this epoch.
    func fly(
        from observed: Generation, for exchange: ExchangeContext,
        _ next: @escaping @Sendable (HeldCredential?, UInt64) async throws -> HeldCredential
    ) async throws {
        let scope = FlightScope(
            of: coordinator, within: FlightScope.current, presenter: exchange.session.configuration.presenter)
        _ = try await coordinator.ensureNewer(than: observed, begun: exchange.number) { [self] in
            let (present, epoch) = state.withLock { ($0.held, $0.epoch) }
            // Not for the next user, if this one has logged out since the challenge.
            if let epoch = exchange.epoch { try exchange.session.requireCurrent(epoch) }
            let next = try await scope.run(while: { try self.verify(epoch) }) { try await next(present, epoch) }
            return { [self] in try commit(next, epoch: epoch) }
        }
    }

    private func commit(_ next: HeldCredential, epoch: UInt64) throws {
        var next = next
        next.generation = coordinator.generation.next
        try state.withLock { state in
            guard state.epoch == epoch else { throw FlightFailure.sessionEnded }
            state.held = next
            state.generation = next.generation
            state.renewal = nil
            state.pause = nil
            state.nextEarlyRenewal = .zero
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
        if let present, refused == nil || (present.isAccepted || present.isRenewed) && rule?.actions.contains(.renew) == true,
            let next = try await renewed(present, in: exchange.session, epoch: epoch)
        {
            return next
        }
        try FlightScope.requireWanted()
        if let found = try await storedCredential(insteadOf: refused, after: challenge, for: exchange, epoch: epoch) {
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
        guard !method.program.acquire.isEmpty else {
            return try await acquire(insteadOf: refused, by: rule, after: challenge, for: exchange)
        }
        return try await exclusively(for: method.isInteractive ? interactiveTimeout : flightTimeout) { [self] in
            try FlightScope.requireWanted()
            let found = try await storedCredential(
                insteadOf: refused, after: challenge, for: exchange, epoch: epoch, isSecondLook: isSecondLook)
            if let found, !found.hasRunOut(at: now()) { return found }
            let next = try await acquire(insteadOf: refused, by: rule, after: challenge, for: exchange)
            return await save(next, epoch: epoch)
        }
    }

    /// A credential that is none that was refused.
    ///
    /// - Parameter rule: What follows the refusal of a credential; it holds also where a login is refused on the way.
    func acquire(
        insteadOf refused: HeldCredential?, by rule: RejectionRule?, after challenge: ChallengeReading,
        for exchange: ExchangeContext
    ) async throws -> HeldCredential {
        var rule = rule
        var refused = refused
        var refusals = Refusals()
        var steps = method.program.acquire
        if let refused {
            refusals = row(endingWith: refused)
            guard let rule, refusals.count <= rule.retries, rule.actions != [.renew] else { throw refusedForGood(by: rule) }
            if rule.actions == [.resend] { steps = [] }
        }
        while true {
            var runner = StepRunner(method, after: challenge, in: exchange.session, report: report)
            runner.refusedLogins = state.withLock(\.refusedLogins)
            var prompt = CredentialPrompt(
                origin: exchange.origin, url: exchange.url, refusals: refusals.count, challenge: method.texts(of: challenge))
            prompt.response = challenge.response
            prompt.refused = refusals.values
            do {
                try await runner.run(steps, prompt)
                let next = try held(by: runner, after: refusals, answering: challenge)
                if refused.map({ !next.isSent(as: $0) }) ?? true {
                    // What a challenge says is resent as it is: nothing of it is new.
                    guard !steps.isEmpty, let signature = try await refusalInReview(of: next, in: exchange.session) else {
                        return next
                    }
                    // As if a request had come back with it.
                    rule = method.program.rule(for: signature)
                    refused = next
                }
                // What was refused just now is not sent again.
                refusals.values.append(next.values)
            } catch let refusal as CallRun.Refusal {
                // What was not typed does not become right by being sent again.
                guard runner.hasAsked(for: refusal.call), refusals.count < rule?.retries ?? 0 else {
                    note(refusal, of: runner)
                    throw refusal.error
                }
            } catch let failure as CredentialFailure {
                // There is no other one.
                if failure == .missing, !refusals.values.isEmpty { throw refusedForGood(by: rule) }
                throw method.error(for: failure, at: prompt.origin)
            }
            refusals.count += 1
            guard !steps.isEmpty, refusals.count <= rule?.retries ?? 0 else { throw refusedForGood(by: rule) }
        }
    }

    /// What was refused in a row, the present credential included; what follows one that was accepted is not counted.
    private func row(endingWith refused: HeldCredential) -> Refusals {
        guard !refused.isAccepted, !refused.isRenewed else { return Refusals(count: 0, values: [refused.values]) }
        return Refusals(count: refused.refusals.count + 1, values: refused.refusals.values + [refused.values])
    }

    /// The credential that steps have led to.
    ///
    /// - Throws: The method's error for one that cannot be sent; ``CountersignError``.
    private func held(
        by runner: StepRunner, after refusals: Refusals, answering challenge: ChallengeReading
    ) throws -> HeldCredential {
        guard runner.cookies?.isEmpty != true else {
            throw CountersignError(.unexpectedAnswer, detail: "the login has left no cookie that can be kept")
        }
        do throws(CountersignError) {
            var signer: DigestSigner?
            for placement in method.program.attach where signer == nil {
                signer = try placement.signer(runner.values, for: challenge.digest)
            }
            return try held(runner.values, runner.cookies, signer: signer, after: refusals)
        } catch {
            throw method.error(method.program.failures[.unusable], or: error)
        }
    }

    /// Has a credential reviewed; on return it stands, and can be stored, unless it was refused.
    ///
    /// - Returns: The signature of the challenge by which the server has refused it to the requests of the review.
    private func refusalInReview(of credential: HeldCredential, in session: Session) async throws -> String? {
        guard let review = method.review, review.isWanted(), let scope = FlightScope.current else { return nil }
        do {
            try await scope.review(review, of: .credential(credential), in: session)
            return nil
        } catch let refusal as ProvisionalRefusal {
            return refusal.signature
        }
    }

    /// What was given by the parameters is not sent again for a while; what was typed may be typed again.
    private func note(_ refusal: CallRun.Refusal, of runner: StepRunner) {
        guard !runner.hasAsked(for: refusal.call), let call = refusal.call, let login = runner.login(of: call) else { return }
        let now = now()
        state.withLock { state in
            // One that was not sent prolongs nothing.
            guard state.refusedLogins.refusal(of: login, at: now) == nil else { return }
            state.refusedLogins.note(login, refusal, until: now + refusedLoginInterval)
        }
    }

    private func refusedForGood(by rule: RejectionRule?) -> any Error {
        method.error(
            rule?.error, or: CountersignError(.challengedAgain, detail: "the server refuses the credential", origin: place.server))
    }

    /// What was refused for good is not sent again: a later request starts over.
    private func forget(_ refused: HeldCredential?, because error: any Error, epoch: UInt64) {
        state.withLock { state in
            guard state.epoch == epoch, state.held?.generation == refused?.generation else { return }
            guard refused != nil || error.isRefusal else { return }
            state.held = nil
            // That the flight was given up says nothing to requests that come later.
            if !Task.isCancelled { state.refusal = (state.generation, .latest, error) }
        }
    }
}

extension CallRun.Refusal {
    /// The error of the requests that wait.
    var error: CountersignError {
        CountersignError(
            .refusedByServer, detail: "the server refuses the login" + (code.map { ": \($0)" } ?? ""), origin: origin,
            status: status)
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
    fileprivate func rule(for challenge: String) -> RejectionRule? {
        rejections.first { ($0.challenge ?? challenge) == challenge }
    }
}
