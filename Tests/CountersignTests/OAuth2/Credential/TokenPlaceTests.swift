import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// The origins that receive a token, and those that do not.
@Suite("The origin of a token", .timeLimit(.minutes(10)))
struct TokenOriginTests {
    private static func redirecting(to location: String, _ server: TokenServer) -> ScriptedTransport.Script {
        { sent in sent.path == "/moved" ? .redirect(to: location) : server.answer(sent) }
    }

    @Test(arguments: ["https://evil.example/data", "https://api.example:8443/data", "https://sub.api.example/data"])
    func `RT-31 another origin that a redirect leads to gets no token, not even for a challenge`(target: String) async throws {
        let server = TokenServer()
        let bench = try TokenBench(server, store: OneTokenForAll(), script: Self.redirecting(to: target, server))
        try await bench.get()
        let response = try await bench.session.send(.to(TokenBench.origin + "/moved"))
        #expect(response.head.status == .unauthorized)
        #expect(bench.transport.sent.last?["Authorization"] == nil)
        #expect(server.obtained == 1)
    }

    @Test func `RT-31 the same origin keeps its token after a redirect`() async throws {
        let server = TokenServer()
        let bench = try TokenBench(server, script: Self.redirecting(to: "https://API.example:443/data", server))
        try await bench.get()
        #expect(try await bench.get(TokenBench.origin + "/moved") == "data")
        #expect(bench.transport.sent.last?["Authorization"] == "Bearer access1")
    }

    @Test func `B15 an access token is in the Authorization field and nowhere else`() async throws {
        let server = TokenServer()
        let bench = try TokenBench(server, script: Self.redirecting(to: "/data?page=2", server))
        for _ in 0..<2 {
            try await bench.get()
            try await bench.get(TokenBench.origin + "/moved?page=1")
            server.expire()
        }
        let tokens = ["access1", "access3"]
        #expect(Set(bench.transport.sent.compactMap { $0["Authorization"] }) == Set(tokens.map { "Bearer \($0)" }))
        for sent in bench.transport.sent {
            var elsewhere = [sent.url.absoluteString, String(decoding: try await sent.body(), as: UTF8.self)]
            elsewhere += sent.request.head.headerFields.filter { $0.name != .authorization }.map(\.value)
            for token in tokens { #expect(!elsewhere.contains { $0.contains(token) }, "\(elsewhere)") }
        }
    }

    @Test func `an origin that is named as protected gets its token after a redirect, too`() async throws {
        let server = TokenServer()
        let bench = try TokenBench(
            server, protecting: ["https://data.example"], script: Self.redirecting(to: "https://data.example/data", server))
        #expect(try await bench.get(TokenBench.origin + "/moved") == "data")
        #expect(try bench.store.token(for: try #require(URL(string: "https://data.example/"))) != nil)
    }

    @Test func `a request with a field of the caller's own is left alone`() async throws {
        let bench = try TokenBench()
        let response = try await bench.session.send(
            .to(TokenBench.origin + "/data", fields: [("Authorization", "Basic eA==")]))
        #expect(response.head.status == .unauthorized)
        #expect(bench.server.obtained == 0)
        #expect(bench.transport.sent.map { $0["Authorization"] } == ["Basic eA=="])
    }

    @Test func `a server that would get the token unencrypted gets none`() async throws {
        let bench = try TokenBench()
        await expectError(.insecureDestination) { _ = try await bench.session.send(.to("http://api.example/data")) }
        #expect(bench.server.obtained == 0)
        #expect(bench.transport.sent.map { $0["Authorization"] } == [nil])
    }

    @Test func `RT-05 a request of the authentication itself does not wait for it`() async throws {
        let server = TokenServer(isInteractive: false)
        let bench = try TokenBench(server)
        server.conduct { _ in
            let response = try await bench.session.send(.to(TokenBench.origin + "/token"))
            #expect(response.head.status == .unauthorized)
        }
        #expect(try await bench.get() == "data")
    }
}

/// Tokens in a store.
@Suite("Stored tokens", .timeLimit(.minutes(10)))
struct StoredTokenTests {
    @Test func `a token from the store is attached before anything is sent`() async throws {
        let bench = try TokenBench()
        try bench.keepToken()
        #expect(try await bench.get() == "data")
        #expect(bench.transport.sent.count == 1)
    }

