#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Synchronization

/// The error of a failed renewal, after which the credential may still be renewable.
struct RenewalFailure: Error {
    let error: any Error
}

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
        if needsRestoring(state) { return true }
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
            let isDue = state.renewal == nil && state.unstored?.entry != nil && state.unstored?.next.map { now >= $0 } == true
            if isDue { state.unstored?.next = now + Self.patience }
            return (generation, isDue, state.epoch)
        }
        if let generation {
            beside(exchange) { try? await self.replaceUnasked(generation, asksUser: false, for: exchange) }
        }
        if stores { beside(exchange) { await self.storeAgain(in: exchange.session, epoch: epoch) } }
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

    /// Renews a credential, or obtains a token if there is none and the user is not needed for it.
    ///
    /// - Returns: The new credential; `nil` if nothing can be renewed, or the server has refused the renewal.
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

    /// Whether a token is obtained in the same way as it is renewed, since the user is not needed for either.
    private var obtainsAlone: Bool { method.isToken && !method.isInteractive }

    /// Returns the running renewal, or starts one.
    ///
    /// A renewal runs in its own task, which no request cancels: the server may have replaced the refresh token, so the response
    /// has to be received and stored even if no request waits for it any more.
    private func renewal(
        of present: HeldCredential?, in session: Session, epoch: UInt64
    ) throws -> Task<HeldCredential?, any Error> {
        let scope = FlightScope(of: coordinator, within: FlightScope.current)
        // Before the lock of this state, which is never held when that of the session is taken.
        session.beginSave()
        var isStarted = false
        defer { if !isStarted { session.endSave() } }
        return try state.withLock { state in
            guard state.epoch == epoch else { throw FlightFailure.sessionEnded }
            if let renewal = state.renewal { return renewal }
            isStarted = true
            let task = Task.detached { [self] in
                defer {
                    self.state.withLock { if $0.epoch == epoch { $0.renewal = nil } }
                    session.endSave()
                }
                return try await inTurn { [self] in
                    try await firstValue { [self] deliver in
                        try await renewedAlone(present, within: scope, in: session, epoch: epoch, deliver)
                    }
                }
            }
            state.renewal = task
            return task
        }
    }

    /// Renews a credential while no other process does the same.
    ///
    /// - Parameter deliver: Called with the result if the store's lock is held longer, until the store has saved the result.
    private func renewedAlone(
        _ present: HeldCredential?, within scope: FlightScope, in session: Session, epoch: UInt64,
        _ deliver: @escaping @Sendable (HeldCredential?) -> Void
    ) async throws -> HeldCredential? {
        try await exclusively(for: flightTimeout) { [self] in
            try await successor(of: present, in: session, epoch: epoch)
        } _: { [self] in
            let next = try await scope.run(while: { try self.verify(epoch) }) {
                try await renew(present, in: session, epoch: epoch)
            }
            if store?.locksOrFails == true, isUnstored(in: session, epoch: epoch) {
                // Requests do not wait for the store, but the end of the session does.
                session.beginSave()
                defer { session.endSave() }
                deliver(next)
                await storeBeforeOthers(in: session, epoch: epoch)
            }
            return next
        }
    }

    /// Returns the valid credential that another process has obtained in place of this one; `nil` if there is none.
    private func successor(of present: HeldCredential?, in session: Session, epoch: UInt64) async throws -> HeldCredential?? {
        let basis = try await basis(insteadOf: present, in: session, epoch: epoch)
        guard basis.isOther, let other = basis.credential, !other.hasRunOut(at: now()) else { return nil }
        return .some(other)
    }

    /// Runs work while no other process with the same store does the same.
    ///
    /// - Parameters:
    ///   - timeout: The time limit of the flight. The lock is waited for nine tenths of it, so that the error names the lock: the
    ///     flight began earlier, and would otherwise end first.
    ///   - found: Returns the result of another process that makes the work unnecessary; `nil` if there is none.
    /// - Throws: ``CountersignError/Code/busy`` if another process does not release the lock in time; the store's error if the
    ///   store requires its lock; the errors of the work.
    func exclusively<Success: Sendable>(
        for timeout: Duration, unless found: @escaping @Sendable () async throws -> Success?,
        _ work: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        guard let store else { return try await work() }
        let start = now()
        let outcome: (result: Result<Success, any Error>, isAdopted: Bool)
        do {
            // The work can throw a store's error too, for example that of a store which the application uses, so its errors are
            // kept separate from those of the lock.
            outcome = try await store.exclusively(for: place, timeout: timeout - timeout / 10) {
                try await found().map { (.success($0), true) }
            } _: { [self] in
                noteWait(since: start)
                do { return (.success(try await work()), false) } catch { return (.failure(error), false) }
            }
        } catch {
            noteWait(since: start)
            guard let error = error as? CredentialStoreError, !store.locksOrFails else { throw error }
            guard error.code != .lockTimedOut else {
                throw CountersignError(.busy, detail: "another process is still obtaining the credential")
            }
            // A failing store must not stop requests.
            report(.notStored)
            return try await work()
        }
        if outcome.isAdopted {
            noteWait(since: start)
            report(.adopted)
        }
        if case .failure(let error as CredentialStoreError) = outcome.result, error.code == .lockLost, now() - start < timeout {
            // Another process has taken the lock and has most likely finished by now.
            return try await exclusively(for: timeout - (now() - start), unless: found, work)
        }
        return try outcome.result.get()
    }

    private func noteWait(since start: Duration) {
        let time = now() - start
        if time >= .milliseconds(50) { report(.waited(time)) }
    }

    /// Renews a credential. Called while the store's lock is held.
    private func renew(_ present: HeldCredential?, in session: Session, epoch: UInt64) async throws -> HeldCredential? {
        let basis = try await basis(insteadOf: present, in: session, epoch: epoch)
        // The user may have logged out while the store was read.
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
            // A renewal continues the stored credential, so it must not overwrite a change that another process has made
            // meanwhile.
            let condition: StoredBasis = next.isRenewed && store?.isShared == true ? basis.there : .anything
            let used: StoredBasis = next.isRenewed ? basis.there : .nothing
            return await save(next, insteadOf: condition, later: basis.there, used: used, in: session, epoch: epoch)
        } catch let interruption as InterruptedRenewal where !interruption.error.endsCredential {
            // The used refresh token must not be sent again.
            let condition: StoredBasis = store?.isShared == true ? basis.there : .anything
            _ = await save(
                interruption.kept, insteadOf: condition, later: basis.there, used: basis.there, in: session, epoch: epoch)
            return try await successor(
                of: interruption.kept, after: interruption.error, insteadOf: present, in: session, epoch: epoch)
        } catch {
            // After a permanent refusal nothing is kept: the refused credential with a new refresh token would look like another
            // credential, and take the place of the login that follows.
            let failure = (error as? InterruptedRenewal)?.error ?? error
            return try await successor(of: basis.credential, after: failure, insteadOf: present, in: session, epoch: epoch)
        }
    }

    /// The starting point of a renewal.
    private struct Basis {
        /// The credential to renew; `nil` if there is none, or if another process has logged out, which ends the credential here
        /// too.
        var credential: HeldCredential?
        /// The content of the store, as far as it is known.
        var there: StoredBasis
        /// Whether ``credential`` differs from the current one.
        var isOther: Bool
    }

    /// Chooses between the stored credential and the one in memory.
    ///
    /// - Throws: The store's error, if the store must be readable.
    private func basis(insteadOf present: HeldCredential?, in session: Session, epoch: UInt64) async throws -> Basis {
        let (held, uncommitted, unstored) = state.withLock { ($0.held, $0.uncommitted, $0.unstored) }
        // An abandoned flight may have begun with a credential that has been replaced since.
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
        } catch let error where !store.mustBeRead || store.isDamage(error) {
            // An unreadable store does not invalidate the credential in memory. The store most likely has the content that was
            // last read.
            return Basis(credential: known, there: unstored?.basis ?? StoredBasis(found: known?.stored), isOther: isOther)
        }
        guard let entry else {
            // The entry is missing because another process has logged out, unless a full store has dropped it.
            let isOver = store.isShared && unstored == nil ? await !store.isFull() : false
            if isOver { state.withLock { if $0.epoch == epoch { $0.uncommitted = nil } } }
            return Basis(credential: isOver ? nil : known, there: .nothing, isOther: isOther)
        }
        if entry != known?.stored, entry != present?.stored, entry != unstored?.basis.entry,
            let found = restored(entry, for: nil, in: session)
        {
            // The entry may have the same access token with another refresh token. Then it does not count as another credential.
            let isOther = present.map { !found.isSent(as: $0) } ?? true
            return Basis(credential: found, there: .entry(entry), isOther: isOther)
        }
        return Basis(credential: known, there: .entry(entry), isOther: isOther)
    }

    /// Handles a failed renewal.
    ///
    /// - Parameter spent: The credential that was sent for renewal.
    /// - Returns: The credential that another process has obtained instead.
    /// - Throws: ``CallRun/Refusal``; the method's errors; otherwise `failure`.
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
        // A process that ignores the lock may have used the credential before. Then its result is in the store.
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
        // Neither the refused credential nor the used one that is still stored, because a save failed, may be sent again.
        let own = spent.token.map { CredentialEntry($0, for: place) }
        var isRemoved = true
        for entry in [spent.stored ?? own, usedUp].compactMap(\.self) {
            if await store?.remove(entry, for: place, while: { self.isCurrent(epoch) }) != nil { isRemoved = false }
        }
        if isRemoved { state.withLock { if $0.epoch == epoch, $0.unstored?.entry == nil { $0.unstored = nil } } }
        if isCurrent(epoch) { report(.expired) }
        throw error
    }

    /// Sends a credential for renewal, and once more if the response was lost. The server may have replaced the credential then,
    /// and accepts the old one once more in that case (RFC 9700, section 4.14).
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
            let values = runner.values
            runner.forgetLifetime()
            do {
                try await runner.run(method.program.renewal?.steps ?? [], nil)
            } catch {
                guard let kept = try? continued(basis, values, by: runner.values) else { throw error }
                throw InterruptedRenewal(kept: kept, error: error)
            }
            next = try held(runner.values, runner.cookies, signer: basis.signer)
        }
        next.isRenewed = true
        return next
    }

    /// Returns a credential with what its next renewal needs; `nil` if the interrupted one has not replaced that.
    ///
    /// - Parameters:
    ///   - values: The values of the credential by slot.
    ///   - others: The values after the interrupted renewal.
    private func continued(
        _ basis: HeldCredential, _ values: [ProgramValue], by others: [ProgramValue]
    ) throws -> HeldCredential? {
        var values = values
        let replaced = (method.program.renewal?.needs ?? []).filter { others[$0] != .absent && others[$0] != values[$0] }
        guard !replaced.isEmpty else { return nil }
        for slot in replaced { values[slot] = others[slot] }
        var kept = try held(
            values, basis.cookies, signer: basis.signer, after: basis.refusals, lifetime: basis.lifetime)
        kept.isAccepted = basis.isAccepted
        kept.isRenewed = basis.isRenewed
        return kept
    }
}

