import CountersignTesting
import Foundation
import NIOHTTP1
import TestTurns
import Testing

/// Resources, and their responses to invalid tokens.
@Suite(.takesTurns) struct ResourceTests {
    @Test func `RFC 6750 2.1: a good token opens every resource, and the scheme's case does not matter`() async throws {
        try await withServer { (caller, server) async throws in
            let token = try await caller.tokens().access_token
            for scheme in ["Bearer", "bearer", "BEARER"] {
                #expect(try await caller.resource(token, path: "any/where", scheme: scheme).status == 200)
            }
            #expect(server.statistics.resources == 3)
            #expect(server.statistics.challenges == 0)
        }
    }

    @Test func `RFC 6750 3.1: without a token there is a challenge and no error`() async throws {
        try await withServer { (caller, server) async throws in
            let none = try await caller.resource(nil)
            let other = try await caller.resource("YTpi", scheme: "Basic")
            for answer in [none, other] {
                #expect(answer.status == 401)
                #expect(answer.headers["www-authenticate"] == ["Bearer realm=\"mock\""])
            }
            #expect(server.statistics.challenges == 2)
        }
    }

    @Test func `RFC 6750 3.1: a token that is unknown, revoked or expired is an invalid one`() async throws {
        try await withServer { (caller, server) async throws in
            let revoked = try await caller.tokens().access_token
            _ = try await caller.revoke(revoked)
            let expired = try await caller.tokens().access_token
            server.advance(by: .seconds(3599))
            #expect(try await caller.resource(expired).status == 200)
            server.advance(by: .seconds(1))
            for token in ["unknown", "un\"known", "a b", revoked, expired] {
                let answer = try await caller.resource(token)
                #expect(answer.status == 401)
                let field = try #require(answer.headers["www-authenticate"].first)
                #expect(field.hasPrefix("Bearer realm=\"mock\", error=\"invalid_token\", error_description=\"The access token "))
            }
        }
    }

    @Test func `all access tokens can be made to expire at once, and refresh tokens stay good`() async throws {
        try await withServer { (caller, server) async throws in
            let tokens = try await caller.tokens()
            server.expireAccessTokens()
            #expect(try await caller.resource(tokens.access_token).status == 401)
            let next = try await caller.refresh(tokens.refresh_token).oauth
            #expect(try await caller.resource(next.access_token).status == 200)
        }
    }

    @Test func `RFC 6750 3.1: a token of too little scope is a 403 that names the scope`() async throws {
        let change = { (options: inout MockOAuth2Options) in
            options.requiredScopes = ["/": "read", "/write": "write"]
            options.errorURI = "https://errors.example/"
        }
        try await withServer(change: change) { (caller, server) async throws in
            let token = try await caller.tokens(["scope": "read"]).access_token
            #expect(try await caller.resource(token, path: "read").status == 200)
            let answer = try await caller.resource(token, path: "write/1")
            #expect(answer.status == 403)
            let field = try #require(answer.headers["www-authenticate"].first)
            #expect(field.contains("error=\"insufficient_scope\""))
            #expect(field.contains("scope=\"write\""))
            #expect(field.contains("error_uri=\"https://errors.example/\""))
            #expect(server.statistics.scopeRefusals == 1)
            #expect(server.statistics.challenges == 0)
        }
    }

    @Test func `RFC 6750 2: a token in the address, or a second one, is a malformed request`() async throws {
        try await withServer { (caller, server) async throws in
            let token = try #require(try await caller.tokens().access_token)
            let url = server.baseURL.absoluteString + "/resource"
            let address = try await caller.client.send(.GET, "\(url)?access_token=\(OAuth2Caller.encode(token))")
            let twice = try await caller.client.send(
                .GET, url, headers: ["authorization": "Bearer \(token)", "authorization": "Bearer \(token)"])
            for answer in [address, twice] {
                #expect(answer.status == 400)
                #expect(answer.headers["www-authenticate"].first?.contains("error=\"invalid_request\"") == true)
            }
            #expect(server.statistics.tokensInAddresses == 1)
            #expect(server.statistics.resources == 0)
        }
    }

    @Test(arguments: [401, 400])
    func `a server can say it with a status and a field of its own`(status: Int) async throws {
        let own = ServerRules.Challenge(status: status, fields: ["X-SMP-AUTHENTICATION-STATUS": "1000"])
        try await withServer(change: { $0.challenge = .response(own) }) { (caller, server) async throws in
            let token = try await caller.tokens().access_token
            #expect(try await caller.resource(token).status == 200)
            server.expireAccessTokens()
            for answer in [try await caller.resource(nil), try await caller.resource(token)] {
                #expect(answer.status == status)
                #expect(answer.headers["x-smp-authentication-status"] == ["1000"])
                #expect(answer.headers["www-authenticate"] == [])
            }
        }
    }
}
