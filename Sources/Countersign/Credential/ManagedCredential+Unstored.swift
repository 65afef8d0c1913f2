internal import Synchronization

/// What a store failed to keep is used all the same, and the store is asked again.
extension ManagedCredential {
    /// Whether the store failed to keep what was got last.
    func isUnstored(_ epoch: UInt64) -> Bool { state.withLock { $0.epoch == epoch && $0.unstored?.entry != nil } }

    /// Asks a store that was out of reach until it keeps what was got; part of the work under its lock, which is not given free before: the next
    /// process would send the refresh token that the server has replaced.
    ///
    /// It goes on when the lock's lease has ended by this process's clock: a cluster that begins anew prolongs leases, and refuses the
    /// change if another process has the lock by then.
    func storeBeforeOthers(epoch: UInt64) async {
        // The store's servers know no clock of the session's.
        let end = ContinuousClock.now.advanced(by: flightTimeout)
        while isUnstored(epoch), ContinuousClock.now < end {
            guard (try? await Task.sleep(for: .milliseconds(500))) != nil else { return }
            _ = await keepsFailing(epoch: epoch, hasLock: true)
        }
    }

    /// Asks the store once more, as requests come.
    func storeAgain(epoch: UInt64) async {
        if await keepsFailing(epoch: epoch, hasLock: false) { report(.notStored) }
    }

    /// Asks the store once more to keep what it failed to.
    ///
    /// - Parameter hasLock: Whether the lock is this task's, so that a renewal which has begun waits for it.
    /// - Returns: Whether it was asked and failed again.
    private func keepsFailing(epoch: UInt64, hasLock: Bool) async -> Bool {
        guard let store else { return false }
        let asked = Mutex<CredentialEntry?>(nil)
        let outcome = await store.save(for: place) { [self] in
            // Here and not before: what has come, or was refused, since then is known.
            let change = state.withLock { state -> StoredChange? in
                // What a renewal begins with has to stay there until it has ended.
                guard state.epoch == epoch, hasLock || state.renewal == nil, let unstored = state.unstored,
                    let entry = unstored.entry
                else { return nil }
                return StoredChange(entry: entry, basis: unstored.basis)
            }
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

/// Does something to its end, and returns before that if its value is there.
///
/// What the body throws after that is lost, and nothing cancels it.
///
/// - Parameter body: Calls what it is given as soon as it has the value.
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
