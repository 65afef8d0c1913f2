internal import Synchronization

/// How far a task is that wants a lock: it waits, until it has the lock or needs it no more.
private final class LockTurn: Sendable {
    enum Stage { case waiting, working, over }

    private let stage = Mutex(Stage.waiting)

    var isWaiting: Bool { stage.withLock { $0 == .waiting } }

    /// - Returns: Whether the wait ended with this.
    func end(in next: Stage) -> Bool {
        stage.withLock { stage in
            guard stage == .waiting else { return false }
            stage = next
            return true
        }
    }
}

extension DistributedCredentialStore {
    /// Waits for a lock, and meanwhile for another process to do what the lock is wanted for.
    ///
    /// - Parameters:
    ///   - work: What to do with the lock.
    ///   - key: What the other process would change.
    ///   - found: What it has got that makes the work needless; asked before the lock is, and after each change.
    func withExclusiveLock<Success: Sendable>(
        on lock: CredentialKey, timeout: Duration, _ work: @escaping @Sendable () async throws -> Success,
        watching key: CredentialKey,
        unless found: @escaping @Sendable () async throws -> Success?
    ) async throws -> Success {
        // Of a fleet, most come when one has done it already. A store that is out of reach has no lock either.
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
                // Most locks are had at once.
                try? await Task.sleep(for: .milliseconds(50))
                while !Task.isCancelled, turn.isWaiting {
                    do {
                        let seen = try await read(key)?.version
                        if let found = try await found() { return turn.end(in: .over) ? found : nil }
                        try await waitForChange(of: key, from: seen)
                    } catch {
                        // What cannot be read is the lock's affair, which says so.
                        try? await Task.sleep(for: .milliseconds(200))
                    }
                }
                return nil
            }
            defer { group.cancelAll() }
            while let success = try await group.next() {
                if let success { return success }
            }
            // One of the two has something, or throws.
            throw CancellationError()
        }
    }
}