    @Test func `RT-17 a token that another process has stored is taken over instead of renewing`() async throws {
        let bench = try TokenBench()
        try await bench.get()
        bench.server.expire()
        try bench.keepToken()
        #expect(try await bench.get() == "data")
        #expect(bench.server.renewed == 0)
    }

    @Test func `RT-17 of two with one access token, the refresh token in the store is sent`() async throws {
        let bench = try TokenBench()
        try bench.keepToken(endingIn: 5)
        #expect(try await bench.get() == "data")
        try bench.store.store(
            token: OAuth2Token(accessToken: "access0", tokenType: "Bearer", refreshToken: "other"), for: bench.url)
        bench.clock.advance(by: .seconds(10))
        #expect(try await bench.get() == "data")
        #expect(bench.server.used == ["other"])
    }

    @Test func `RT-17 a refresh token that another process has used up is not the end if its successor is in the store`()
        async throws
    {
        let bench = try TokenBench()
        try bench.keepToken(endingIn: -1)
        bench.server.conduct { _ in
            // Another token is stored between the read of the store and the server's response.
            bench.server.expire()
            try bench.keepToken()
            throw OAuth2TokenFailure.server("invalid_grant")
        }
        #expect(try await bench.get() == "data")
        #expect(bench.server.renewed == 1)
        #expect(bench.events.count(.expired) == 0)
    }

    @Test func `RT-19 a token that cannot be stored is used, and stored later`() async throws {
        let store = StubbornStore()
        let bench = try TokenBench(store: store)
        store.fail(true)
        #expect(try await bench.get() == "data")
        #expect(bench.events.count(.notStored) == 1)
        store.fail(false)
        #expect(try await bench.get() == "data")
        #expect(store.stored == 0)
        bench.clock.advance(by: .seconds(30))
        #expect(try await bench.get() == "data")
        await store.storing.pass()
        #expect(try store.token(for: bench.url)?.accessToken == "access1")
    }

    @Test func `RT-17 a logout in another process is not undone by a renewal that was under way`() async throws {
        let store = CredentialTokenStore(MemoryCredentialStore.patient())
        let bench = try TokenBench(store: store)
        try bench.keepToken(endingIn: -1)
        bench.server.expire()
        bench.server.conduct { _ in try store.deleteToken(for: bench.url) }
        #expect(try await bench.get() == "data")
        #expect(bench.server.renewed == 1)
        #expect(try store.token(for: bench.url) == nil)
    }

    @Test func `RT-19 a renewed token that is stored late replaces the one it was renewed from, and no other`() async throws {
        for isOvertaken in [false, true] {
            let store = StubbornSharedStore()
            let bench = try TokenBench(store: store)
            try bench.keepToken(endingIn: -1)
            bench.server.expire()
            store.fail(true)
            #expect(try await bench.get() == "data")
            #expect(bench.events.count(.notStored) == 1)
            store.fail(false)
            let other = OAuth2Token(accessToken: "other", tokenType: "Bearer")
            if isOvertaken { try store.store(token: other, for: bench.url) }
            bench.clock.advance(by: .seconds(30))
            #expect(try await bench.get() == "data")
            await store.replacing.pass()
            #expect(try store.token(for: bench.url)?.accessToken == (isOvertaken ? "other" : "access2"))
        }
    }

    @Test func `RT-19 of two tokens that could not be stored the newer one is stored later, the older one never`() async throws {
        let store = SlowStore(slow: "access2")
        let bench = try TokenBench(TokenServer(lifetime: .seconds(32)), store: store)
        #expect(try await bench.get() == "data")
        #expect(bench.events.count(.notStored) == 1)
        bench.server.allowFormer()
        bench.clock.advance(by: .seconds(29))
        // The token is renewed in the background. The store is about to fail for the new token, which no request carries yet.
        #expect(try await bench.get() == "data")
        await store.storing.pass()
        store.fail()
        await bench.events.wait(for: .authenticated(Generation(2)))
        #expect(bench.events.count(.notStored) == 2)
        bench.server.conduct { _ in throw OAuth2TokenFailure.status(503) }
        bench.clock.advance(by: .seconds(30))
        // Both tokens are due to be stored again, and the store accepts every token now.
        #expect(try await bench.get() == "data")
        await store.stored.pass()
        #expect(store.given == ["access1", "access2", "access2"])
        #expect(try store.token(for: bench.url)?.accessToken == "access2")
    }

