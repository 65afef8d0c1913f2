import Countersign
import CountersignAsyncHTTPClient
import CountersignFileStore
import CountersignIdentity
import CountersignTesting
import Foundation
import Synchronization
import TestTurns
import Testing

@testable import CountersignEtcdStore

/// The numbers of a server that is not trusted.
@Suite struct EtcdNumberTests {
    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "9223372036854775808", "1.5", ""])
    func `a number whose neighbour would be none is refused`(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Number.self, from: Data("\"\(text)\"".utf8)) }
    }

    @Test func `the largest and the smallest others are numbers`() throws {
        for value: Int64 in [.max - 1, .min + 1, 0] {
            #expect(try JSONDecoder().decode(Number.self, from: Data("\"\(value)\"".utf8)).value == value)
        }
    }
}

/// The store in a real etcd.
@Suite(
    .takesTurns, .timeLimit(.minutes(5)),
    .enabled(if: RunningEtcd.isInstalled, "there is no etcd here; install it, such as the packages etcd-server and etcd-client"))
struct EtcdStoreTests {
    @Test func `it keeps the contract of stores`() async throws {
        try await RunningEtcd.run { etcd in
            let configuration = etcd.configuration()
            for finding in await CredentialStoreContract(open: { try etcd.store(configuration) }).findings() {
                #expect(finding.isKept, "\(finding)")
            }
        }
    }

    private func code(_ body: () async throws -> Void) async -> CredentialStoreError.Code? {
        await #expect(throws: CredentialStoreError.self) { try await body() }?.code
    }

    /// Returns an address at which nothing listens.
    private static func unused() throws -> URL {
        let port = try ForeignProgram.freePort()
        return try #require(URL(string: "http://127.0.0.1:\(port)"))
    }

    @Test func `nothing in the cluster shows a secret or a name`() async throws {
        try await RunningEtcd.run { etcd in
            let store = try etcd.store(etcd.configuration())
            try await store.write(SecretBytes(utf8: "canary-secret"), for: "canary-name", replacing: nil)
            try await store.withExclusiveLock(on: "canary-name", timeout: .seconds(30)) {
                let all = try await etcd.control("get", "", "--prefix")
                #expect(all.contains("/countersign/test/") && all.contains("/lock/"))
                #expect(!all.contains("canary"))
            }
            // If the cluster does not end the lease in time, the lease ends by itself.
            var left = try await etcd.control("get", "", "--prefix", "--keys-only")
            for _ in 0..<300 where left.contains("/lock/") {
                try await Task.sleep(for: .milliseconds(100))
                left = try await etcd.control("get", "", "--prefix", "--keys-only")
            }
            #expect(!left.contains("/lock/"), "a lock is gone with its operation")
        }
    }

