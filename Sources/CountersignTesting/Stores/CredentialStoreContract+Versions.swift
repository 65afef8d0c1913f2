import Countersign

// The requirements of reading, writing and deleting credentials, each of which has a version.

extension CredentialStoreContract {
    func whatIsStoredIsFound(_ store: any CredentialStore) async throws {
        let name = name()
        let version = try await store.write(SecretBytes(utf8: "secret"), for: name, replacing: nil)
        let stored = StoredCredential(secret: SecretBytes(utf8: "secret"), version: version)
        try require(try await store.read(name) == stored, "another secret or version was read")
        try require(try await open().read(name) == stored, "another instance of the store read another secret or version")
    }

    func anyBytesAreASecret(_ store: any CredentialStore) async throws {
        for bytes in [[], [0], Array(0...255), [UInt8](repeating: 0xff, count: 64 << 10)] as [[UInt8]] {
            let name = name()
            try await store.write(SecretBytes(bytes), for: name, replacing: nil)
            try require(
                try await store.read(name)?.secret == SecretBytes(bytes), "a secret of \(bytes.count) bytes was not read unchanged")
        }
    }

    func namesAreTheirBytes(_ store: any CredentialStore) async throws {
        let base = name().name
        // The first two names are canonically equivalent in Unicode but differ in bytes.
        let names = ["\(base)\u{e9}", "\(base)e\u{301}", "\(base)/../x", "\(base)\n\0", String(repeating: base, count: 50)]
        for name in names { try await store.write(SecretBytes(utf8: "of \(name)"), for: CredentialKey(name), replacing: nil) }
        for name in names {
            try require(
                try await store.read(CredentialKey(name))?.secret == SecretBytes(utf8: "of \(name)"),
                "two different names were treated as one")
        }
    }

    func changesNameVersions(_ store: any CredentialStore) async throws {
        let name = name()
        let missing = CredentialVersion(rawValue: "0")
        try await conflicts("replacing a missing credential") {
            try await store.write(SecretBytes(utf8: "x"), for: name, replacing: missing)
        }
        try await conflicts("deleting a missing credential") { try await store.delete(name, replacing: missing) }
        let first = try await store.write(SecretBytes(utf8: "1"), for: name, replacing: nil)
        try await conflicts("storing a new credential where there already is one") {
            try await store.write(SecretBytes(utf8: "x"), for: name, replacing: nil)
        }
        let second = try await store.write(SecretBytes(utf8: "2"), for: name, replacing: first)
        try await conflicts("replacing an old version") {
            try await store.write(SecretBytes(utf8: "x"), for: name, replacing: first)
        }
        try await conflicts("deleting an old version") { try await store.delete(name, replacing: first) }
        let stored = StoredCredential(secret: SecretBytes(utf8: "2"), version: second)
        try require(try await store.read(name) == stored, "a change that conflicts has modified the credential")
        try await store.delete(name, replacing: second)
        try require(try await store.read(name) == nil, "a deleted credential was found")
    }

    func noVersionComesTwice(_ store: any CredentialStore) async throws {
        let name = name()
        var versions: Set<CredentialVersion> = []
        for _ in 0..<4 {
            let version = try await store.write(SecretBytes(utf8: "same"), for: name, replacing: nil)
            try require(versions.insert(version).inserted, "a version was reused after a deletion")
            let next = try await store.write(SecretBytes(utf8: "same"), for: name, replacing: version)
            try require(versions.insert(next).inserted, "a version was reused for the same secret")
            try await store.delete(name, replacing: next)
        }
    }

    func oneReplaces(_ store: any CredentialStore) async throws {
        let name = name()
        let other = try await open()
        let version = try await store.write(SecretBytes(utf8: "0"), for: name, replacing: nil)
        let successes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<12 {
                group.addTask {
                    let store = number.isMultiple(of: 2) ? store : other
                    return (try? await store.write(SecretBytes(utf8: "\(number)"), for: name, replacing: version)) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        try require(successes == 1, "\(successes) writes succeeded")
    }

    func discards(_ store: any CredentialStore) async throws {
        let name = name()
        try await store.discard(name)
        let version = try await store.write(SecretBytes(utf8: "x"), for: name, replacing: nil)
        try await store.discard(name)
        try require(try await store.read(name) == nil, "a discarded credential was found")
        try await conflicts("replacing a discarded credential") {
            try await store.write(SecretBytes(utf8: "y"), for: name, replacing: version)
        }
    }

    func cancelledTasksStore(_ store: any CredentialStore) async throws {
        let name = name()
        let task = Task {
            // The sleep ends when the task is cancelled.
            try? await Task.sleep(for: .seconds(3_600))
            try await store.write(SecretBytes(utf8: "late"), for: name, replacing: nil)
        }
        task.cancel()
        _ = try await task.value
        try require(try await store.read(name)?.secret == SecretBytes(utf8: "late"), "the credential was not stored")
    }

    func clears(_ store: any CredentialStore) async throws {
        let names = [name(), name()]
        for name in names { try await store.write(SecretBytes(utf8: "x"), for: name, replacing: nil) }
        try await store.clear()
        for name in names { try require(try await store.read(name) == nil, "a credential was found") }
        try await store.write(SecretBytes(utf8: "y"), for: names[0], replacing: nil)
        try require(try await open().read(names[0])?.secret == SecretBytes(utf8: "y"), "nothing can be stored after clearing")
        try await store.clear()
    }

    func descriptionsAreFree(_ store: any CredentialStore) async throws {
        let name = name()
        try await store.write(SecretBytes(utf8: "hunter2"), for: name, replacing: nil)
        var dump = ""
        Swift.dump(store, to: &dump)
        var texts = ["\(store)", String(reflecting: store), dump]
        do {
            try await store.write(SecretBytes(utf8: "hunter2"), for: name, replacing: nil)
        } catch {
            texts += ["\(error)", String(reflecting: error)]
        }
        try require(texts.allSatisfy { !$0.contains(name.name) && !$0.contains("hunter2") }, "a description contains one")
    }
}
