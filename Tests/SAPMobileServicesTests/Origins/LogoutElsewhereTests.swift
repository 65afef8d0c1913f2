import Countersign
import Foundation
import SAPMobileServices
import Synchronization
import TestTurns
import Testing

private let (api, other) = (ScriptedServers.api, ScriptedServers.other)

private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

/// The effect of a logout on the tokens of servers that received no request before it.
@Suite("Tokens after a logout", .takesTurns, .timeLimit(.minutes(10)))
struct LogoutElsewhereTests {
    private static func servers() -> ScriptedServers {
        let issued = Mutex(0)
        return ScriptedServers { sent in
            guard sent.path.hasSuffix("/token") else { return sent["Authorization"] == nil ? .bearer : .data }
            return .token("t\(issued.withLock { $0 += 1; return $0 })")
        }
    }

    private static let foreign = OAuth2Token(accessToken: "foreign", tokenType: "Bearer")

    @Test func `M7 RT-16 what a shared store has for a server that was not asked before the logout is neither used nor deleted`()
        async throws
    {
        let servers = Self.servers()
        let session = servers.session()
        let store = DeletionLog()
        session.register(servers.tokenObserver(try ScriptedServers.parameters, keepingIn: store, protecting: .anywhere))
        #expect(try await session.status("\(api)/data") == 200)
        session.endSession()
        // The token may come from a login of another process, or from an earlier login of the user who has logged out. The
        // session cannot tell them apart.
        try store.store(token: Self.foreign, for: url("\(other)/"))
        #expect(try await session.status("\(other)/data") == 200)
        #expect(servers.sent(to: other).map { $0["Authorization"] } == [nil, "Bearer t2"])
        // The token of this login was stored. The store's queue does that after all earlier operations, so no deletion is
        // outstanding.
        #expect(store.deleted == [api])
        #expect(try store.token(for: url("\(other)/"))?.accessToken == "t2")
    }

    @Test func `M7 a later login of another process is taken over where the logout has deleted what was there`() async throws {
        let servers = Self.servers()
        let session = servers.session()
        let store = DeletionLog()
        session.register(
            servers.tokenObserver(
                try ScriptedServers.parameters, keepingIn: store, protecting: [try url(api), try url(other)]))
        try store.store(token: Self.foreign, for: url("\(other)/"))
        #expect(try await session.status("\(api)/data") == 200)
        session.endSession()
        // The next request waits for the store's queue, and finds no token of the user who has logged out for any server.
        #expect(try await session.status("\(api)/data") == 200)
        #expect(store.deleted.sorted() == [api, other])
        let later = OAuth2Token(accessToken: "later", tokenType: "Bearer")
        try store.store(token: later, for: url("\(other)/"))
        #expect(try await session.status("\(other)/data") == 200)
        #expect(servers.sent(to: other).map { $0["Authorization"] } == [nil, "Bearer later"])
        #expect(store.deleted.sorted() == [api, other])
    }

    @Test func `RT-16 what a store of this process alone has for a server that was not asked before the logout is deleted`()
        async throws
    {
        let servers = Self.servers()
        let session = servers.session()
        let store = MemoryTokenStore()
        session.register(servers.tokenObserver(try ScriptedServers.parameters, keepingIn: store, protecting: .anywhere))
        try store.store(token: Self.foreign, for: url("\(other)/"))
        session.endSession()
        #expect(try await session.status("\(other)/data") == 200)
        #expect(servers.sent(to: other).map { $0["Authorization"] } == [nil, "Bearer t1"])
        #expect(try store.token(for: url("\(other)/"))?.accessToken == "t1")
    }
}

/// A store that processes share, which records the servers whose tokens it was asked to delete.
private final class DeletionLog: SharedTokenStore {
    private let base = CredentialTokenStore(MemoryCredentialStore())
    private let log = Mutex<[String]>([])

    var deleted: [String] { log.withLock { $0 } }

    func replaceToken(_ old: OAuth2Token?, with new: OAuth2Token?, for url: URL) throws -> Bool {
        try base.replaceToken(old, with: new, for: url)
    }
    func withExclusiveAccess<Result: Sendable>(
        for url: URL, _ work: @Sendable () async throws -> Result
    ) async throws -> Result { try await base.withExclusiveAccess(for: url, work) }
    func store(token: OAuth2Token, for url: URL) throws { try base.store(token: token, for: url) }
    func token(for url: URL) throws -> OAuth2Token? { try base.token(for: url) }
    func deleteToken(for url: URL) throws {
        log.withLock { $0.append(Origin(url)?.description ?? "none") }
        try base.deleteToken(for: url)
    }
}
