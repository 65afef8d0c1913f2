import Countersign

// The requirements of waiting for the changes of other instances, which only a distributed store can meet.

extension CredentialStoreContract {
    private func distributed(_ store: any CredentialStore) throws -> any DistributedCredentialStore {
        guard let store = store as? any DistributedCredentialStore else {
            throw Breach(description: "the opened store is not a DistributedCredentialStore")
        }
        return store
    }

    func changeEndsWaiting(_ store: any CredentialStore) async throws {
        let name = name()
        let store = try distributed(store)
        let other = try await open()
        let version = try await store.write(SecretBytes(utf8: "1"), for: name, replacing: nil)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                // `waitForChange` may return early.
                while try await store.read(name)?.version == version { try await store.waitForChange(of: name, from: version) }
                return true
            }
            group.addTask {
                try await Task.sleep(for: .milliseconds(200))
                try await other.write(SecretBytes(utf8: "2"), for: name, replacing: version)
                try await Task.sleep(for: patience)
                return false
            }
            try require(try await group.next() == true, "waiting did not end within \(patience)")
            group.cancelAll()
        }
    }

    func earlierChangeEndsWaiting(_ store: any CredentialStore) async throws {
        let name = name()
        let store = try distributed(store)
        try await store.write(SecretBytes(utf8: "1"), for: name, replacing: nil)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await store.waitForChange(of: name, from: nil)
                return true
            }
            group.addTask {
                try await Task.sleep(for: patience)
                return false
            }
            try require(try await group.next() == true, "waiting did not end within \(patience)")
            group.cancelAll()
        }
    }

    func waitingForChangesIsCancelled(_ store: any CredentialStore) async throws {
        let name = name()
        let store = try distributed(store)
        let waiting = Task { while true { try await store.waitForChange(of: name, from: nil) } }
        try await Task.sleep(for: .milliseconds(200))
        waiting.cancel()
        let start = ContinuousClock.now
        _ = await waiting.result
        try require(start.duration(to: .now) < patience, "waiting ended only after \(start.duration(to: .now))")
    }
}
