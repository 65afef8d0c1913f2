import Countersign
import Synchronization

// The requirements of locks.

extension CredentialStoreContract {
    func lockExcludes(_ store: any CredentialStore) async throws {
        let name = name()
        let stores = [store, try await open(), try await open()]
        let holders = LockHolders()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<9 {
                group.addTask {
                    try await stores[number % 3].withExclusiveLock(on: name, timeout: patience) {
                        holders.enter()
                        try await Task.sleep(for: .milliseconds(5))
                        holders.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        try require(holders.most == 1, "\(holders.most) tasks held the lock at the same time")
    }

    /// Runs `body` while another instance of the store holds the lock.
    private func whileLocked(_ name: CredentialKey, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await open().withExclusiveLock(on: name, timeout: patience) { try await body() }
    }

    func locksAreApart(_ store: any CredentialStore) async throws {
        let other = name()
        try await whileLocked(name()) {
            try await store.withExclusiveLock(on: other, timeout: patience) {}
        }
    }

    func readingDoesNotWait(_ store: any CredentialStore) async throws {
        let name = name()
        try await whileLocked(name) {
            let version = try await store.write(SecretBytes(utf8: "x"), for: name, replacing: nil)
            try require(try await store.read(name)?.version == version, "another version was read")
            try await store.delete(name, replacing: version)
        }
    }

    func lockEndsWithError(_ store: any CredentialStore) async throws {
        let name = name()
        do {
            try await store.withExclusiveLock(on: name, timeout: patience) { throw Breach(description: "on purpose") }
            try require(false, "the error was lost")
        } catch let error as Breach where error.description == "on purpose" {}
        // Throws if the lock was not released.
        try await open().withExclusiveLock(on: name, timeout: patience) {}
    }

    func lockTimesOut(_ store: any CredentialStore) async throws {
        let name = name()
        try await whileLocked(name) {
            var limit = Duration.milliseconds(200)
            while true {
                let start = ContinuousClock.now
                let code = try await code { [limit] in try await store.withExclusiveLock(on: name, timeout: limit) {} }
                let time = start.duration(to: .now)
                // The limit is also that of the store's requests to a server, which may need longer to answer.
                if code == .unavailable, limit < patience {
                    limit *= 4
                    continue
                }
                try require(code == .lockTimedOut, "waiting ended with \(code?.rawValue ?? "no error")")
                try require(time < limit + patience, "the error was thrown only after \(time)")
                return
            }
        }
    }

    func waitingIsCancelled(_ store: any CredentialStore) async throws {
        let name = name()
        try await whileLocked(name) {
            let waiting = Task { try await store.withExclusiveLock(on: name, timeout: .seconds(3_600)) {} }
            try await Task.sleep(for: .milliseconds(100))
            waiting.cancel()
            let result = await waiting.result
            guard case .failure(let error) = result, error is CancellationError else {
                throw Breach(description: "waiting ended with \(result)")
            }
        }
    }
}

/// Counts the tasks that hold the lock at the same time.
private final class LockHolders: Sendable {
    private let count = Mutex((now: 0, most: 0))

    var most: Int { count.withLock { $0.most } }

    func enter() {
        count.withLock { count in
            count.now += 1
            count.most = max(count.most, count.now)
        }
    }

    func leave() { count.withLock { $0.now -= 1 } }
}
