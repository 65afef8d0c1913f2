#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Synchronization

/// A renewal has failed, and what it was to renew may still be good for one.
struct RenewalFailure: Error {
    let error: any Error
}

extension ManagedCredential {
    /// How long nothing is tried that has failed while the credential was still good.
    static var patience: Duration { .seconds(30) }

    /// Whether a credential can be had before a request is sent: the first one of a method whose requests have it from the first on, or one
    /// in place of what has run out.
    var canPrepare: Bool {
        let now = now()
        return state.withLock { canPrepare($0, at: now) }
    }

    private func canPrepare(_ state: State, at now: Duration) -> Bool {
        state.held.map { $0.hasRunOut(at: now) && ($0.isRenewable || method.acquiresUnasked) } ?? method.program.credential.isEager
    }

    /// Sees to a credential before a request is sent.
    ///
    /// - Throws: The method's errors, ``CountersignError``, an error of the application's, ``FlightFailure``, `CancellationError`.
    func prepare(for exchange: ExchangeContext) async throws {
        let now = now()
        let generation = try state.withLock { state -> Generation? in
            guard canPrepare(state, at: now) else { return nil }
            // It waited for the same answer.
            if state.held == nil, let refusal = state.refusal, exchange.number <= refusal.latest { throw refusal.error }
            return state.held?.generation ?? state.generation
        }
        if let generation { try await replaceUnasked(generation, for: exchange) }
    }

    /// Does what no request should wait for: replaces a credential that will soon run out, while requests go on with it, and stores one that
    /// could not be.
    func tend(for exchange: ExchangeContext) {
        let now = now()
        let (generation, unstored, epoch) = state.withLock { state in
            var generation: Generation?
            if let held = state.held, held.lifetime.phase(at: now) == .renewable, held.isRenewable || method.acquiresUnasked,
                now >= state.nextEarlyRenewal
            {
                state.nextEarlyRenewal = now + Self.patience
                generation = held.generation
            }
            let unstored = state.unstored.flatMap { now >= $0.next ? $0 : nil }
            if unstored != nil { state.unstored?.next = now + Self.patience }
            return (generation, unstored, state.epoch)
        }
        if let generation { Task.detached { try? await self.replaceUnasked(generation, for: exchange) } }
        if let unstored, let entry = unstored.entry {
            Task.detached { await self.storeAgain(entry, insteadOf: unstored.basis, epoch: epoch) }
        }
    }

    /// Sees to another credential than that of a generation, without a challenge and without a user. Where that takes one of them, nothing is
    /// done.
    private func replaceUnasked(_ generation: Generation, for exchange: ExchangeContext) async throws {
        do {
            try await fly(from: generation, for: exchange) { [self] present, epoch in
                do {
                    if let present, let next = try await renewed(present, in: exchange.session, epoch: epoch) { return next }
                } catch let failure as RenewalFailure {
                    throw failure.error
                }
                guard method.acquiresUnasked else { throw NeedsChallenge() }
                return try await obtained(insteadOf: nil, by: nil, after: .none, for: exchange, epoch: epoch, isSecondLook: false)
            }
        } catch is NeedsChallenge {}
    }

    /// The credential that comes of another one.
    ///
    /// - Returns: `nil` if nothing can be renewed, or the server has said that it is over.
    /// - Throws: ``RenewalFailure``.
    func renewed(_ basis: HeldCredential, in session: Session, epoch: UInt64) async throws -> HeldCredential? {
        guard basis.isRenewable else { return nil }
        if let pause = state.withLock(\.pause), now() < pause.end { throw RenewalFailure(error: pause.error) }
        do {
            return try await renewal(of: basis, in: session, epoch: epoch).value
        } catch is CallRun.Refusal {
            return nil
        } catch {
            if let pause = (error as? CountersignError)?.pause {
                let end = now() + pause
                state.withLock { if $0.epoch == epoch { $0.pause = (end, error) } }
            }
            throw RenewalFailure(error: error)
        }
    }

