extension ManagedCredential {
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
}