    @Test func `what is damaged in the store is replaced by the next login`() async throws {
        let credentials = MemoryCredentialStore.patient()
        let store = CredentialTokenStore(credentials)
        let key = CredentialKey("OAuth 2.0 token\n\n\(TokenBench.origin)")
        try await credentials.write(SecretBytes(utf8: "no token"), for: key, replacing: nil)
        let bench = try TokenBench(store: store)
        #expect(try await bench.get() == "data")
        #expect(bench.events.count(.damaged) == 1)
        #expect(bench.server.obtained == 1)
        #expect(try store.token(for: bench.url)?.accessToken == "access1")
    }

    @Test func `what was damaged while a token was held is replaced by its renewal`() async throws {
        let credentials = MemoryCredentialStore.patient()
        let store = CredentialTokenStore(credentials)
        let bench = try TokenBench(store: store)
        #expect(try await bench.get() == "data")
        let key = CredentialKey("OAuth 2.0 token\n\n\(TokenBench.origin)")
        let version = try await credentials.read(key)?.version
        try await credentials.write(SecretBytes(utf8: "no token"), for: key, replacing: version)
        bench.server.expire()
        #expect(try await bench.get() == "data")
        #expect(bench.server.renewed == 1)
        #expect(bench.events.count(.notStored) == 0)
        #expect(try store.token(for: bench.url)?.accessToken == "access3")
    }

    @Test func `a token that a logout could not delete is not used again, and deleted later`() async throws {
        let store = StubbornStore()
        let bench = try TokenBench(store: store, script: { _ in .text("open") })
        try bench.keepToken()
        #expect(try await bench.get() == "open")
        store.fail(true)
        bench.session.endSession()
        #expect(try await bench.get() == "open")
        #expect(bench.transport.sent.map { $0["Authorization"] } == ["Bearer access0", nil])
        // The deletion runs concurrently with the requests, and must have failed before the store works again.
        while bench.events.count(.notStored) == 0 { await Task.yield() }
        store.fail(false)
        #expect(try store.token(for: bench.url) != nil)
        bench.clock.advance(by: .seconds(30))
        #expect(try await bench.get() == "open")
        await store.deleting.pass()
        #expect(try store.token(for: bench.url) == nil)
        #expect(bench.events.count(.notStored) == 1)
    }

    @Test func `a token that a logout could not delete is not taken over by the next login either`() async throws {
        let store = StubbornStore()
        let bench = try TokenBench(store: store)
        #expect(try await bench.get() == "data")
        store.failDeleting()
        bench.session.endSession()
        #expect(try await bench.get() == "data")
        #expect(bench.server.obtained == 2)
        #expect(try store.token(for: bench.url)?.accessToken == "access2")
    }

    @Test func `a token that a logout could not delete is not taken for another process's once the next one is stored late`()
        async throws
    {
        let store = StubbornStore()
        let bench = try TokenBench(store: store)
        try bench.keepToken()
        #expect(try await bench.get() == "data")
        store.fail(true)
        bench.session.endSession()
        #expect(try await bench.get() == "data")
        #expect(bench.server.obtained == 1)
        store.fail(false)
        store.failDeleting()
        bench.clock.advance(by: .seconds(30))
        #expect(try await bench.get() == "data")
        // The save runs beside the request.
        try await awaitCondition { bench.session.state.withLock { $0.savesUnderWay } == 0 }
        // The store is called in order, so both attempts have been made when this returns.
        await #expect(throws: CountersignError.self) { try await bench.observer.forget(at: nil, in: bench.session) }
        bench.server.expire()
        let sends = bench.transport.sent.count
        #expect(try await bench.get() == "data")
        #expect(!bench.transport.sent[sends...].contains { $0["Authorization"] == "Bearer access0" })
        #expect(bench.server.used == ["refresh1"])
    }

    @Test func `an origin that is first asked after a logout does not get what the store has for it`() async throws {
        let bench = try TokenBench()
        try bench.keepToken()
        bench.session.endSession()
        #expect(try await bench.get() == "data")
        #expect(bench.server.obtained == 1)
    }