    /// The renewal that is under way, or a new one.
    ///
    /// It is a task of its own, which no request cancels: the server may have replaced a refresh token when it answers, so the answer has to
    /// be taken, and stored, also if no request waits for it any more.
    private func renewal(of basis: HeldCredential, in session: Session, epoch: UInt64) throws -> Task<HeldCredential, any Error> {
        let scope = FlightScope(of: coordinator, within: FlightScope.current)
        return try state.withLock { state in
            guard state.epoch == epoch else { throw FlightFailure.sessionEnded }
            if let renewal = state.renewal { return renewal.task }
            state.renewalsSoFar += 1
            let number = state.renewalsSoFar
            let task = Task.detached { [self] in
                do {
                    return try await exclusively(for: flightTimeout) { [self] in
                        try await scope.run(while: { try self.verify(epoch) }) { try await renew(basis, in: session, epoch: epoch) }
                    }
                } catch {
                    self.state.withLock { state in
                        guard state.epoch == epoch else { return }
                        if state.renewal?.number == number { state.renewal = nil }
                        if error is CallRun.Refusal, state.held?.generation == basis.generation { state.held?.isRenewable = false }
                    }
                    throw error
                }
            }
            state.renewal = Renewal(number: number, task: task)
            return task
        }
    }

    /// Does something that no other process with the same store does meanwhile.
    ///
    /// - Throws: ``CountersignError/Code/busy`` if another one has not ended with it in time.
    func exclusively(
        for timeout: Duration, _ work: @escaping @Sendable () async throws -> HeldCredential
    ) async throws -> HeldCredential {
        guard let store else { return try await work() }
        let result: Result<HeldCredential, any Error>
        do {
            // An error of the work may be a store's, too: that of a store which the application asks.
            result = try await store.exclusively(for: place, timeout: timeout) {
                do { return .success(try await work()) } catch { return .failure(error) }
            }
        } catch let error as CredentialStoreError where error.code == .lockTimedOut {
            throw CountersignError(.busy, detail: "another process has not ended with getting the credential")
        } catch is CredentialStoreError {
            // A store that fails stops no request.
            report(.notStored)
            return try await work()
        }
        return try result.get()
    }

    private func renew(_ basis: HeldCredential, in session: Session, epoch: UInt64) async throws -> HeldCredential {
        let latest = try await latest(basis, in: session)
        if latest.stored != basis.stored, !latest.hasRunOut(at: now()) { return latest }
        do {
            let next = try await sent(latest, in: session, epoch: epoch)
            return await save(next, insteadOf: latest.stored, epoch: epoch)
        } catch let refusal as CallRun.Refusal {
            // A process that does not keep to the lock may have used it up; then what it has got is there.
            let other = try await self.latest(latest, in: session)
            guard other.stored != latest.stored, !other.hasRunOut(at: now()) else {
                // It is not sent once more.
                if let stored = latest.stored { _ = await store?.remove(stored, for: place, while: { self.isCurrent(epoch) }) }
                report(.expired)
                throw refusal
            }
            return other
        }
    }

    /// A credential, or what another process has put in its place.
    ///
    /// - Throws: ``CallRun/Refusal`` where another process has logged out: what that has ended is not begun again here.
    private func latest(_ credential: HeldCredential, in session: Session) async throws -> HeldCredential {
        guard let store, let stored = credential.stored else { return credential }
        let entry: CredentialEntry?
        do {
            entry = try await store.load(place)
        } catch {
            return credential
        }
        guard let entry else {
            // Unless it has made room for others.
            guard await !store.isFull() else { return credential }
            throw CallRun.Refusal(call: nil, origin: place.server, status: nil, code: nil)
        }
        return entry == stored ? credential : restored(entry, for: nil, in: session) ?? credential
    }

    /// Sends a credential to be renewed. A lost answer may have replaced it: servers take it once more for that case (RFC 9700, section 4.14).
    private func sent(_ basis: HeldCredential, in session: Session, epoch: UInt64) async throws -> HeldCredential {
        do {
            return try await sentOnce(basis, in: session)
        } catch let error where error.leavesOpenWhetherItWasSent {
            try verify(epoch)
            return try await sentOnce(basis, in: session)
        }
    }

    private func sentOnce(_ basis: HeldCredential, in session: Session) async throws -> HeldCredential {
        var runner = StepRunner(method, with: basis, in: session, report: report)
        runner.forgetLifetime()
        try await runner.run(method.program.renewal?.steps ?? [], nil)
        var next = try held(runner.values, runner.cookies, signer: basis.signer)
        next.isRenewed = true
        return next
    }
}

extension Error {
    /// Whether the server may have answered, and the answer was lost.
    fileprivate var leavesOpenWhetherItWasSent: Bool {
        switch self {
        case let error as TransportError: error.requestMayHaveBeenProcessed
        case let error as CountersignError: error.code == .timedOut
        default: false
        }
    }
}

/// Nothing is to be had without a challenge.
struct NeedsChallenge: Error {}

extension ChallengeReading {
    /// No challenge at all.
    static var none: ChallengeReading { ChallengeReading(name: "", values: [:], digest: nil) }
}
