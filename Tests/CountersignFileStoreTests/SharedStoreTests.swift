import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignFileStore

/// A store that tasks, store objects and processes share.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct SharedStoreTests {
    private let scratch: ScratchFolder
    private let store: EncryptedFileStore

    init() throws {
        scratch = try ScratchFolder()
        store = scratch.open()
    }

    @Test func `RT-17 two processes renew under load, each generation once`() async throws {
        try await store.write(SecretBytes(utf8: "canary-0"), for: "token", replacing: nil)
        let processes = [try OtherProcess("renew", "150", in: scratch), try OtherProcess("renew", "150", in: scratch)]
        async let first = processes[0].end()
        async let second = processes[1].end()
        let lines = try await first + second
        let renewals = lines.compactMap { $0.hasPrefix("renewed ") ? Int($0.dropFirst("renewed ".count)) : nil }
        #expect(renewals.count == lines.count, "something else happened: \(lines.filter { !$0.hasPrefix("renewed") })")
        #expect(renewals.count >= 150)
        #expect(renewals.sorted() == Array(1...renewals.count))
        #expect(try await store.read("token")?.secret == SecretBytes(utf8: "canary-\(renewals.count)"))
        #expect(try !scratch.names.contains(FileName.temporary))
    }

    @Test func `RT-17 no update is lost among those who take no lock`() async throws {
        try await store.write(SecretBytes([]), for: "log", replacing: nil)
        let stores = [store, scratch.open()]
        try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                group.addTask {
                    let store = stores[number % 2]
                    while true {
                        let seen = try #require(try await store.read("log"))
                        do {
                            let bytes = seen.secret.bytes + [UInt8(number)]
                            try await store.write(SecretBytes(bytes), for: "log", replacing: seen.version)
                            return
                        } catch let error as CredentialStoreError where error.code == .conflict {}
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.read("log")?.secret.bytes.sorted() == Array(0..<40))
    }

    @Test func `RT-17 a holder that is killed holds up nobody`() async throws {
        let holder = try OtherProcess("hold", "token", in: scratch)
        #expect(try await holder.line() == "held")
        let error = await #expect(throws: CredentialStoreError.self) {
            try await store.withExclusiveLock(on: "token", timeout: .zero) {}
        }
        #expect(error?.code == .lockTimedOut)
        try await store.withExclusiveLock(on: "another", timeout: .zero) {}
        async let next = store.withExclusiveLock(on: "token", timeout: .seconds(60)) { "mine" }
        try await holder.kill()
        #expect(try await next == "mine")
    }

    @Test func `a lock that another process gives back is the next one's`() async throws {
        let holder = try OtherProcess("hold", "token", in: scratch)
        #expect(try await holder.line() == "held")
        async let next = store.withExclusiveLock(on: "token", timeout: .seconds(60)) { "mine" }
        #expect(try await holder.end() == ["released"])
        #expect(try await next == "mine")
    }

    @Test func `a child that this process starts does not inherit a lock`() async throws {
        let child = try await store.withExclusiveLock(on: "token", timeout: .zero) {
            let child = try OtherProcess("hold", "something else", in: scratch)
            #expect(try await child.line() == "held")
            return child
        }
        try await store.withExclusiveLock(on: "token", timeout: .zero) {}
        _ = try await child.end()
    }

    @Test func `RT-18 a writer that is killed at any moment leaves a whole value`() async throws {
        for round in 0..<12 {
            let writer = try OtherProcess("write-for-ever", "300000", in: scratch)
            #expect(try await writer.line() == "writing")
            // Reads instead of a pause, so that each round kills the process at another point of the replacement.
            for _ in 0..<round { _ = try await store.read("token") }
            try await writer.kill()
            let found = try #require(try await store.read("token"))
            #expect(found.secret.bytes.count == 300_000)
            #expect(Set(found.secret.bytes).count == 1)
        }
        let found = try #require(try await store.read("token"))
        try await store.write(SecretBytes(utf8: "after"), for: "token", replacing: found.version)
        #expect(try scratch.names.count == 3, "an entry, the marker, the lock")
    }

    @Test func `reading continues while another process hangs in a commit, and writing ends in time`() async throws {
        let version = try await store.write(SecretBytes(utf8: "one"), for: "token", replacing: nil)
        let path = scratch.store.path(percentEncoded: false)
        let hanging = try #require(try FileLock.attempt(FileName.commitLock, in: String(path.dropLast())))
        let impatient = scratch.open(commitTimeout: .milliseconds(5))
        let error = await #expect(throws: CredentialStoreError.self) {
            try await impatient.write(SecretBytes(utf8: "two"), for: "token", replacing: version)
        }
        #expect(error?.code == .lockTimedOut)
        #expect(try await impatient.read("token")?.version == version)
        hanging.release()
        try await impatient.write(SecretBytes(utf8: "two"), for: "token", replacing: version)
    }
}