    @Test func `a store that cannot be read is an error of the request, not a login`() async throws {
        let store = StubbornStore()
        store.failReading()
        let bench = try TokenBench(store: store)
        await #expect(throws: StubbornStore.Full.self) { try await bench.get() }
        #expect(bench.server.obtained == 0)
        #expect(bench.transport.sent.isEmpty)
    }

    @Test func `a logout deletes the token, and a renewal that is under way does not bring it back`() async throws {
        let bench = try TokenBench()
        let gate = Gate()
        let request = try await bench.beginRenewal(heldBy: gate)
        bench.session.endSession()
        await #expect(throws: CountersignError.self) { try await request.value }
        bench.server.conduct { _ in }
        gate.open()
        // The response for the previous user arrives, and invalidates the tokens that this server issued before.
        while bench.server.token().accessToken != "access2" { await Task.yield() }
        #expect(try await bench.get() == "data")
        #expect(bench.server.obtained == 1)
        #expect(try bench.store.token(for: bench.url)?.accessToken == "access3")
        #expect(
            bench.transport.sent.first { $0["Authorization"] != nil }?["Authorization"]
                == bench.transport.sent.last?["Authorization"])
    }

    @Test func `taking the observer off the session leaves the stored token where it is`() async throws {
        let bench = try TokenBench()
        try await bench.get()
        bench.session.unregister(bench.observer)
        #expect(try bench.store.token(for: bench.url) != nil)
        bench.session.register(bench.observer)
        #expect(try await bench.get() == "data")
        #expect(bench.server.obtained == 1)
    }

    @Test(arguments: EndDuringRenewal.allCases)
    func `a renewal during which the observer is unregistered is stored, unless the user has logged out`(
        end: EndDuringRenewal
    ) async throws {
        let bench = try TokenBench()
        let gate = Gate()
        let request = try await bench.beginRenewal(heldBy: gate)
        bench.session.unregister(bench.observer)
        _ = await request.result
        switch end {
        case .unregistration: break
        case .logout:
            bench.session.register(bench.observer)
            bench.session.endSession()
        case .logoutElsewhere: try bench.store.deleteToken(for: bench.url)
        case .loginElsewhere:
            try bench.store.store(token: OAuth2Token(accessToken: "other", tokenType: "Bearer"), for: bench.url)
        }
        bench.server.conduct { _ in }
        gate.open()
        await bench.session.invalidate(cancelling: false)
        let stored = try bench.store.token(for: bench.url)?.accessToken
        #expect(stored == end.stored)
        guard end == .unregistration else { return }
        let next = try TokenBench(bench.server, store: bench.store)
        #expect(try await next.get() == "data")
        #expect(bench.server.used == ["refresh0"])
    }

    @Test func `a store that never answers fails the request at the time limit of an authentication`() async throws {
        let store = SilentStore()
        defer { store.answer() }
        let bench = try TokenBench(store: store)
        let request = Task { try await bench.get() }
        await store.reading.pass()
        while !bench.clock.isAwaited { await Task.yield() }
        bench.clock.advance(by: .seconds(60))
        await expectError(.timedOut) { _ = try await request.value }
        #expect(bench.transport.sent.isEmpty)
    }

    @Test func `a request that waits for its store ends when the session is invalidated`() async throws {
        let store = SilentStore()
        defer { store.answer() }
        let bench = try TokenBench(store: store)
        let request = Task { try await bench.get() }
        await store.reading.pass()
        await bench.session.invalidate(cancelling: true)
        let result = await ending(of: request)
        #expect((#expect(throws: CountersignError.self) { try result.get() })?.code == .sessionInvalidated)
    }
}

/// An event that ends the use of an observer while it renews a token.
enum EndDuringRenewal: CaseIterable, Sendable {
    case unregistration, logout, logoutElsewhere, loginElsewhere

    /// The access token that is in the store afterwards.
    var stored: String? {
        switch self {
        case .unregistration: "access2"
        case .logout, .logoutElsewhere: nil
        case .loginElsewhere: "other"
        }
    }
}

/// A store that answers no read until the test ends.
private final class SilentStore: OAuth2TokenStore {
    private let pause = DispatchSemaphore(value: 0)
    /// Opens when a read has begun.
    let reading = Gate()

    /// Lets the blocked read end.
    func answer() { pause.signal() }

    func store(token: OAuth2Token, for url: URL) {}
    func token(for url: URL) -> OAuth2Token? {
        reading.open()
        pause.wait()
        return nil
    }
    func deleteToken(for url: URL) {}
}

