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
                    self.state.withLock { if $0.epoch == epoch { $0.renewal = nil } else { $0.orphans[epoch] = nil } }
                    session.endSave()
                }
                return try await firstValue { [self] deliver in
                    try await inTurn { [self] in
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
    /// - Parameter deliver: Called with the result if the store's lock, or the turn, is held longer, until the store has saved the
    ///   result.
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
        guard let other = basis.successor(of: present, at: now()) else { return nil }
        return .some(other)
    }

    /// Renews a credential. Called while the store's lock is held.
    private func renew(_ present: HeldCredential?, in session: Session, epoch: UInt64) async throws -> HeldCredential? {
        let basis = try await basis(insteadOf: present, in: session, epoch: epoch)
        // The user may have logged out while the store was read.
        try verify(epoch)
        if let other = basis.successor(of: present, at: now()) {
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
            try requireUser(epoch, revoking: interruption.kept)
            return try await successor(
                of: interruption.kept, after: interruption.error, insteadOf: present, in: session, epoch: epoch)
        } catch {
            // After a permanent refusal, what the renewal has brought is kept only for its revocation: the refused credential with a
            // new refresh token would look like another credential, and take the place of the login that follows.
            let interruption = error as? InterruptedRenewal
            if let interruption { try note(unused: interruption.kept, epoch: epoch) }
            return try await successor(
                of: basis.credential, after: interruption?.error ?? error, insteadOf: present, in: session, epoch: epoch)
        }
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
            return try await sentOnce(basis, in: session, epoch: epoch)
        } catch let error where method.isToken ? error.isAmbiguousForTokens : error.leavesOpenWhetherItWasSent {
            try verify(epoch)
            return try await sentOnce(basis, in: session, epoch: epoch)
        }
    }

    private func sentOnce(_ basis: HeldCredential?, in session: Session, epoch: UInt64) async throws -> HeldCredential {
        try await store?.requireLock()
        var next: HeldCredential
        if let tokens = method.tokens {
            guard let basis, let token = basis.token, basis.isRenewable else {
                do {
                    return held(try await tokens.obtain(in: session, clock: clock))
                } catch let incomplete as IncompleteGrant {
                    // A logout revokes the token.
                    try note(unused: held(incomplete.issued), epoch: epoch)
                    throw incomplete.error
                }
            }
            do {
                next = held(try await tokens.renew(token, in: session, clock: clock))
            } catch let incomplete as IncompleteGrant {
                guard let kept = continued(basis, token, by: incomplete.issued.token) else { throw incomplete.error }
                throw InterruptedRenewal(kept: kept, error: incomplete.error)
            }
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

    /// The pause of renewals after a response with `Retry-After`; `nil` for none.
    fileprivate var pause: Duration? {
        let retryAfter: Duration? =
            switch self {
            case let error as CountersignError: error.retryAfter
            case let failure as OAuth2TokenFailure:
                if case .transient(let retryAfter) = failure.failureClass { retryAfter } else { nil }
            default: nil
            }
        return retryAfter.map { min($0, RetryAfter.maximumPause) }
    }
}

/// The error of a flight that cannot obtain a credential without a challenge.
struct NeedsChallenge: Error {}
