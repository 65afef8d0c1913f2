import CountersignTesting
import Foundation
import TestTurns
import Testing

/// Refresh tokens: rotation, reuse, lifetime, scope.
@Suite(.takesTurns) struct RefreshTests {
    @Test func `RFC 6749 6: a refresh token brings new tokens`() async throws {
        try await withServer { (caller, server) async throws in
            let first = try await caller.tokens(["scope": "read"])
            let second = try await caller.refresh(first.refresh_token).oauth
            #expect(second.access_token != first.access_token)
            #expect(second.refresh_token != first.refresh_token)
            #expect(second.scope == "read")
            for token in [first, second] { #expect(try await caller.resource(token.access_token).status == 200) }
            #expect(server.statistics.refreshes == 1)
            #expect(server.statistics.authorizations == 1)
        }
    }

    @Test func `RFC 9700 4.14.2: a refresh token that comes again revokes its family, and no other`() async throws {
        try await withServer { (caller, server) async throws in
            let first = try await caller.tokens()
            let other = try await caller.tokens()
            let second = try await caller.refresh(first.refresh_token).oauth
            let third = try await caller.refresh(second.refresh_token).oauth
            #expect(try await caller.refresh(first.refresh_token).oauth.error == "invalid_grant")
            #expect(server.statistics.refreshTokenReuses == 1)
            for token in [first, second, third] { #expect(try await caller.resource(token.access_token).status == 401) }
            #expect(try await caller.refresh(third.refresh_token).oauth.error == "invalid_grant")
            // A token that is revoked already does not count as reused.
            #expect(server.statistics.refreshTokenReuses == 1)
            #expect(try await caller.resource(other.access_token).status == 200)
            #expect(try await caller.refresh(other.refresh_token).status == 200)
        }
    }

    @Test func `within the leeway a refresh token may come again, and not later`() async throws {
        try await withServer(change: { $0.reuseLeeway = .seconds(1000) }) { (caller, server) async throws in
            let first = try await caller.tokens()
            let second = try await caller.refresh(first.refresh_token).oauth
            server.advance(by: .seconds(900))
            let third = try await caller.refresh(first.refresh_token).oauth
            #expect(third.refresh_token != second.refresh_token)
            #expect(try await caller.resource(second.access_token).status == 200)
            // The leeway starts at the first use.
            server.advance(by: .seconds(1000))
            #expect(try await caller.refresh(first.refresh_token).oauth.error == "invalid_grant")
            #expect(server.statistics.refreshTokenReuses == 1)
            #expect(try await caller.refresh(third.refresh_token).oauth.error == "invalid_grant")
        }
    }

    @Test func `RFC 6749 6: a server that does not rotate sends no refresh token, and the old one stays good`() async throws {
        try await withServer(change: { $0.rotatesRefreshTokens = false }) { (caller, server) async throws in
            let first = try await caller.tokens()
            for _ in 0..<3 {
                let answer = try await caller.refresh(first.refresh_token).oauth
                #expect(answer.access_token != nil)
                #expect(answer.refresh_token == nil)
            }
            #expect(server.statistics.refreshes == 3)
            #expect(server.statistics.refreshTokenReuses == 0)
        }
    }

    @Test func `RFC 6749 6: the scope may be less, and never more`() async throws {
        try await withServer { (caller, _) async throws in
            let first = try await caller.tokens(["scope": "read"])
            #expect(try await caller.refresh(first.refresh_token, ["scope": "read write"]).oauth.error == "invalid_scope")
            let both = try await caller.tokens()
            let less = try await caller.refresh(both.refresh_token, ["scope": "write"]).oauth
            #expect(less.scope == "write")
            // The new refresh token has the scope that was granted.
            #expect(try await caller.refresh(less.refresh_token).oauth.scope == "read write")
            // A refusal because of the scope did not use up the token.
            #expect(try await caller.refresh(first.refresh_token).status == 200)
        }
    }

    @Test func `RFC 6749 5.2: a refresh token that is missing, unknown, expired or another client's is refused`() async throws {
        let other = MockOAuth2Client(id: "other")
        let change = { (options: inout MockOAuth2Options) in
            options.clients.append(other)
            options.refreshTokenLifetime = .seconds(10_000)
        }
        try await withServer(change: change) { (caller, server) async throws in
            let tokens = try await caller.tokens()
            #expect(try await caller.refresh(nil).oauth.error == "invalid_request")
            #expect(try await caller.refresh(tokens.access_token).oauth.error == "invalid_grant")
            #expect(try await caller.refresh(tokens.refresh_token, ["client_id": "other"]).oauth.error == "invalid_grant")
            server.advance(by: .seconds(9_000))
            let next = try await caller.refresh(tokens.refresh_token).oauth
            server.advance(by: .seconds(10_000))
            #expect(try await caller.refresh(next.refresh_token).oauth.error == "invalid_grant")
            #expect(server.statistics.refreshTokenReuses == 0)
        }
    }

    @Test func `RFC 6749 1.5: a client that may not refresh gets nothing to refresh with`() async throws {
        var app = MockOAuth2Client.app
        app.grants = [.authorizationCode]
        try await withServer(change: { $0.clients = [app] }) { (caller, _) async throws in
            let tokens = try await caller.tokens()
            #expect(tokens.access_token != nil)
            #expect(tokens.refresh_token == nil)
            #expect(try await caller.refresh("x").oauth.error == "unauthorized_client")
        }
    }

    @Test func `of a hundred refreshes with one token at once, one is answered and the family is gone`() async throws {
        try await withServer { (caller, server) async throws in
            let tokens = try await caller.tokens()
            let gate = server.hold(.path("/oauth2/api/v1/token"), until: 100, limit: .seconds(300))
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await caller.refresh(tokens.refresh_token).status } }
                return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(statuses == [200: 1, 400: 99])
            #expect(!gate.hasTimedOut)
            #expect(server.statistics.tokenRequests[.refreshToken] == 100)
            #expect(server.statistics.refreshes == 1)
            #expect(server.statistics.refreshTokenReuses == 1)
        }
    }
}
