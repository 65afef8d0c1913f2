import Countersign
import Testing

/// The guarantees of every store, shown by the simplest one.
@Suite(.timeLimit(.minutes(10))) struct MemoryCredentialStoreTests {
    private let store = MemoryCredentialStore()
    private let key: CredentialKey = "https://login.example/token client"

    @Test func `what was written is read, with the version that the write returned`() async throws {
        #expect(try await store.read(key) == nil)
        let version = try await store.write(SecretBytes(utf8: "one"), for: key, replacing: nil)
        #expect(try await store.read(key) == StoredCredential(secret: SecretBytes(utf8: "one"), version: version))
        #expect(try await store.read("another") == nil)
    }

    @Test func `a write that names another version changes nothing`() async throws {
        let first = try await store.write(SecretBytes(utf8: "one"), for: key, replacing: nil)
        let second = try await store.write(SecretBytes(utf8: "two"), for: key, replacing: first)
        #expect(first != second)
        for version in [first, nil] {
            let error = await #expect(throws: CredentialStoreError.self) {
                try await store.write(SecretBytes(utf8: "lost"), for: key, replacing: version)
            }
            #expect(error?.code == .conflict)
        }
        let error = await #expect(throws: CredentialStoreError.self) { try await store.delete(key, replacing: first) }
        #expect(error?.code == .conflict)
        #expect(try await store.read(key)?.secret == SecretBytes(utf8: "two"))
    }

    @Test func `a version never comes back, not even after the credential was deleted`() async throws {
        let first = try await store.write(SecretBytes(utf8: "one"), for: key, replacing: nil)
        try await store.delete(key, replacing: first)
        #expect(try await store.read(key) == nil)
        let second = try await store.write(SecretBytes(utf8: "one"), for: key, replacing: nil)
        #expect(first != second)
        try await store.clear()
        #expect(try await store.write(SecretBytes(utf8: "one"), for: key, replacing: nil) != second)
    }

    @Test func `discarding takes one credential, clearing all`() async throws {
        for name in ["a", "b", "c"] { try await store.write(SecretBytes(utf8: name), for: CredentialKey(name), replacing: nil) }
        try await store.discard("a")
        try await store.discard("a")
        #expect(try await store.read("a") == nil)
        #expect(try await store.read("b") != nil)
        try await store.clear()
        #expect(try await store.read("b") == nil)
        #expect(try await store.read("c") == nil)
    }

    @Test func `names are the same only if their bytes are`() async throws {
        let (composed, decomposed): (CredentialKey, CredentialKey) = ("\u{E9}", "e\u{301}")
        #expect(composed.name == decomposed.name)
        #expect(composed != decomposed)
        try await store.write(SecretBytes(utf8: "one"), for: composed, replacing: nil)
        #expect(try await store.read(decomposed) == nil)
    }

    @Test func `RT-30 no canary gets out of keys, secrets, credentials and stores`() async throws {
        let canary: CredentialKey = "c4n4ry"
        try await store.write(SecretBytes(utf8: "c4n4ry"), for: canary, replacing: nil)
        let stored = try #require(try await store.read(canary))
        let error = await #expect(throws: CredentialStoreError.self) {
            try await store.write(SecretBytes(utf8: "c4n4ry"), for: canary, replacing: nil)
        }
        var text = error?.recoverySuggestion ?? ""
        for value: Any in [canary, stored, stored.secret, store, error as Any] {
            text += "\(value)\(String(reflecting: value))\(Mirror(reflecting: value).children.map { "\($0)" })"
            dump(value, to: &text)
        }
        #expect(text.contains("redacted"))
        #expect(!text.contains("c4n4ry"))
        #expect(!text.contains("99, 52, 110"), "the bytes as numbers")
    }
}
