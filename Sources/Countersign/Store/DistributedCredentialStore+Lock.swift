extension DistributedCredentialStore {
    /// Waits for a lock, and at the same time for another process to do the work for which the lock is requested.
    ///
    /// - Parameters:
    ///   - work: The work to run with the lock.
    ///   - key: The credential that the other process would change.
    ///   - found: Returns a result of another process that makes the work unnecessary; `nil` if there is none. Called before the
    ///     lock is requested, and after each change.
    func withExclusiveLock<Success: Sendable>(
        on lock: CredentialKey, timeout: Duration, _ work: @escaping @Sendable () async throws -> Success,
        watching key: CredentialKey,
        unless found: @escaping @Sendable () async throws -> Success?
    ) async throws -> Success {
        // In a fleet, another process has usually done the work before. A store that is unreachable cannot lock either.
        do {
            if let found = try await found() { return found }
        } catch let error as CredentialStoreError where error.code == .unavailable {
            throw error
        } catch {}
        let turn = LockTurn()
        return try await withThrowingTaskGroup(of: Success?.self) { group in
            group.addTask {
                try await withExclusiveLock(on: lock, timeout: timeout) { () async throws -> Success? in
                    guard turn.end(in: .working) else { return nil }
                    return try await work()
                }
            }
            group.addTask {
                // Most locks are acquired at once.
                try? await Task.sleep(for: .milliseconds(50))
                while !Task.isCancelled, turn.isWaiting {
                    do {
                        let seen = try await read(key)?.version
                        if let found = try await found() { return turn.end(in: .over) ? found : nil }
                        try await waitForChange(of: key, from: seen)
                    } catch {
                        // A read error is ignored here, because requesting the lock reports it.
                        try? await Task.sleep(for: .milliseconds(200))
                    }
                }
                return nil
            }
            defer { group.cancelAll() }
            while let success = try await group.next() {
                if let success { return success }
            }
            // Not reached: one of the two tasks returns a result or throws.
            throw CancellationError()
        }
    }
}
