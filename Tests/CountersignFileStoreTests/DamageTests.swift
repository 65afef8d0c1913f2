import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignFileStore

/// Files that differ from those that were written: each causes a typed error, nothing is overwritten, and there is a remedy.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct DamageTests {
    private let scratch: ScratchFolder
    private let store: EncryptedFileStore
    private let secret = SecretBytes(utf8: "c4n4ry")

    init() throws {
        scratch = try ScratchFolder()
        store = scratch.open()
    }

    /// Returns the error code of reading, after it has checked that writes and deletions also leave the file unchanged.
    private func refusal(of key: CredentialKey = "token") async throws -> CredentialStoreError.Code? {
        let names = try scratch.names.filter { !$0.hasSuffix(".lock") }
        let before = try names.map { try scratch.bytes(scratch.path($0)) }
        let refusal = await #expect(throws: CredentialStoreError.self) { try await store.read(key) }
        #expect(refusal?.path?.hasPrefix(scratch.path("")) == true && refusal?.recoverySuggestion != nil)
        let write = await #expect(throws: CredentialStoreError.self) { try await store.write(secret, for: key, replacing: nil) }
        let delete = await #expect(throws: CredentialStoreError.self) {
            try await store.delete(key, replacing: CredentialVersion(rawValue: "x"))
        }
        #expect(write == refusal && delete == refusal)
        #expect(try names.map { try scratch.bytes(scratch.path($0)) } == before)
        return refusal?.code
    }

    @Test func `every bit of an entry counts`() async throws {
        try await store.write(secret, for: "token", replacing: nil)
        let file = scratch.path(of: "token")
        let whole = try scratch.bytes(file)
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 1 << (index % 8)
            try scratch.put(bytes, at: file)
            let error = await #expect(throws: CredentialStoreError.self) { try await store.read("token") }
            let expected: CredentialStoreError.Code =
                index < 13 ? .foreign : index == 13 ? .unsupportedFormat : .corrupt
            #expect(error?.code == expected, "byte \(index)")
        }
        try scratch.put(whole, at: file)
        #expect(try await store.read("token")?.secret == secret)
    }

    @Test func `an entry that was cut off anywhere, or goes on, is corrupt`() async throws {
        try await store.write(secret, for: "token", replacing: nil)
        let file = scratch.path(of: "token")
        let whole = try scratch.bytes(file)
        for count in 0..<whole.count {
            try scratch.put(Array(whole.prefix(count)), at: file)
            let error = await #expect(throws: CredentialStoreError.self) { try await store.read("token") }
            #expect(error?.code == .corrupt, "\(count) bytes")
        }
        try scratch.put(whole + [0], at: file)
        #expect(try await refusal() == .corrupt)
        try scratch.put([], at: file)
        #expect(try await refusal() == .corrupt)
    }

    @Test func `the marker is held to the same, with an error of the whole store`() async throws {
        try await store.write(secret, for: "token", replacing: nil)
        let file = scratch.path(FileName.marker)
        let whole = try scratch.bytes(file)
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 0x10
            try scratch.put(bytes, at: file)
            let error = await #expect(throws: CredentialStoreError.self) { try await store.read("token") }
            #expect(error?.code == (index == 13 ? .unsupportedFormat : .storeDamaged), "byte \(index)")
            try scratch.put(Array(whole.prefix(index)), at: file)
            let short = await #expect(throws: CredentialStoreError.self) { try await store.read("token") }
            #expect(short?.code == .storeDamaged, "\(index) bytes")
        }
        try scratch.put([UInt8](repeating: 0, count: 2 << 20), at: file)
        #expect(try await refusal() == .storeDamaged)
        try FileManager.default.removeItem(atPath: file)
        #expect(try await refusal() == .storeDamaged)
        #expect(try await refusal(of: "a name without a file") == .storeDamaged)
        try scratch.put(whole, at: file)
        #expect(try await store.read("token")?.secret == secret)
    }

    @Test func `entries with swapped names are refused`() async throws {
        try await store.write(secret, for: "token", replacing: nil)
        try await store.write(SecretBytes(utf8: "other"), for: "other", replacing: nil)
        let bytes = try scratch.bytes(scratch.path(of: "token"))
        try scratch.put(try scratch.bytes(scratch.path(of: "other")), at: scratch.path(of: "token"))
        try scratch.put(bytes, at: scratch.path(of: "other"))
        #expect(try await refusal() == .corrupt)
        #expect(try await refusal(of: "other") == .corrupt)
    }

    @Test func `an entry of another store with the same key is refused, and one from before clearing`() async throws {
        let other = try ScratchFolder()
        try await other.open().write(SecretBytes(utf8: "other"), for: "token", replacing: nil)
        try await store.write(secret, for: "token", replacing: nil)
        let old = try scratch.bytes(scratch.path(of: "token"))
        try scratch.put(try other.bytes(other.path(of: "token")), at: scratch.path(of: "token"))
        #expect(try await refusal() == .corrupt)
        try await store.clear()
        try await store.write(secret, for: "token", replacing: nil)
        try scratch.put(old, at: scratch.path(of: "token"))
        #expect(try await refusal() == .corrupt)
    }

    @Test func `a file that nobody of ours has written`() async throws {
        try await store.write(secret, for: "token", replacing: nil)
        try scratch.put(Array("-----BEGIN PRIVATE KEY-----".utf8), at: scratch.path(of: "token"))
        #expect(try await refusal() == .foreign)
        try scratch.put([UInt8](repeating: 0, count: 2 << 20), at: scratch.path(of: "token"))
        #expect(try await refusal() == .foreign)
    }

    @Test func `another key is distinguished from damage, and does not see an empty store`() async throws {
        try await store.write(secret, for: "token", replacing: nil)
        let names = try scratch.names
        let wrong = scratch.open(StoreKey.random())
        for name: CredentialKey in ["token", "another"] {
            let read = await #expect(throws: CredentialStoreError.self) { try await wrong.read(name) }
            let write = await #expect(throws: CredentialStoreError.self) {
                try await wrong.write(SecretBytes(utf8: "x"), for: name, replacing: nil)
            }
            #expect(read?.code == .wrongKey && write?.code == .wrongKey)
        }
        #expect(try scratch.names == names)
        #expect(try await store.read("token")?.secret == secret)
        // The remedy: the credentials are discarded, and the folder accepts the new key.
        try await wrong.clear()
        try await wrong.write(SecretBytes(utf8: "x"), for: "token", replacing: nil)
        let old = await #expect(throws: CredentialStoreError.self) { try await store.read("token") }
        #expect(old?.code == .wrongKey)
    }

    @Test func `what is damaged can be discarded, and only that`() async throws {
        try await store.write(secret, for: "token", replacing: nil)
        try await store.write(secret, for: "other", replacing: nil)
        try scratch.put([1, 2, 3], at: scratch.path(of: "token"))
        #expect(try await refusal() == .foreign)
        try await store.discard("token")
        #expect(try await store.read("token") == nil)
        #expect(try await store.read("other")?.secret == secret)
        try await store.write(secret, for: "token", replacing: nil)
        #expect(try await store.read("token")?.secret == secret)
    }

    @Test func `clearing takes all, damaged or not, and nothing that is not the store's`() async throws {
        try await store.write(secret, for: "token", replacing: nil)
        try await store.write(secret, for: "other", replacing: nil)
        try scratch.put([1, 2, 3], at: scratch.path(of: "token"))
        try scratch.put([1, 2, 3], at: scratch.path(FileName.marker))
        try scratch.put([1, 2, 3], at: scratch.path(FileName.temporary))
        try scratch.put([1, 2, 3], at: scratch.path("notes.credential"))
        try await store.clear()
        #expect(try scratch.names == ["commit.lock", "notes.credential"])
        #expect(try await store.read("other") == nil)
    }
}