/// A renewal that has failed after a server has replaced what the next one needs, such as a refresh token: the new one is valid, and
/// the used one would be taken for a stolen one (RFC 9700, section 4.14).
private struct InterruptedRenewal: Error {
    /// The credential as before, with what its next renewal needs.
    let kept: HeldCredential
    let error: any Error
}

extension Error {
    /// Whether the server may have sent a response that was lost.
    fileprivate var leavesOpenWhetherItWasSent: Bool {
        switch self {
        case let error as TransportError: error.requestMayHaveBeenProcessed
        case let error as CountersignError: error.code == .timedOut
        default: false
        }
    }

    /// The same for a token endpoint. An application's own authentication decides itself which requests it repeats.
    fileprivate var isAmbiguousForTokens: Bool { (self as? OAuth2TokenFailure)?.failureClass == .ambiguous }

    /// Whether the server has permanently refused to renew the credential.
    fileprivate var endsCredential: Bool {
        switch self {
        case is CallRun.Refusal: true
        case let failure as OAuth2TokenFailure: failure.failureClass == .terminal
        default: false
        }
    }

    /// The pause that the server demands; `nil` if it demands none.
    fileprivate var pause: Duration? {
        switch self {
        case let error as CountersignError: error.pause
        case let failure as OAuth2TokenFailure:
            if case .transient(let retryAfter) = failure.failureClass { retryAfter } else { nil }
        default: nil
        }
    }
}

/// The error of a flight that cannot obtain a credential without a challenge.
struct NeedsChallenge: Error {}

extension ChallengeReading {
    /// An empty reading, for a credential that is obtained without a challenge.
    static var none: ChallengeReading { ChallengeReading(name: "", values: [:], digest: nil) }
}
