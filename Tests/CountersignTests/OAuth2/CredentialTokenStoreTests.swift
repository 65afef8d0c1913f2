import Countersign
import Foundation
import Synchronization
import Testing

/// Tokens in a credential store in memory. `SharedTokenTests` tests the store that processes share.
@Suite(.timeLimit(.minutes(10))) struct CredentialTokenStoreTests {
    private let credentials = MemoryCredentialStore()
    private let store: CredentialTokenStore
    private let url: URL

    init() throws {
        store = CredentialTokenStore(credentials)
        url = try #require(URL(string: "https://app.example/orders"))
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
    private func token(_ text: String, expiryDate: Date? = nil) -> OAuth2Token {
        OAuth2Token(
            accessToken: text, tokenType: "Bearer", expiryDate: expiryDate, scopes: ["a", "ü"], refreshToken: "r\n\"\(text)")
    }

    @Test(arguments: [nil, 0.1 + 0.2, 1e300, -1e-300, .infinity])
    func `a token comes back as it was stored`(expiry: Double?) throws {
        let token = token("a", expiryDate: expiry.map { Date(timeIntervalSinceReferenceDate: $0) })
        try store.store(token: token, for: url)
        #expect(try store.token(for: url("https://APP.example:443/other")) == token)
        #expect(try store.token(for: url("http://app.example/orders")) == nil)
        // The token is recognised when it is to be replaced.
        #expect(try store.replaceToken(token, with: nil, for: url))
        #expect(try store.token(for: url) == nil)
    }

    @Test func `names keep tokens apart, whatever is in them`() throws {
        let names = ["", "a", "a\nhttps://app.example", "A"]
        for name in names {
            try CredentialTokenStore(credentials, name: name).store(token: token("of \(name)"), for: url)
        }
        for name in names {
            #expect(try CredentialTokenStore(credentials, name: name).token(for: url) == token("of \(name)"))
        }
    }

    @Test func `a token is replaced only if it is the one that was seen`() throws {
        #expect(try store.replaceToken(token("a"), with: token("b"), for: url) == false)
        #expect(try store.token(for: url) == nil)
        #expect(try store.replaceToken(nil, with: token("a"), for: url))
        #expect(try store.replaceToken(nil, with: token("b"), for: url) == false)
        #expect(try store.replaceToken(nil, with: nil, for: url) == false)
        #expect(try store.replaceToken(token("b"), with: nil, for: url) == false)
        #expect(try store.replaceToken(token("a"), with: token("b"), for: url))
        #expect(try store.token(for: url) == token("b"))
        #expect(try store.replaceToken(token("b"), with: nil, for: url))
        #expect(try store.replaceToken(nil, with: nil, for: url))
    }

    @Test func `a change between the read and the write is not overwritten`() throws {
        let racing = RacingStore(credentials)
        let store = CredentialTokenStore(racing)
        try store.store(token: token("a"), for: url)
        racing.interfere(once: token("c"))
        #expect(try store.replaceToken(token("a"), with: token("b"), for: url) == false)
        #expect(try store.token(for: url) == token("c"))
        // A write without a condition succeeds.
        racing.interfere(once: token("d"))
        try store.store(token: token("e"), for: url)
        #expect(try store.token(for: url) == token("e"))
    }

    @Test func `deleting and clearing`() throws {
        let other = try url("https://other.example")
        for place in [url, other] { try store.store(token: token("a"), for: place) }
        try store.deleteToken(for: url)
        try store.deleteToken(for: url)
        #expect(try store.token(for: url) == nil)
        #expect(try store.token(for: other) != nil)
        store.clear()
        #expect(try store.token(for: other) == nil)
    }

    @Test(arguments: ["app:cb", "/orders", "file:///tmp/x"]) func `an address without an origin has no token and can have none`(
        text: String
    ) async throws {
        let address = try url(text)
        #expect(try store.token(for: address) == nil)
        try store.deleteToken(for: address)
        #expect(throws: CountersignError.self) { try store.store(token: token("a"), for: address) }
        #expect(throws: CountersignError.self) { try store.replaceToken(nil, with: token("a"), for: address) }
        await #expect(throws: CountersignError.self) { try await store.withExclusiveAccess(for: address) {} }
    }

    @Test func `RT-30 what is no token is an error that quotes nothing, and can be given up`() async throws {
        let spy = RacingStore(credentials)
        let store = CredentialTokenStore(spy)
        try store.store(token: token("a"), for: url)
        let key = try #require(spy.key)
        let version = try #require(try await credentials.read(key)?.version)
        try await credentials.write(SecretBytes(utf8: #"{"access_token": "c4n4ry""#), for: key, replacing: version)
        let error = #expect(throws: CredentialStoreError.self) { try store.token(for: url) }
        #expect(error?.code == .foreign)
        #expect(error.map { "\($0)\(String(reflecting: $0))".contains("c4n4ry") } == false)
        #expect(throws: CredentialStoreError.self) { try store.replaceToken(token("a"), with: token("b"), for: url) }
        try store.deleteToken(for: url)
        #expect(try store.token(for: url) == nil)
    }

    @Test func `RT-30 neither name nor token is in a description`() throws {
        let store = CredentialTokenStore(credentials, name: "c4n4ry")
        try store.store(token: token("c4n4ry"), for: url)
        var text = "\(store)\(String(reflecting: store))\(Mirror(reflecting: store).children.map { "\($0)" })"
        dump(store, to: &text)
        #expect(text.contains("MemoryCredentialStore") && !text.contains("c4n4ry"))
    }

    @Test func `one at a time has the lock of an address, and others' are free`() async throws {
        let room = Room()
        let other = try url("https://other.example")
        let crowds = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await store.withExclusiveAccess(for: url) {
                        let count = room.enter()
                        try await store.withExclusiveAccess(for: other) { await Task.yield() }
                        room.leave()
                        return count
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(crowds == Array(repeating: 1, count: 20))
        let impatient = CredentialTokenStore(credentials, lockTimeout: .zero)
        try await store.withExclusiveAccess(for: url) {
            let error = await #expect(throws: CredentialStoreError.self) { try await impatient.withExclusiveAccess(for: url) {} }
            #expect(error?.code == .lockTimedOut)
            // The lock does not block reads, writes and deletions.
            try store.store(token: token("a"), for: url)
            try store.deleteToken(for: url)
        }
    }

    @Test func `callers that block all threads of tasks are answered nevertheless`() async throws {
        let store = CredentialTokenStore(SlowStore(credentials))
        try store.store(token: token("a"), for: url)
        let found = try await withThrowingTaskGroup(of: OAuth2Token?.self) { group in
            for _ in 0..<(4 * ProcessInfo.processInfo.activeProcessorCount) {
                group.addTask { try store.token(for: url) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(found.allSatisfy { $0 == token("a") })
    }
}

/// Counts the tasks in it.
private final class Room: Sendable {
    private let count = Mutex(0)

    func enter() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
    func leave() { count.withLock { $0 -= 1 } }
}

/// A store that another writer changes between a read and the write that follows.
private final class RacingStore: CredentialStore {
    private let base: MemoryCredentialStore
    private let state = Mutex((token: OAuth2Token?.none, key: CredentialKey?.none))

    init(_ base: MemoryCredentialStore) { self.base = base }

    /// The key of the last read.
    var key: CredentialKey? { state.withLock(\.key) }
    func interfere(once token: OAuth2Token) { state.withLock { $0.token = token } }

    func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential? {
        let found = try await base.read(key)
        let token = state.withLock { state in
            defer { state = (nil, key) }
            return state.token
        }
        if let token, let bytes = try? JSONEncoder().encode(token) {
            try await base.write(SecretBytes(bytes), for: key, replacing: found?.version)
        }
        return found
    }

    func write(
        _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialVersion { try await base.write(secret, for: key, replacing: version) }
    func delete(_ key: CredentialKey, replacing version: CredentialVersion) async throws(CredentialStoreError) {
        try await base.delete(key, replacing: version)
    }
    func discard(_ key: CredentialKey) async throws(CredentialStoreError) { try await base.discard(key) }
    func clear() async throws(CredentialStoreError) { try await base.clear() }
    func withExclusiveLock<Success: Sendable>(
        on key: CredentialKey, timeout: Duration, _ operation: @Sendable () async throws -> Success
    ) async throws -> Success { try await base.withExclusiveLock(on: key, timeout: timeout, operation) }
}

/// A store that suspends before it answers, as a store with its own threads does.
private struct SlowStore: CredentialStore {
    let base: MemoryCredentialStore

    init(_ base: MemoryCredentialStore) { self.base = base }

    func read(_ key: CredentialKey) async throws(CredentialStoreError) -> StoredCredential? {
        for _ in 0..<10 { await Task.yield() }
        return try await base.read(key)
    }

    func write(
        _ secret: SecretBytes, for key: CredentialKey, replacing version: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialVersion { try await base.write(secret, for: key, replacing: version) }
    func delete(_ key: CredentialKey, replacing version: CredentialVersion) async throws(CredentialStoreError) {
        try await base.delete(key, replacing: version)
    }
    func discard(_ key: CredentialKey) async throws(CredentialStoreError) { try await base.discard(key) }
    func clear() async throws(CredentialStoreError) { try await base.clear() }
    func withExclusiveLock<Success: Sendable>(
        on key: CredentialKey, timeout: Duration, _ operation: @Sendable () async throws -> Success
    ) async throws -> Success { try await base.withExclusiveLock(on: key, timeout: timeout, operation) }
}