    @Test func `landscapes and tenants are apart, and a value of another tenant is none of this one's`() async throws {
        try await RunningEtcd.run { etcd in
            let one = EtcdConfiguration(endpoints: [etcd.endpoint], landscape: "SAP/Mobile", tenant: "a b")
            #expect(one.prefix == "/countersign/SAP%2FMobile/a%20b/")
            var same = one
            same.prefix = String(one.prefix.dropLast())
            let other = EtcdConfiguration(endpoints: [etcd.endpoint], landscape: "SAP/Mobile", tenant: "other")
            try await etcd.store(one).write(SecretBytes(utf8: "1"), for: "name", replacing: nil)
            #expect(try await etcd.store(other).read("name") == nil)
            #expect(try await etcd.store(same).read("name")?.secret == SecretBytes(utf8: "1"))
            try await etcd.store(other).write(SecretBytes(utf8: "2"), for: "name", replacing: nil)
            // With the same store key the name is the same, and a client that may write to the cluster can copy the entry.
            let names = try await etcd.control("get", "/countersign", "--prefix", "--keys-only").split(separator: "\n").map(
                String.init)
            let entry = try #require(names.first { $0.contains("/other/credential/") })
            let stranger = entry.replacing("/other/", with: "/a%20b/")
            let value = try await etcd.value(of: stranger)
            try await etcd.put(value, at: entry)
            #expect(await code { _ = try await etcd.store(other).read("name") } == .corrupt)
            #expect(
                await code { try await etcd.store(other).write(SecretBytes(utf8: "x"), for: "name", replacing: nil) } == .corrupt)
            #expect(try await etcd.value(of: entry) == value, "nothing was overwritten")
            // The copied entry is also refused with the marker of the store's key copied beside it.
            try await etcd.put(try await etcd.value(of: "\(one.prefix)store"), at: "\(other.prefix)store")
            #expect(await code { _ = try await etcd.store(other).read("name") } == .corrupt)
        }
    }

    @Test func `a torn entry, a newer version, another program's and another key's are distinguished, and kept`() async throws {
        try await RunningEtcd.run { etcd in
            let configuration = etcd.configuration(prefix: "/p/")
            let store = try etcd.store(configuration)
            try await store.write(SecretBytes(utf8: "1"), for: "name", replacing: nil)
            #expect(await code { _ = try await etcd.store(configuration, key: 2).read("name") } == .wrongKey)
            let names = try await etcd.control("get", "/p/credential/", "--prefix", "--keys-only").split(separator: "\n")
            let name = String(try #require(names.first))
            let whole = try await etcd.value(of: name)
            var newer = whole
            newer[13] = 9
            let cases: [([UInt8], CredentialStoreError.Code)] = [
                (Array(whole.dropLast()), .corrupt), (Array(whole.prefix(5)), .corrupt), ([], .corrupt),
                (newer, .unsupportedFormat),
                (Array("something of another program's".utf8), .foreign),
            ]
            for (bytes, expected) in cases {
                try await etcd.put(bytes, at: name)
                #expect(await code { _ = try await store.read("name") } == expected)
                #expect(await code { try await store.write(SecretBytes(utf8: "2"), for: "name", replacing: nil) } == expected)
                #expect(try await etcd.value(of: name) == bytes)
            }
            try await etcd.put(whole, at: name)
            #expect(try await store.read("name")?.secret == SecretBytes(utf8: "1"))
            try await etcd.control("del", "/p/store")
            #expect(await code { _ = try await store.read("name") } == .storeDamaged)
            try await store.clear()
            #expect(try await store.read("name") == nil)
        }
    }

    @Test func `a full cluster takes nothing more, and has the old value`() async throws {
        try await RunningEtcd.run(.init(quota: 64 << 10)) { etcd in
            let store = try etcd.store(etcd.configuration())
            let version = try await store.write(SecretBytes(utf8: "old"), for: "name", replacing: nil)
            let seen = await code {
                // etcd checks its size when it commits, ten times a second.
                for _ in 0..<100 {
                    try await store.write(
                        SecretBytes([UInt8](repeating: 0, count: 32 << 10)), for: CredentialKey("\(UUID())"), replacing: nil)
                    try await Task.sleep(for: .milliseconds(30))
                }
            }
            #expect(seen == .noSpace)
            #expect(await code { try await store.write(SecretBytes(utf8: "new"), for: "name", replacing: version) } == .noSpace)
            #expect(try await store.read("name")?.version == version)
        }
    }

    @Test func `a revision that was compacted away is no obstacle`() async throws {
        try await RunningEtcd.run { etcd in
            let store = try etcd.store(etcd.configuration())
            let version = try await store.write(SecretBytes(utf8: "1"), for: "name", replacing: nil)
            let waiting = Task { try await store.waitForChange(of: "name", from: version) }
            for _ in 0..<20 { try await etcd.control("put", "else", "x") }
            try await etcd.control("compaction", "20")
            try await store.write(SecretBytes(utf8: "2"), for: "name", replacing: version)
            try await waiting.value
        }
    }

    @Test func `users sign in by the landscape Etcd, over TLS, again after the cluster began anew`() async throws {
        let authority = try MockCertificateAuthority()
        try await RunningEtcd.run(.init(authority: authority)) { etcd in
            for arguments in [
                ["user", "add", "root:wonderland"], ["user", "grant-role", "root", "root"], ["role", "add", "tokens"],
                ["role", "grant-permission", "tokens", "readwrite", "/p/", "--prefix=true"], ["user", "add", "alice:wonderland"],
                ["user", "grant-role", "alice", "tokens"], ["user", "add", "mallory:wonderland"], ["auth", "enable"],
            ] { try await etcd.control(arguments) }
            var configuration = etcd.configuration(prefix: "/p/")
            #expect(await code { _ = try await etcd.store(configuration, trusting: authority).read("name") } == .notPermitted)
            configuration.user = .init(name: "alice", password: SecretBytes(utf8: "wrong"))
            #expect(await code { _ = try await etcd.store(configuration, trusting: authority).read("name") } == .notPermitted)
            configuration.user = .init(name: "mallory", password: SecretBytes(utf8: "wonderland"))
            #expect(await code { _ = try await etcd.store(configuration, trusting: authority).read("name") } == .notPermitted)
            configuration.user = .init(name: "alice", password: SecretBytes(utf8: "wonderland"))
            let store = try etcd.store(configuration, trusting: authority)
            let version = try await store.write(SecretBytes(utf8: "1"), for: "name", replacing: nil)
            etcd.stop()
            try await etcd.start()
            #expect(try await store.read("name")?.version == version)
            try await store.withExclusiveLock(on: "name", timeout: .seconds(30)) {}
            // The system does not trust this authority.
            #expect(await code { _ = try await etcd.store(configuration).read("name") } == .notPermitted)
        }
    }

    @Test func `a cluster that demands certificates gets one`() async throws {
        let authority = try MockCertificateAuthority()
        try await RunningEtcd.run(.init(authority: authority, demandsCertificates: true)) { etcd in
            var configuration = etcd.configuration()
            configuration.patience = .seconds(2)
            let refused = await code { _ = try await etcd.store(configuration, trusting: authority).read("name") }
            #expect(refused == .notPermitted || refused == .unavailable)
            configuration.patience = .seconds(60)
            configuration.identity = try authority.identity(for: "alice").connectionIdentity
            let store = try etcd.store(configuration, trusting: authority)
            try await store.write(SecretBytes(utf8: "1"), for: "name", replacing: nil)
            #expect(try await store.read("name")?.secret == SecretBytes(utf8: "1"))
        }
    }

    @Test func `a member that is gone is passed over, and so is one that says nothing`() async throws {
        let silent = try SilentListener()
        defer { silent.close() }
        try await RunningEtcd.run { etcd in
            let gone = try Self.unused()
            var configuration = etcd.configuration()
            configuration.endpoints = [gone, silent.url, etcd.endpoint]
            // The member that answers must not be taken for one that says nothing.
            configuration.requestTimeout = .seconds(10)
            configuration.patience = .seconds(60)
            let store = try etcd.store(configuration)
            try await store.write(SecretBytes(utf8: "1"), for: "name", replacing: nil)
            try await store.withExclusiveLock(on: "name", timeout: .seconds(60)) {}
            // The endpoint that answered is tried first from then on.
            #expect(silent.accept() == 1)
        }
    }

    @Test func `a cluster of three goes on without any one of them, locks and watches too`() async throws {
        try await RunningEtcd.runThree { members in
            var configuration = members[0].configuration()
            configuration.endpoints = members.map(\.endpoint)
            configuration.requestTimeout = .seconds(2)
            configuration.patience = .seconds(120)
            configuration.lockLifetime = .seconds(60)
            let store = try members[0].store(configuration)
            var version = try await store.write(SecretBytes(utf8: "0"), for: "name", replacing: nil)
            for (number, member) in members.enumerated() {
                let waiting = Task { [version] in
                    while try await store.read("name")?.version == version {
                        try await store.waitForChange(of: "name", from: version)
                    }
                }
                version = try await store.withExclusiveLock(on: "renewal", timeout: .seconds(120)) { [version] in
                    member.stop()
                    return try await store.write(SecretBytes(utf8: "\(number)"), for: "name", replacing: version)
                }
                try await waiting.value
                try await member.start()
            }
            #expect(try await store.read("name")?.version == version)
        }
    }

    @Test func `a cluster that is gone is named by the error, within the time`() async throws {
        let gone = try Self.unused()
        var configuration = EtcdConfiguration(endpoints: [gone], landscape: "L")
        configuration.patience = .milliseconds(300)
        let store = try EtcdCredentialStore(configuration, key: .random(), transport: AsyncHTTPClientTransport())
        let error = await #expect(throws: CredentialStoreError.self) { try await store.read("name") }
        #expect(error?.code == .unavailable)
        #expect(error?.detail.contains("etcd") == true && error?.path == Origin(gone)?.description)
        #expect(await code { try await store.withExclusiveLock(on: "name", timeout: .milliseconds(300)) {} } == .unavailable)
    }

    @Test func `a server that is no etcd is an error of its own`() async throws {
        try await MockAuthorizationServer.run { server in
            var configuration = EtcdConfiguration(endpoints: [server.baseURL], landscape: "L")
            configuration.requestTimeout = .seconds(60)
            configuration.patience = .seconds(60)
            let store = try EtcdCredentialStore(configuration, key: .random(), transport: AsyncHTTPClientTransport())
            #expect(await code { _ = try await store.read("name") } == .foreign)
        }
    }

    @Test func `plain http to another machine is refused, and so is an address of nothing`() throws {
        for (text, expected) in [
            ("http://etcd.example:2379", CredentialStoreError.Code.unsafe), ("ftp://etcd.example", .unavailable),
            ("", .unavailable),
        ] {
            let endpoints = URL(string: text).map { [$0] } ?? []
            let configuration = EtcdConfiguration(endpoints: endpoints, landscape: "L")
            let error = #expect(throws: CredentialStoreError.self) {
                try EtcdCredentialStore(configuration, key: .random(), transport: AsyncHTTPClientTransport())
            }
            #expect(error?.code == expected)
        }
    }

    // MARK: Locks

    @Test func `a lock outlives what its holder does, however long, and the lease of one that is gone ends`() async throws {
        try await RunningEtcd.run { etcd in
            var configuration = etcd.configuration()
            configuration.lockLifetime = .seconds(15)
            let store = try etcd.store(configuration)
            let other = try etcd.store(configuration)
            let isEntered = Flag()
            try await store.withExclusiveLock(on: "name", timeout: .seconds(120)) {
                let waiting = Task {
                    try await other.withExclusiveLock(on: "name", timeout: .seconds(120)) { isEntered.raise() }
                }
                // Twice the time of a lease that is not kept alive.
                try await Task.sleep(for: .seconds(31))
                #expect(!isEntered.isRaised)
                // A cluster that stops for less than the time of a lease ends no lease.
                etcd.pause()
                try await Task.sleep(for: .milliseconds(500))
                etcd.resume()
                try await store.write(SecretBytes(utf8: "1"), for: "name", replacing: nil)
                #expect(!isEntered.isRaised)
                _ = waiting
            }
            try await other.withExclusiveLock(on: "name", timeout: .seconds(120)) {}
            #expect(isEntered.isRaised)
        }
    }

    @Test func `a holder that has lost the lock to another one cannot write, and can if there is no other one`() async throws {
        try await RunningEtcd.run { etcd in
            let configuration = etcd.configuration(prefix: "/p/")
            let store = try etcd.store(configuration)
            let other = try etcd.store(configuration)
            let first = try await store.write(SecretBytes(utf8: "1"), for: "name", replacing: nil)
            let second = try await store.withExclusiveLock(on: "renewal", timeout: .seconds(30)) {
                // As if the lease had expired.
                try await etcd.control("del", "/p/lock/", "--prefix")
                return try await store.write(SecretBytes(utf8: "2"), for: "name", replacing: first)
            }
            try await store.withExclusiveLock(on: "renewal", timeout: .seconds(30)) {
                try await etcd.control("del", "/p/lock/", "--prefix")
                try await other.withExclusiveLock(on: "renewal", timeout: .seconds(30)) {
                    #expect(
                        await code { try await store.write(SecretBytes(utf8: "x"), for: "name", replacing: second) } == .lockLost)
                    try await other.write(SecretBytes(utf8: "3"), for: "name", replacing: second)
                }
            }
            #expect(try await store.read("name")?.secret == SecretBytes(utf8: "3"))
        }
    }

    @Test func `an uncontended renewal takes the cluster six requests`() async throws {
        try await RunningEtcd.run { etcd in
            // No lease is kept alive, and no request is sent again, within the time of the test.
            var configuration = etcd.configuration()
            configuration.lockLifetime = .seconds(300)
            configuration.requestTimeout = .seconds(60)
            let store = try etcd.store(configuration)
            try await store.write(SecretBytes(utf8: "1"), for: "name", replacing: nil)
            let before = try await etcd.requests()
            try await store.withExclusiveLock(on: "renewal", timeout: .seconds(30)) {
                let current = try #require(try await store.read("name"))
                try await store.write(SecretBytes(utf8: "2"), for: "name", replacing: current.version)
            }
            // The grant of a lease, the lock, a read, another read before the write, the write, and the revocation of the lease.
            #expect(try await etcd.requests() - before == 6)
        }
    }
}

/// A flag that a test raises when something has happened.
private final class Flag: Sendable {
    private let flag = Mutex(false)

    var isRaised: Bool { flag.withLock { $0 } }

    func raise() { flag.withLock { $0 = true } }
}

extension RunningEtcd {
    /// Returns the bytes of a key.
    fileprivate func value(of key: String) async throws -> [UInt8] {
        struct Answer: Decodable {
            struct Value: Decodable { let value: Data? }
            let kvs: [Value]
        }
        let text = try await control("get", key, "--write-out", "json")
        return Array(try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).kvs.first?.value ?? Data())
    }

    /// Stores bytes by the gateway, because etcd's own client accepts text only.
    fileprivate func put(_ bytes: [UInt8], at key: String) async throws {
        let body = try JSONEncoder().encode(["key": Data(key.utf8), "value": Data(bytes)])
        try await PlainClient.post(body, to: endpoint.appending(path: "v3/kv/put"))
    }
}
