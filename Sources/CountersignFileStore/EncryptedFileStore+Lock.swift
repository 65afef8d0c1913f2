public import Countersign

// This file does not import Foundation, because with it Swift 6.3 does not open the clock's existential.
extension EncryptedFileStore {
    public func withExclusiveLock<Success: Sendable>(
        on key: CredentialKey, timeout: Duration, _ operation: @Sendable () async throws -> Success
    ) async throws -> Success {
        try await runAlone(on: key, timeout: timeout, clock: clock, operation)
    }

    private func runAlone<Success: Sendable, C: Clock<Duration>>(
        on key: CredentialKey, timeout: Duration, clock: C, _ operation: @Sendable () async throws -> Success
    ) async throws -> Success {
        let deadline = clock.now.advanced(by: timeout)
        let name = FileName.lock(try await filesMakingKey().keys.fileName(for: key))
        // The tasks of this process wait for each other first, so that only one of them polls the file lock.
        let success = try await locks.withLock(on: key, until: deadline, clock: clock) {
            let lock = try await self.fileLock(name, until: deadline, clock: clock)
            defer { lock.release() }
            return try await operation()
        }
        guard let success else { throw FileLock.timedOut("\(path)/\(name)") }
        return success
    }

    private func fileLock<C: Clock<Duration>>(_ name: String, until deadline: C.Instant, clock: C) async throws -> FileLock {
        var backoff = LockBackoff()
        while true {
            try Task.checkCancellation()
            let lock = try await reads.run { [path] () throws(CredentialStoreError) in
                try StoreFolder.create(path)
                return try FileLock.attempt(name, in: path)
            }
            if let lock { return lock }
            guard clock.now < deadline else { throw FileLock.timedOut("\(path)/\(name)") }
            try await clock.sleep(for: backoff.next())
        }
    }
}
