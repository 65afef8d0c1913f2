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
        if needsRestoring(state) { return true }
        return state.held.map { $0.hasRunOut(at: now) && ($0.isRenewable || method.acquiresUnasked) }
            ?? method.program.credential.isEager
    }

    /// Obtains a credential before a request is sent, if that can be done then.
    ///
    /// - Throws: The method's errors, ``CountersignError``, an error of the application's, ``FlightFailure``, `CancellationError`.
    func prepare(for exchange: ExchangeContext) async throws {
        try await restore(for: exchange)
        let now = now()
        let generation = try state.withLock { state -> Generation? in
            guard canPrepare(state, at: now) else { return nil }
            // It waited for the same answer.
            if state.held == nil, let refusal = state.refusal, exchange.number <= refusal.latest { throw refusal.error }
            return state.held?.generation ?? state.generation
        }
        if let generation { try await replaceUnasked(generation, asksUser: true, for: exchange) }
    }

    /// Does what no request should wait for: replaces a credential that will soon run out, while requests go on with it, and stores or
    /// deletes what could not be.
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
            let isDue = state.renewal == nil && state.unstored?.entry != nil && state.unstored?.next.map { now >= $0 } == true
            if isDue { state.unstored?.next = now + Self.patience }
            return (generation, isDue, state.epoch)
        }
        if let generation { Task.detached { try? await self.replaceUnasked(generation, asksUser: false, for: exchange) } }
        if stores { Task.detached { await self.storeAgain(epoch: epoch) } }
    }

    /// Replaces the credential of a generation without a challenge. Where that takes one, or a user who is not to be asked,
    /// nothing is done.
    private func replaceUnasked(_ generation: Generation, asksUser: Bool, for exchange: ExchangeContext) async throws {
        do {
            try await fly(from: generation, for: exchange) { [self] present, epoch in
                do {
                    if let next = try await renewed(present, in: exchange.session, epoch: epoch) { return next }
                } catch let failure as RenewalFailure {
                    throw failure.error
                }
                guard asksUser ? method.acquiresUnasked : method.acquiresEarly else { throw NeedsChallenge() }
                return try await obtained(insteadOf: nil, by: nil, after: .none, for: exchange, epoch: epoch, isSecondLook: false)
            }
        } catch is NeedsChallenge {}
    }

    /// The credential that comes of another one; or of none, a token that takes no user.
    ///
    /// - Returns: `nil` if nothing can be renewed, or the server has said that it is over.
    /// - Throws: ``RenewalFailure``.
    func renewed(_ present: HeldCredential?, in session: Session, epoch: UInt64) async throws -> HeldCredential? {
        let basis = state.withLock(\.uncommitted) ?? present
        guard basis?.isRenewable == true || obtainsAlone || method.tokens?.isRenewing == true else { return nil }
        do {
            return try await renewal(of: present, in: session, epoch: epoch).value
        } catch is CallRun.Refusal {
            return nil
        } catch {
            throw RenewalFailure(error: error)
        }
    }

    /// Whether a token is got as one is renewed, since that takes no user either.
    private var obtainsAlone: Bool { method.isToken && !method.isInteractive }

    /// The renewal that is under way, or a new one.
    ///
    /// It is a task of its own, which no request cancels: the server may have replaced a refresh token when it answers, so the answer has to
    /// be taken, and stored, also if no request waits for it any more.
    private func renewal(
        of present: HeldCredential?, in session: Session, epoch: UInt64
    ) throws -> Task<HeldCredential?, any Error> {
        let scope = FlightScope(of: coordinator, within: FlightScope.current)
        return try state.withLock { state in
            guard state.epoch == epoch else { throw FlightFailure.sessionEnded }
            if let renewal = state.renewal { return renewal }
            let task = Task.detached { [self] in
                defer { self.state.withLock { if $0.epoch == epoch { $0.renewal = nil } } }
                return try await firstValue { [self] deliver in
                    try await exclusively(for: flightTimeout) { [self] in
                        try await successor(of: present, in: session, epoch: epoch)
                    } _: { [self] in
                        let next = try await scope.run(while: { try self.verify(epoch) }) {
                            try await renew(present, in: session, epoch: epoch)
                        }
                        if store?.locksOrFails == true, isUnstored(epoch) {
                            // No request waits for the store.
                            deliver(next)
                            await storeBeforeOthers(epoch: epoch)
                        }
                        return next
                    }
                }
            }
            state.renewal = task
            return task
        }
    }

    /// What another process has got in place of a credential, if it is good.
    private func successor(of present: HeldCredential?, in session: Session, epoch: UInt64) async throws -> HeldCredential?? {
        let basis = try await basis(insteadOf: present, in: session, epoch: epoch)
        guard basis.isOther, let other = basis.credential, !other.hasRunOut(at: now()) else { return nil }
        return .some(other)
    }

    /// Does something that no other process with the same store does meanwhile.
    ///
    /// - Parameter found: What another process has got that makes it needless.
    /// - Throws: ``CountersignError/Code/busy`` if another one has not ended with it in time; where the store has to lock, its error.
    func exclusively<Success: Sendable>(
        for timeout: Duration, unless found: @escaping @Sendable () async throws -> Success?,
        _ work: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        guard let store else { return try await work() }
        let start = now()
        let outcome: (result: Result<Success, any Error>, isAdopted: Bool)
        do {
            // An error of the work may be a store's, too: that of a store which the application asks.
            outcome = try await store.exclusively(for: place, timeout: timeout) {
                try await found().map { (.success($0), true) }
            } _: { [self] in
                noteWait(since: start)
                do { return (.success(try await work()), false) } catch { return (.failure(error), false) }
            }
        } catch {
            noteWait(since: start)
            guard let error = error as? CredentialStoreError, !store.locksOrFails else { throw error }
            guard error.code != .lockTimedOut else {
                throw CountersignError(.busy, detail: "another process has not ended with getting the credential")
            }
            // A store that fails stops no request.
            report(.notStored)
            return try await work()
        }
        if outcome.isAdopted {
            noteWait(since: start)
            report(.adopted)
        }
        if case .failure(let error as CredentialStoreError) = outcome.result, error.code == .lockLost, now() - start < timeout {
            // Another process has it, which has most likely ended with it.
            return try await exclusively(for: timeout - (now() - start), unless: found, work)
        }
        return try outcome.result.get()
    }

    private func noteWait(since start: Duration) {
        let time = now() - start
        if time >= .milliseconds(50) { report(.waited(time)) }
    }

    /// Runs under the store's lock.
    private func renew(_ present: HeldCredential?, in session: Session, epoch: UInt64) async throws -> HeldCredential? {
        let basis = try await basis(insteadOf: present, in: session, epoch: epoch)
        // Not for a user who has logged out meanwhile.
        try verify(epoch)
        if basis.isOther, let other = basis.credential, !other.hasRunOut(at: now()) {
            report(.adopted)
            return other
        }
        guard basis.credential?.isRenewable == true || obtainsAlone else { return nil }
        if let pause = state.withLock(\.pause), now() < pause.end { throw pause.error }
        do {
            let next = try await sent(basis.credential, in: session, epoch: epoch)
            if next.isRenewed { report(.renewed) }
            // A renewal continues what was there, and so must not undo what another process has done meanwhile.
            let condition: StoredBasis = next.isRenewed && store?.isShared == true ? basis.there : .anything
            return await save(next, insteadOf: condition, later: basis.there, epoch: epoch)
        } catch {
            return try await successor(of: basis.credential, after: error, insteadOf: present, in: session, epoch: epoch)
        }
    }

    /// What a renewal begins with.
    private struct Basis {
        /// What is renewed; `nil` if there is nothing, or another process has logged out: what that has ended is not begun again here.
        var credential: HeldCredential?
        /// What is in the store, as far as that is known.
        var there: StoredBasis
        /// Whether it is another one than the present one.
        var isOther: Bool
    }

    /// Decides between what is in the store and what is here.
    ///
    /// - Throws: The store's error, if it has to be read.
    private func basis(insteadOf present: HeldCredential?, in session: Session, epoch: UInt64) async throws -> Basis {
        let (held, uncommitted, unstored) = state.withLock { ($0.held, $0.uncommitted, $0.unstored) }
        // What a flight that has been left behind began with is not the present one any more.
        let isOutdated =
            held.map { held in
                present.map { $0.generation != .none && held.generation > $0.generation } ?? true
            } ?? false
        let known = uncommitted ?? (isOutdated ? held : present)
        let isOther = uncommitted != nil || isOutdated
        guard let store, method.obtains else { return Basis(credential: known, there: .anything, isOther: isOther) }
        let entry: CredentialEntry?
        do {
            entry = try await store.load(place)
        } catch let error where !store.mustBeRead || error.isCorruption {
            // It says nothing against what is here. Most likely there is what was there when it could be read.
            return Basis(credential: known, there: unstored?.basis ?? StoredBasis(found: known?.stored), isOther: isOther)
        }
        guard let entry else {
            // Another process has logged out, unless it has made room for others.
            let isOver = store.isShared && unstored == nil ? await !store.isFull() : false
            if isOver { state.withLock { if $0.epoch == epoch { $0.uncommitted = nil } } }
            return Basis(credential: isOver ? nil : known, there: .nothing, isOther: isOther)
        }
        if entry != known?.stored, entry != present?.stored, entry != unstored?.basis.entry,
            let found = restored(entry, for: nil, in: session)
        {
            // The same access token may have another refresh token by now.
            let isOther = present.map { !found.isSent(as: $0) } ?? true
            return Basis(credential: found, there: .entry(entry), isOther: isOther)
        }
        return Basis(credential: known, there: .entry(entry), isOther: isOther)
    }

    /// Draws the consequences of a failed renewal.
    ///
    /// - Parameter spent: What was sent to be renewed.
    /// - Returns: What another process has got instead.
    /// - Throws: ``CallRun/Refusal``; the method's errors; whatever else has failed.
    private func successor(
        of spent: HeldCredential?, after failure: any Error, insteadOf present: HeldCredential?, in session: Session,
        epoch: UInt64
    ) async throws -> HeldCredential {
        let error = (failure as? OAuth2TokenFailure).flatMap { method.tokens?.error(for: $0) } ?? failure
        guard failure.endsCredential, let spent else {
            if let pause = failure.pause {
                let end = now() + pause
                state.withLock { if $0.epoch == epoch { $0.pause = (end, error) } }
            }
            throw error
        }
        // A process that does not keep to the lock may have used it up; then what it has got is there.
        let other = try await basis(insteadOf: spent, in: session, epoch: epoch)
        if other.isOther, let found = other.credential, found.stored != spent.stored, !found.isSent(as: spent),
            !found.hasRunOut(at: now())
        {
            return found
        }
        let usedUp = state.withLock { state -> CredentialEntry? in
            guard state.epoch == epoch else { return nil }
            if state.uncommitted?.stored == spent.stored { state.uncommitted = nil }
            if method.countsRefusals {
                if state.held?.generation == present?.generation { state.held?.isRenewable = false }
            } else if state.held?.token?.refreshToken == spent.token?.refreshToken {
                state.held = nil
            }
            state.unstored?.entry = nil
            return state.unstored?.basis.entry
        }
        // It is not sent once more, nor what the store has in its place, which could not be replaced.
        let own = spent.token.map { CredentialEntry($0, for: place) }
        var isRemoved = true
        for entry in [spent.stored ?? own, usedUp].compactMap(\.self) {
            if await store?.remove(entry, for: place, while: { self.isCurrent(epoch) }) != nil { isRemoved = false }
        }
        if isRemoved { state.withLock { if $0.epoch == epoch, $0.unstored?.entry == nil { $0.unstored = nil } } }
        if isCurrent(epoch) { report(.expired) }
        throw error
    }

    /// Sends a credential to be renewed. A lost answer may have replaced it: servers take it once more for that case (RFC 9700, section 4.14).
    private func sent(_ basis: HeldCredential?, in session: Session, epoch: UInt64) async throws -> HeldCredential {
        do {
            return try await sentOnce(basis, in: session)
        } catch let error where method.isToken ? error.isAmbiguousForTokens : error.leavesOpenWhetherItWasSent {
            try verify(epoch)
            return try await sentOnce(basis, in: session)
        }
    }

    private func sentOnce(_ basis: HeldCredential?, in session: Session) async throws -> HeldCredential {
        try await store?.requireLock()
        var next: HeldCredential
        if let tokens = method.tokens {
            guard let token = basis?.token, basis?.isRenewable == true else {
                return held(try await tokens.obtain(in: session, clock: clock))
            }
            next = held(try await tokens.renew(token, in: session, clock: clock))
        } else {
            guard let basis else { throw NeedsChallenge() }
            var runner = StepRunner(method, with: basis, in: session, report: report)
            runner.forgetLifetime()
            try await runner.run(method.program.renewal?.steps ?? [], nil)
            next = try held(runner.values, runner.cookies, signer: basis.signer)
        }
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

    /// The same for a token endpoint. An application's own authentication decides itself what is repeated.
    fileprivate var isAmbiguousForTokens: Bool { (self as? OAuth2TokenFailure)?.failureClass == .ambiguous }

    /// Whether the server has said that the credential will never be renewed.
    fileprivate var endsCredential: Bool {
        switch self {
        case is CallRun.Refusal: true
        case let failure as OAuth2TokenFailure: failure.failureClass == .terminal
        default: false
        }
    }

    /// How long the server wants to be left alone.
    fileprivate var pause: Duration? {
        switch self {
        case let error as CountersignError: error.pause
        case let failure as OAuth2TokenFailure:
            if case .transient(let retryAfter) = failure.failureClass { retryAfter } else { nil }
        default: nil
        }
    }
}

/// Nothing is to be had without a challenge.
struct NeedsChallenge: Error {}

extension ChallengeReading {
    /// No challenge at all.
    static var none: ChallengeReading { ChallengeReading(name: "", values: [:], digest: nil) }
}
