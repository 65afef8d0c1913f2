import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignFileStore

/// When the system refuses a write, the old value stays, and the error gives the reason.
///
/// The errors are those of the system. Some require a mount that only the other process sees, and therefore the right to mount.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct FullDiskTests {
    private let scratch: ScratchFolder
    private let store: EncryptedFileStore

    init() throws {
        scratch = try ScratchFolder()
        store = scratch.open()
    }

    private static let isRoot = geteuid() == 0
    static let canMount: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = OtherProcess.mounting("mount -t tmpfs tmpfs /mnt") + ["true"]
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    private var folder: String { String(scratch.store.path(percentEncoded: false).dropLast()) }

    @Test func `RT-19 a file that may not get that large loses nothing`() async throws {
        let version = try await store.write(SecretBytes(utf8: "old"), for: "token", replacing: nil)
        let writer = try OtherProcess("write-large", "4096", in: scratch)
        #expect(try await writer.end() == ["no-space", "kept"])
        #expect(try await store.read("token")?.version == version)
        #expect(try !scratch.names.contains(FileName.temporary))
        // The same write succeeds with enough space.
        #expect(try await OtherProcess("write-large", "0", in: scratch).end() == ["written"])
    }

    @Test(.enabled(if: canMount, "needs the right to mount a file system")) func `RT-19 a full disk loses nothing`() async throws {
        try await store.write(SecretBytes(utf8: "old"), for: "token", replacing: nil)
        let small =
            "cp -a '\(folder)' '\(folder).copy'; mount -t tmpfs -o size=32k,mode=700 tmpfs '\(folder)'; cp -a '\(folder).copy/.' '\(folder)/'"
        let writer = try OtherProcess("write-large", "0", in: scratch, wrapper: OtherProcess.mounting(small))
        #expect(try await writer.end() == ["no-space", "kept"])
        let large = small.replacing("size=32k", with: "size=512k").replacing("cp -a '\(folder)'", with: "true '\(folder)'")
        #expect(try await OtherProcess("write-large", "0", in: scratch, wrapper: OtherProcess.mounting(large)).end() == ["written"])
    }

    @Test(.enabled(if: canMount, "needs the right to mount a file system"))
    func `a read-only disk can be read, and says that it cannot be written`() async throws {
        try await store.write(SecretBytes(utf8: "old"), for: "token", replacing: nil)
        let mount = "mount --bind '\(folder)' '\(folder)'; mount -o remount,bind,ro '\(folder)'"
        #expect(
            try await OtherProcess("write-large", "0", in: scratch, wrapper: OtherProcess.mounting(mount)).end() == [
                "not-permitted", "kept",
            ])
    }

    @Test(.enabled(if: isRoot, "needs the right to become another user"))
    func `a folder that its user may not write can be read, and says so`() async throws {
        try await store.write(SecretBytes(utf8: "old"), for: "token", replacing: nil)
        for path in try [folder] + scratch.names.map(scratch.path) { try #require(chown(path, 65534, 65534) == 0) }
        try #require(chmod(folder, 0o500) == 0)
        #expect(try await OtherProcess("write-as-user", "65534", in: scratch).end() == ["found one", "not-permitted"])
        try #require(chmod(folder, 0o700) == 0)
        #expect(try await OtherProcess("write-as-user", "65534", in: scratch).end() == ["found one", "written"])
    }

    @Test(.enabled(if: isRoot, "needs the right to become another user"))
    func `another user's folder and files are refused`() async throws {
        try await store.write(SecretBytes(utf8: "old"), for: "token", replacing: nil)
        try #require(chmod(folder, 0o755) == 0)
        #expect(try await OtherProcess("write-as-user", "65534", in: scratch).end() == ["unsafe"])
        try #require(chown(folder, 65534, 65534) == 0)
        #expect(try await OtherProcess("write-as-user", "65534", in: scratch).end() == ["not-permitted"])
        let error = await #expect(throws: CredentialStoreError.self) { try await store.read("token") }
        #expect(error?.code == .unsafe)
    }

    @Test(arguments: StoreFolder.Step.allCases) func `RT-18 RT-19 a failure at any step leaves the old value or the new one`(
        step: StoreFolder.Step
    ) async throws {
        let first = try await store.write(SecretBytes(utf8: "old"), for: "token", replacing: nil)
        let failing = scratch.open { reached throws(CredentialStoreError) in
            if reached == step { throw CredentialStoreError(.inputOutput, detail: "the test lets it fail") }
        }
        let error = await #expect(throws: CredentialStoreError.self) {
            try await failing.write(SecretBytes(utf8: "new"), for: "token", replacing: first)
        }
        #expect(error?.code == .inputOutput)
        let found = try #require(try await store.read("token"))
        // The new value is visible only after the renaming, as the error's documentation says.
        #expect(found.secret == SecretBytes(utf8: step == .synchronizeFolder ? "new" : "old"))
        #expect(try scratch.names.count == 3)
        // RT-19: the write is repeated.
        try await store.write(SecretBytes(utf8: "new"), for: "token", replacing: found.version)
    }

    @Test(arguments: StoreFolder.Step.allCases) func `RT-18 a failure at any step of the first write leaves a store that works`(
        step: StoreFolder.Step
    ) async throws {
        let failing = scratch.open { reached throws(CredentialStoreError) in
            if reached == step { throw CredentialStoreError(.inputOutput, detail: "the test lets it fail") }
        }
        await #expect(throws: CredentialStoreError.self) {
            try await failing.write(SecretBytes(utf8: "new"), for: "token", replacing: nil)
        }
        #expect(try await store.read("token") == nil)
        try await store.write(SecretBytes(utf8: "new"), for: "token", replacing: nil)
    }

    @Test func `what a crashed writer left behind goes with the next write`() async throws {
        let version = try await store.write(SecretBytes(utf8: "old"), for: "token", replacing: nil)
        try scratch.put([1, 2, 3], at: scratch.path(FileName.temporary))
        try await store.write(SecretBytes(utf8: "new"), for: "token", replacing: version)
        #expect(try !scratch.names.contains(FileName.temporary))
        #expect(try await store.read("token")?.secret == SecretBytes(utf8: "new"))
    }
}
