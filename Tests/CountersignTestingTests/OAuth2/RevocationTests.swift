import CountersignTesting
import Foundation
import TestTurns
import Testing

/// Revocation of tokens, by their client and by the server.
@Suite(.takesTurns) struct RevocationTests {
    @Test func `RFC 7009 2.1: a refresh token goes with all that came of its login`() async throws {
        try await withServer { (caller, server) async throws in
            let first = try await caller.tokens()
            let second = try await caller.refresh(first.refresh_token).oauth
            let answer = try await caller.revoke(second.refresh_token, ["token_type_hint": "refresh_token"])
            #expect(answer.status == 200)
            #expect(answer.bytes.isEmpty)
            for token in [first, second] { #expect(try await caller.resource(token.access_token).status == 401) }
            #expect(try await caller.refresh(second.refresh_token).oauth.error == "invalid_grant")
            #expect(server.statistics.revocations == 1)
        }
    }

    @Test func `RFC 7009 2.1: an access token goes alone, whatever the hint says`() async throws {
        try await withServer { (caller, _) async throws in
            let tokens = try await caller.tokens()
            #expect(try await caller.revoke(tokens.access_token, ["token_type_hint": "refresh_token"]).status == 200)
            #expect(try await caller.resource(tokens.access_token).status == 401)
            #expect(try await caller.refresh(tokens.refresh_token).status == 200)
        }
    }

    @Test func `RFC 7009 2.2: an unknown token counts as revoked`() async throws {
        try await withServer { (caller, server) async throws in
            #expect(try await caller.revoke("unknown").status == 200)
            #expect(try await caller.revoke("\u{212A}").status == 200)
            #expect(server.statistics.revocations == 0)
        }
    }

    @Test func `RFC 7009 2.1: a token is taken back by its client alone, and has to be named`() async throws {
        let other = MockOAuth2Client(id: "other")
        try await withServer(change: { $0.clients.append(other) }) { (caller, _) async throws in
            let tokens = try await caller.tokens()
            #expect(try await caller.revoke(tokens.refresh_token, ["client_id": "other"]).oauth.error == "invalid_grant")
            #expect(try await caller.revoke(nil).oauth.error == "invalid_request")
            #expect(try await caller.resource(tokens.access_token).status == 200)
        }
    }

    @Test func `all that a server gave out can be revoked, codes included`() async throws {
        try await withServer { (caller, server) async throws in
            let tokens = try await caller.tokens()
            let code = try await caller.code()
            server.endAllSessions()
            #expect(try await caller.resource(tokens.access_token).status == 401)
            #expect(try await caller.refresh(tokens.refresh_token).oauth.error == "invalid_grant")
            #expect(try await caller.redeem(code).oauth.error == "invalid_grant")
            #expect(try await caller.tokens().access_token != nil)
        }
    }
}
