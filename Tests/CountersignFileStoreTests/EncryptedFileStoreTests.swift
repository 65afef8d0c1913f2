import Countersign
import CountersignFileStore
import Foundation
import TestTurns
import Testing

/// The behavior of the store that an adopter sees.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct EncryptedFileStoreTests {
    private let scratch: ScratchFolder
    private let store: EncryptedFileStore
    private let secret = SecretBytes(utf8: "c4n4ry-refresh-token")

    init() throws {
        scratch = try ScratchFolder()
        store = EncryptedFileStore(folder: scratch.store, key: scratch.key)
    }

    @Test func `a store that was never written is empty, and is not made by looking`() async throws {
        #expect(try await store.read("token") == nil)
        try await store.clear()
        try await store.discard("token")
        #expect(!FileManager.default.fileExists(atPath: scratch.store.path(percentEncoded: false)))
    }

    @Test func `what one store object writes, another reads`() async throws {
        let version = try await store.write(secret, for: "token", replacing: nil)
        let other = EncryptedFileStore(folder: scratch.store, key: scratch.key)
        #expect(try await other.read("token") == StoredCredential(secret: secret, version: version))
        #expect(try await other.read("tokens") == nil)
    }

    @Test func `a write or a delete that names another version changes nothing`() async throws {
        let first = try await store.write(secret, for: "token", replacing: nil)
        let second = try await store.write(SecretBytes(utf8: "two"), for: "token", replacing: first)
        for version in [first, nil] {
            let error = await #expect(throws: CredentialStoreError.self) {
                try await store.write(secret, for: "token", replacing: version)
            }
            #expect(error?.code == .conflict)
        }
        let error = await #expect(throws: CredentialStoreError.self) { try await store.delete("token", replacing: first) }
        #expect(error?.code == .conflict)
        #expect(try await store.read("token")?.secret == SecretBytes(utf8: "two"))
        try await store.delete("token", replacing: second)
        #expect(try await store.read("token") == nil)
        let gone = await #expect(throws: CredentialStoreError.self) { try await store.delete("token", replacing: second) }
        #expect(gone?.code == .conflict)
    }

    @Test(arguments: [
        "", "/", "..", ".", "../../etc/passwd", "a/b\\c:d", "nul\0byte", "nul\0other", "👩‍🚀🔑", "\u{E9}", "e\u{301}", "store",
        "commit.lock",
        String(repeating: "n", count: 10_000), String(repeating: "n", count: 10_001),
    ])
    func `any text is a name`(name: String) async throws {
        let neighbours: [CredentialKey] = ["", "nul", "\u{E9}", "e\u{301}", CredentialKey(String(repeating: "n", count: 10_002))]
        for neighbour in neighbours where neighbour != CredentialKey(name) {
            try await store.write(SecretBytes(utf8: "neighbour"), for: neighbour, replacing: nil)
        }
        let key = CredentialKey(name)
        let version = try await store.write(secret, for: key, replacing: nil)
        #expect(try await store.read(key) == StoredCredential(secret: secret, version: version))
        let parent = try FileManager.default.contentsOfDirectory(atPath: scratch.root.path(percentEncoded: false))
        #expect(parent.sorted() == ["credentials", "server"])
    }

    @Test(arguments: [0, 1, 15, 16, 17, 16_384, 1 << 20]) func `a secret of any size up to 1 MiB`(count: Int) async throws {
        let secret = SecretBytes((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        try await store.write(secret, for: "token", replacing: nil)
        #expect(try await store.read("token")?.secret == secret)
    }

    @Test func `a secret that is too large is refused, and the old one stays`() async throws {
        let version = try await store.write(secret, for: "token", replacing: nil)
        let error = await #expect(throws: CredentialStoreError.self) {
            try await store.write(SecretBytes(repeatElement(1, count: (1 << 20) + 1)), for: "token", replacing: version)
        }
        #expect(error?.code == .tooLarge)
        #expect(try await store.read("token")?.version == version)
    }

    @Test func `RT-30 neither secret nor name are in any file or file name`() async throws {
        let name = "c4n4ry-name"
        var version: CredentialVersion?
        for _ in 0..<3 { version = try await store.write(secret, for: CredentialKey(name), replacing: version) }
        try await store.withExclusiveLock(on: CredentialKey(name), timeout: .seconds(9)) {}
        let names = try scratch.names
        #expect(names.count == 4, "an entry, the marker, two locks: \(names)")
        for file in names {
            #expect(!file.contains("c4n4ry"))
            let bytes = try Data(scratch.bytes(scratch.path(file)))
            for canary in ["c4n4ry", "refresh", Data("c4n4ry-refresh".utf8).base64EncodedString(), "63346e347279"] {
                #expect(bytes.range(of: Data(canary.utf8)) == nil, "\(file)")
            }
            #expect(bytes.range(of: Data(scratch.keyBytes)) == nil, "\(file)")
        }
    }

    @Test func `RT-30 no canary gets out of the key, the store and its errors`() async throws {
        let key = try #require(StoreKey(bytes: Array("c4n4ry-c4n4ry-c4n4ry-c4n4ry-c4n4".utf8)))
        let store = EncryptedFileStore(folder: scratch.store, key: key)
        try await store.write(secret, for: "c4n4ry", replacing: nil)
        let conflict = await #expect(throws: CredentialStoreError.self) {
            try await store.write(secret, for: "c4n4ry", replacing: nil)
        }
        var text = ""
        for value: Any in [key, key.bytes, store, conflict as Any] {
            text += "\(value)\(String(reflecting: value))\(Mirror(reflecting: value).children.map { "\($0)" })"
            dump(value, to: &text)
        }
        #expect(text.contains("redacted") && text.contains("conflict"))
        #expect(!text.contains("c4n4ry") && !text.contains("99, 52, 110"))
    }

    @Test func `a key has 32 bytes`() {
        #expect(StoreKey(bytes: [UInt8](repeating: 1, count: 31)) == nil)
        #expect(StoreKey(bytes: [UInt8](repeating: 1, count: 33)) == nil)
        #expect(StoreKey.random().bytes.bytes.count == 32)
        #expect(StoreKey.random().bytes != StoreKey.random().bytes)
    }

    @Test func `only the user may read files and folder`() async throws {
        try await store.write(secret, for: "token", replacing: nil)
        try await store.withExclusiveLock(on: "token", timeout: .seconds(9)) {}
        #expect(try scratch.permissions(scratch.store.path(percentEncoded: false)) == 0o700)
        for file in try scratch.names { #expect(try scratch.permissions(scratch.path(file)) == 0o600, "\(file)") }
    }

    @Test func `the store locks between its objects, and a lock that is held is not to be had in no time`() async throws {
        let other = EncryptedFileStore(folder: scratch.store, key: scratch.key)
        try await store.withExclusiveLock(on: "token", timeout: .zero) {
            for store in [store, other] {
                let error = await #expect(throws: CredentialStoreError.self) {
                    try await store.withExclusiveLock(on: "token", timeout: .zero) {}
                }
                #expect(error?.code == .lockTimedOut)
            }
            try await other.withExclusiveLock(on: "another", timeout: .zero) {}
            // A logout does not wait for a renewal.
            try await other.clear()
        }
        try await other.withExclusiveLock(on: "token", timeout: .zero) {}
    }

    @Test func `a task that is cancelled while another store has the lock stops waiting`() async throws {
        let other = EncryptedFileStore(folder: scratch.store, key: scratch.key)
        try await store.withExclusiveLock(on: "token", timeout: .zero) {
            let waiter = Task {
                try await other.withExclusiveLock(on: "token", timeout: .seconds(60)) { Issue.record("it ran") }
            }
            waiter.cancel()
            await #expect(throws: CancellationError.self) { try await waiter.value }
        }
        try await other.withExclusiveLock(on: "token", timeout: .zero) {}
    }

    @Test func `RT-19 a write is not lost because nobody waits for it any more`() async throws {
        let writer = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.write(secret, for: "token", replacing: nil)
        }
        try await writer.value
        #expect(try await store.read("token")?.secret == secret)
    }
}
