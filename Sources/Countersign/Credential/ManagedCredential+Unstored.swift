internal import Synchronization

/// Repeated saves: a credential that could not be saved is used nevertheless, and the save is repeated.
extension ManagedCredential {
    /// Returns the save that has to be repeated; `nil` if there is none.
    ///
    /// After the session was invalidated, only used content of the store is replaced.
    ///
    /// - Parameter hasLock: Whether this task holds the lock, so that a renewal that has begun waits for it.
    private func missingSave(in session: Session, epoch: UInt64, hasLock: Bool) -> StoredChange? {
        let isAbandoned = isAbandoned(by: session)
        return state.withLock { state in
            guard state.isOfUser(epoch), let unstored = state.unstored, let entry = unstored.entry,
                !isAbandoned || unstored.basis.entry != nil
            else { return nil }
            // A running renewal is based on the stored content, which must not change until the renewal has ended. The next request
            // after that repeats the save.
            guard hasLock || !state.isRenewing else {
                if unstored.next != nil { state.unstored?.next = .zero }
                return nil
            }
            // The first attempt may have stored it after its time limit.
            return StoredChange(entry: entry, basis: unstored.basis, former: entry)
        }
    }

    /// Whether the latest credential has not been saved. Called while the store's lock is held.
    func isUnstored(in session: Session, epoch: UInt64) -> Bool {
        missingSave(in: session, epoch: epoch, hasLock: true) != nil
    }

    /// Repeats the save to an unreachable store until it succeeds. The store's lock is held meanwhile, or the turn, since the next
    /// process or session would otherwise send the refresh token that the server has replaced.
    ///
    /// The next renewal of this credential, which knows the unsaved one, does not wait that long for its turn.
    ///
    /// The repetition continues after the lock's lease has ended by this process's clock: a restarted cluster extends leases, and
    /// refuses the change if another process has taken the lock.
    func storeBeforeOthers(in session: Session, epoch: UInt64) async {
        // The session's clock may be a test clock, which the store's servers do not follow.
        let end = ContinuousClock.now.advanced(by: flightTimeout)
        while isUnstored(in: session, epoch: epoch), ContinuousClock.now < end {
            guard (try? await Task.sleep(for: .milliseconds(500))) != nil else { return }
            if store?.turn(of: place) != nil, state.withLock({ $0.renewal != nil }) { return }
            _ = await keepsFailing(in: session, epoch: epoch, hasLock: true)
        }
    }

    /// Repeats the save once, when requests are sent.
    func storeAgain(in session: Session, epoch: UInt64) async {
        if await keepsFailing(in: session, epoch: epoch, hasLock: false) { report(.notStored) }
    }

    /// Repeats the save once.
    ///
    /// - Returns: Whether the save was attempted and failed again.
    private func keepsFailing(in session: Session, epoch: UInt64, hasLock: Bool) async -> Bool {
        guard let store else { return false }
        let asked = Mutex<CredentialEntry?>(nil)
        let outcome = await store.save(for: place) { [self] in
            // The state is read when this change runs, so that newer credentials and refusals are taken into account.
            let change = missingSave(in: session, epoch: epoch, hasLock: hasLock)
            asked.withLock { $0 = change?.entry }
            return change
        }
        if case .failed = outcome { return true }
        guard let entry = asked.withLock(\.self) else { return false }
        state.withLock { $0.endSave(of: entry, with: outcome, epoch: epoch, repeatingAt: nil) }
        return false
    }
}

extension ManagedCredential.State {
    /// Whether a renewal is running, perhaps one that began before the observer was unregistered.
    var isRenewing: Bool { renewal != nil || !orphans.isEmpty }

    /// Whether an epoch belongs to the current user. The observer may have been unregistered since.
    func isOfUser(_ epoch: UInt64) -> Bool { (firstEpoch...self.epoch).contains(epoch) }

    /// Whether the result of a renewal from before the observer's unregistration is newer than what is known.
    ///
    /// - Parameter used: The stored credential that was renewed.
    private func isOutdated(byOrphanOf epoch: UInt64, used: CredentialEntry?) -> Bool {
        guard isOfUser(epoch), let used else { return false }
        if let unstored { return unstored.epoch <= epoch }
        return uncommitted == nil && (held.map { $0.stored == used } ?? true)
    }

    /// Records a credential from the server before it is saved.
    ///
    /// - Parameters:
    ///   - basis: The content that the store must still have if the credential can be saved only later.
    ///   - used: The stored credential that a renewal has used; `nil` if there is none.
    ///   - keepsUnused: Whether a logout revokes credentials that no request has carried.
    /// - Returns: The number of the save; `nil` if the user has logged out, or if a newer credential is known.
    mutating func beginSave(
        of next: HeldCredential, as entry: CredentialEntry, insteadOf basis: StoredBasis, used: CredentialEntry?, epoch: UInt64,
        keepingUnused keepsUnused: Bool
    ) -> UInt64? {
        guard self.epoch == epoch || isOutdated(byOrphanOf: epoch, used: used), !isOvertaken(next) else { return nil }
        saves += 1
        take(next, keepingUnused: keepsUnused)
        // If several saves fail, the store still has the content that the first one was based on.
        unstored = ManagedCredential.Unstored(epoch: epoch, entry: entry, basis: unstored?.basis ?? basis, next: nil)
        return saves
    }

    /// Records the outcome of a save.
    ///
    /// - Parameter again: The time of the next attempt if this one has failed.
    mutating func endSave(of entry: CredentialEntry, with outcome: StoredOutcome, epoch: UInt64, repeatingAt again: Duration?) {
        guard isOfUser(epoch), let saved = unstored, saved.entry == entry else { return }
        if case .failed = outcome {
            if saved.next == nil { unstored?.next = again }
            return
        }
        unstored = nil
        if case .kept = outcome {
            if uncommitted != nil {
                uncommitted?.stored = entry
            } else if held?.stored == nil {
                held?.stored = entry
            }
            // A registration that has read the used credential needs the renewed one.
            if let held, held.stored != entry { return }
        }
        // After an unregistration, only the store decides: another process may have logged in or out.
        if max(epoch, saved.epoch) < self.epoch { uncommitted = nil }
    }
}

/// Runs a body to its end, but returns as soon as the body has delivered its value.
///
/// Errors that the body throws after that are lost, and nothing cancels the body.
///
/// - Parameter body: Calls `deliver` as soon as it has the value.
func firstValue<Value: Sendable>(
    _ body: @escaping @Sendable (_ deliver: @escaping @Sendable (Value) -> Void) async throws -> Value
) async throws -> Value {
    let (values, continuation) = AsyncThrowingStream.makeStream(of: Value.self)
    Task {
        do {
            continuation.yield(try await body { continuation.yield($0) })
            continuation.finish()
        } catch {
            continuation.finish(throwing: error)
        }
    }
    for try await value in values { return value }
    throw CancellationError()
}