/// A store as an application may implement it, which ignores the URL.
private final class OneTokenForAll: OAuth2TokenStore {
    private let held = Mutex<OAuth2Token?>(nil)
    func store(token: OAuth2Token, for url: URL) { held.withLock { $0 = token } }
    func token(for url: URL) -> OAuth2Token? { held.withLock { $0 } }
    func deleteToken(for url: URL) { held.withLock { $0 = nil } }
}

/// A store that fails on demand.
final class StubbornStore: OAuth2TokenStore {
    struct Full: Error {}
    private let memory = MemoryTokenStore()
    private let state = Mutex((writing: false, reading: false, deleting: false, stored: 0, read: 0))
    /// Opens when a token was deleted.
    let deleting = Gate()
    /// Opens when a token was stored.
    let storing = Gate()

    var stored: Int { state.withLock(\.stored) }
    var read: Int { state.withLock(\.read) }
    func fail(_ fails: Bool) { state.withLock { $0.writing = fails } }
    func failDeleting() { state.withLock { $0.deleting = true } }
    func failReading() { state.withLock { $0.reading = true } }

    func store(token: OAuth2Token, for url: URL) throws {
        guard !state.withLock(\.writing) else { throw Full() }
        try memory.store(token: token, for: url)
        state.withLock { $0.stored += 1 }
        storing.open()
    }

    func token(for url: URL) throws -> OAuth2Token? {
        guard !state.withLock(\.reading) else { throw Full() }
        defer { state.withLock { $0.read += 1 } }
        return memory.token(for: url)
    }

    func deleteToken(for url: URL) throws {
        guard !state.withLock({ $0.writing || $0.deleting }) else { throw Full() }
        memory.deleteToken(for: url)
        deleting.open()
    }
}

/// A store that fails until the first attempt with a certain token, which lasts until the test continues. After that it accepts
/// everything.
private final class SlowStore: OAuth2TokenStore {
    struct Full: Error {}
    private let memory = MemoryTokenStore()
    private let state = Mutex((given: [String](), isHealed: false))
    private let slow: String
    private let pause = DispatchSemaphore(value: 0)
    /// Opens when the slow token arrives.
    let storing = Gate()
    /// Opens when a token was stored.
    let stored = Gate()

    init(slow: String) { self.slow = slow }

    /// The access tokens that it received to store, in order.
    var given: [String] { state.withLock(\.given) }

    /// Makes the attempt with the slow token fail.
    func fail() { pause.signal() }

    func store(token: OAuth2Token, for url: URL) throws {
        let isHealed = state.withLock { state in
            state.given.append(token.accessToken)
            return state.isHealed
        }
        guard isHealed else {
            guard token.accessToken == slow else { throw Full() }
            storing.open()
            pause.wait()
            state.withLock { $0.isHealed = true }
            throw Full()
        }
        try memory.store(token: token, for: url)
        stored.open()
    }

    func token(for url: URL) throws -> OAuth2Token? { memory.token(for: url) }
    func deleteToken(for url: URL) { memory.deleteToken(for: url) }
}

/// A store with locks that fails to store on demand.
final class StubbornSharedStore: SharedTokenStore {
    struct Full: Error {}
    private let base = CredentialTokenStore(MemoryCredentialStore.patient())
    private let fails = Mutex(false)
    /// Opens when a replacement was requested and did not fail.
    let replacing = Gate()

    func fail(_ fails: Bool) { self.fails.withLock { $0 = fails } }

    func replaceToken(_ old: OAuth2Token?, with new: OAuth2Token?, for url: URL) throws -> Bool {
        guard !fails.withLock({ $0 }) else { throw Full() }
        defer { replacing.open() }
        return try base.replaceToken(old, with: new, for: url)
    }

    func withExclusiveAccess<Result: Sendable>(
        for url: URL, _ work: @Sendable () async throws -> Result
    ) async throws -> Result { try await base.withExclusiveAccess(for: url, work) }
    func store(token: OAuth2Token, for url: URL) throws {
        guard !fails.withLock({ $0 }) else { throw Full() }
        try base.store(token: token, for: url)
    }
    func token(for url: URL) throws -> OAuth2Token? { try base.token(for: url) }
    func deleteToken(for url: URL) throws { try base.deleteToken(for: url) }
}
