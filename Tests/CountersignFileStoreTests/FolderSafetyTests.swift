import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignFileStore

/// Folders in which another user could change the data are refused before anything is read or written.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct FolderSafetyTests {
    private let scratch: ScratchFolder
    private let store: EncryptedFileStore
    private let secret = SecretBytes(utf8: "c4n4ry")
    private let files = FileManager.default

    init() throws {
        scratch = try ScratchFolder()
        store = scratch.open()
    }

    private var folder: String { String(scratch.store.path(percentEncoded: false).dropLast()) }
    private var elsewhere: String { scratch.root.appending(path: "elsewhere").path(percentEncoded: false) }

    private func code(_ operation: () async throws -> Void) async -> CredentialStoreError.Code? {
        do {
            try await operation()
            return nil
        } catch {
            return (error as? CredentialStoreError)?.code
        }
    }

    @Test(arguments: ["", "/"]) func `a link to a folder`(end: String) async throws {
        try files.createDirectory(atPath: elsewhere, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try files.createSymbolicLink(atPath: folder, withDestinationPath: elsewhere)
        let store = EncryptedFileStore(folder: URL(filePath: folder + end), key: scratch.key)
        #expect(await code { _ = try await store.read("token") } == .unsafe)
        #expect(await code { try await store.write(secret, for: "token", replacing: nil) } == .unsafe)
        #expect(await code { try await store.clear() } == .unsafe)
        #expect(await code { try await store.withExclusiveLock(on: "token", timeout: .zero) {} } == .unsafe)
        #expect(try files.contentsOfDirectory(atPath: elsewhere).isEmpty)
    }

    @Test(arguments: [0o770, 0o707, 0o777]) func `a folder that others may write`(mode: Int) async throws {
        try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
        #expect(await code { _ = try await store.read("token") } == .unsafe)
        #expect(await code { try await store.write(secret, for: "token", replacing: nil) } == .unsafe)
        #expect(try scratch.names.isEmpty)
    }

    @Test func `a file instead of a folder, or above it`() async throws {
        try scratch.put([1], at: folder)
        #expect(await code { _ = try await store.read("token") } == .unavailable)
        #expect(await code { try await store.write(secret, for: "token", replacing: nil) } == .unavailable)
        let below = EncryptedFileStore(folder: URL(filePath: folder + "/below/it"), key: scratch.key)
        #expect(await code { try await below.write(secret, for: "token", replacing: nil) } == .unavailable)
        #expect(try scratch.bytes(folder) == [1])
    }

    @Test func `folders above are made if they are missing`() async throws {
        let deep = EncryptedFileStore(folder: scratch.root.appending(path: "a/b/c"), key: scratch.key)
        try await deep.write(secret, for: "token", replacing: nil)
        for path in ["a", "a/b", "a/b/c"] {
            #expect(try scratch.permissions(scratch.root.appending(path: path).path(percentEncoded: false)) == 0o700)
        }
    }

    @Test func `a relative URL names the folder that it named when the store was made`() async throws {
        let base = URL(filePath: scratch.root.path(percentEncoded: false), directoryHint: .isDirectory)
        let folder = URL(filePath: "credentials", directoryHint: .isDirectory, relativeTo: base)
        try await EncryptedFileStore(folder: folder, key: scratch.key).write(secret, for: "token", replacing: nil)
        #expect(try await store.read("token")?.secret == secret)
    }

    @Test func `a URL that names no folder`() async throws {
        for text in ["https://example.com/tmp/store", "file:///tmp/countersign%00/store"] {
            let store = EncryptedFileStore(folder: try #require(URL(string: text)), key: scratch.key)
            #expect(await code { _ = try await store.read("token") } == .unavailable)
            #expect(await code { try await store.write(secret, for: "token", replacing: nil) } == .unavailable)
            #expect(await code { try await store.clear() } == .unavailable)
        }
    }

    @Test func `a link, a folder, a pipe or an open file in the place of an entry`() async throws {
        try await store.write(secret, for: "token", replacing: nil)
        let entry = scratch.path(of: "token")
        let whole = try scratch.bytes(entry)
        try scratch.put(whole, at: elsewhere)

        try files.removeItem(atPath: entry)
        try files.createSymbolicLink(atPath: entry, withDestinationPath: elsewhere)
        #expect(await code { _ = try await store.read("token") } == .unsafe)
        #expect(await code { try await store.write(secret, for: "token", replacing: nil) } == .unsafe)

        try files.removeItem(atPath: entry)
        try files.createDirectory(atPath: entry, withIntermediateDirectories: false)
        #expect(await code { _ = try await store.read("token") } == .foreign)

        try files.removeItem(atPath: entry)
        try #require(mkfifo(entry, 0o600) == 0)
        #expect(await code { _ = try await store.read("token") } == .foreign)

        try files.removeItem(atPath: entry)
        try scratch.put(whole, at: entry)
        try files.setAttributes([.posixPermissions: 0o666], ofItemAtPath: entry)
        #expect(await code { _ = try await store.read("token") } == .unsafe)

        try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: entry)
        #expect(try await store.read("token")?.secret == secret)
    }

    @Test func `links in the place of locks and of the temporary file lead nowhere`() async throws {
        let version = try await store.write(secret, for: "token", replacing: nil)
        try scratch.put([1], at: elsewhere)
        try files.createSymbolicLink(atPath: scratch.path(FileName.temporary), withDestinationPath: elsewhere)
        try await store.write(secret, for: "token", replacing: version)
        try files.removeItem(atPath: scratch.path(FileName.commitLock))
        try files.createSymbolicLink(atPath: scratch.path(FileName.commitLock), withDestinationPath: elsewhere)
        #expect(await code { try await store.discard("token") } == .unsafe)
        #expect(try scratch.bytes(elsewhere) == [1])
        #expect(try await store.read("token")?.secret == secret)
    }
}
