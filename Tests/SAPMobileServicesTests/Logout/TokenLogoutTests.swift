import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import Synchronization
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Logout with tokens: those in memory, those in the store, and those whose request is in progress.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Logout with tokens` {
    /// Whether the server still accepts a refresh token, that is, whether a session with that token needs no login.
    private func isGood(_ token: OAuth2Token, _ bench: OAuth2Bench) async throws -> Bool {
        let store = MemoryTokenStore()
        try store.store(
            token: OAuth2Token(
                accessToken: token.accessToken, tokenType: token.tokenType,
                expiryDate: Date(timeIntervalSinceNow: -60),
                refreshToken: token.refreshToken), for: try bench.root)
        let session = SAPURLSession()
        defer { session.invalidateAndCancel() }
        session.register(
            OAuth2Observer(authenticationParameters: try bench.parameters, tokenStore: store))
        do {
            _ = try await session.data(from: bench.mock.baseURL.appending(path: "orders"))
            return true
        } catch is OAuth2Error {
            return false
        }
    }

    @Test(arguments: LogoutVersion.allCases)
    func `M7 the token is gone here and in the store, and the next request logs in`(
        _ version: LogoutVersion
    ) async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            #expect(try await bench.user() == "alice")
            try await bench.session.logout(settingsParameters: bench.settings, version: version)
            #expect(try bench.store.token(for: bench.root) == nil)
            #expect(bench.session.cookieStorage.cookies.isEmpty)
            #expect(bench.mock.statistics.logouts == 1)
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 2])
        }
    }

    @Test(arguments: LogoutVersion.allCases)
    func `M7 v2 revokes the user's refresh tokens, v1 does not`(_ version: LogoutVersion) async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            #expect(try await bench.user() == "alice")
            let token = try #require(try bench.store.token(for: bench.root))
            try await bench.session.logout(settingsParameters: bench.settings, version: version)
            #expect(try await isGood(token, bench) == (version == .v1))
        }
    }

    @Test func `M7 a stored token that no request has used yet is deleted, too`() async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            try bench.store.store(
                token: OAuth2Token(accessToken: "stored", tokenType: "Bearer"), for: bench.root)
            try await bench.session.logout(settingsParameters: bench.settings)
            #expect(try bench.store.token(for: bench.root) == nil)
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `M7 a renewal that is under way does not bring the token back`() async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            #expect(try await bench.user() == "alice")
            bench.mock.expireAccessTokens()
            let gate = bench.mock.hold("/oauth2/api/v1/token", until: .max, limit: .seconds(60))
            let late = Task { try await bench.user() }
            while gate.arrived == 0 { await Task.yield() }
            try await bench.session.logout(settingsParameters: bench.settings)
            await #expect(throws: CountersignError.self) { try await late.value }
            gate.open()
            while bench.counted.tokenAnswers[.refreshToken] == nil { await Task.yield() }
            #expect(try bench.store.token(for: bench.root) == nil)
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenAnswers[.authorizationCode] == 2)
        }
    }

    @Test
    func `M7 a store that cannot delete is an error of the logout, and what it has is not used`()
        async throws
    {
        try await OAuth2Bench.run { bench in
            let store = StickyStore()
            bench.session.register(
                OAuth2Observer(authenticationParameters: try bench.parameters, tokenStore: store))
            #expect(try await bench.user() == "alice")
            let error = await #expect(throws: CountersignError.self) {
                try await bench.session.logout(settingsParameters: bench.settings)
            }
            #expect(error?.code == .credentialNotDeleted)
            #expect(bench.mock.statistics.logouts == 1)
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 2])
        }
    }
}

/// A store that fails to delete tokens.
private final class StickyStore: OAuth2TokenStore {
    struct Stuck: Error {}
    private let held = Mutex<OAuth2Token?>(nil)
    func store(token: OAuth2Token, for url: URL) { held.withLock { $0 = token } }
    func token(for url: URL) -> OAuth2Token? { held.withLock { $0 } }
    func deleteToken(for url: URL) throws { throw Stuck() }
}
