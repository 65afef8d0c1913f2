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
            // A running renewal is based on the stored content, which must not change until the renewal has ended.
            guard state.epoch == epoch, hasLock || state.renewal == nil, let unstored = state.unstored,
                let entry = unstored.entry, !isAbandoned || unstored.basis.entry != nil
            else { return nil }
            return StoredChange(entry: entry, basis: unstored.basis)
        }
    }

    /// Whether the latest credential has not been saved. Called while the store's lock is held.
    func isUnstored(in session: Session, epoch: UInt64) -> Bool {
        missingSave(in: session, epoch: epoch, hasLock: true) != nil
    }

    /// Repeats the save to an unreachable store until it succeeds. The store's lock is held meanwhile, since the next process
    /// would otherwise send the refresh token that the server has replaced.
    ///
    /// The repetition continues after the lock's lease has ended by this process's clock: a restarted cluster extends leases, and
    /// refuses the change if another process has taken the lock.
    func storeBeforeOthers(in session: Session, epoch: UInt64) async {
        // The session's clock may be a test clock, which the store's servers do not follow.
        let end = ContinuousClock.now.advanced(by: flightTimeout)
        while isUnstored(in: session, epoch: epoch), ContinuousClock.now < end {
            guard (try? await Task.sleep(for: .milliseconds(500))) != nil else { return }
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
        state.withLock { state in
            guard state.epoch == epoch, state.unstored?.entry == entry else { return }
            state.unstored = nil
            guard case .kept = outcome else { return }
            if state.uncommitted != nil {
                state.uncommitted?.stored = entry
            } else if state.held?.stored == nil {
                state.held?.stored = entry
            }
        }
        return false
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
