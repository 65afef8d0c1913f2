import CountersignTesting
import Foundation
import NIOHTTP1
import TestTurns
import Testing

/// The authorization endpoint, request by request.
@Suite(.takesTurns) struct AuthorizationEndpointTests {
    @Test func `RFC 6749 4.1.2 and RFC 9207 2: code, state and issuer come back in the query`() async throws {
        try await withServer { (caller, server) async throws in
            let answer = try await caller.submit(try await caller.authorize())
            #expect(answer.location?.hasPrefix("https://app.example/callback?") == true)
            #expect(answer.parameter("state") == "s t&a=t+e")
            #expect(answer.parameter("iss") == server.baseURL.absoluteString)
            #expect(answer.parameters("code").count == 1)
            #expect(answer.parameter("error") == nil)
            #expect(server.statistics.authorizations == 1)
            #expect(server.statistics.loginForms == 1)
        }
    }

    @Test func `RFC 9207 2: a server that does not tell its issuer does not`() async throws {
        try await withServer(change: { $0.sendsIssuer = false }) { (caller, _) async throws in
            #expect(try await caller.submit(try await caller.authorize()).parameters("iss") == [])
        }
    }

    @Test func `RFC 6749 4.1.1: state is given back if it was given, and only then`() async throws {
        try await withServer { (caller, server) async throws in
            let answer = try await caller.submit(try await caller.authorize(["state": nil as String?]))
            #expect(answer.parameters("state") == [])
            #expect(answer.parameter("code") != nil)
            #expect(server.statistics.requestsWithoutState == 1)
        }
    }

    @Test func `RFC 6749 3.1: a request may be posted, and may not be anything else`() async throws {
        try await withServer { (caller, server) async throws in
            let url = server.authorizationEndpoint.absoluteString
            let page = try await caller.client.post(url, form: OAuth2Caller.parameters())
            #expect(try await caller.submit(page).parameter("code") != nil)
            #expect(try await caller.client.send(.PUT, url).status == 405)
        }
    }

    @Test func `RFC 6749 3.1: a parameter without a value is treated as absent, and an unknown one is ignored`() async throws {
        try await withServer { (caller, _) async throws in
            #expect(try await caller.authorize(["scope": ""], more: "&unknown=1").status == 200)
            #expect(try await caller.authorize(["code_challenge": ""]).parameter("error") == "invalid_request")
        }
    }

    // MARK: Errors without a redirect

    @Test(arguments: [["client_id": nil], ["client_id": "stranger"], ["client_id": "\u{212A}"]] as [[String: String?]])
    func `RFC 6749 4.1.2.1: an unknown client is shown to the user and not redirected`(changes: [String: String?]) async throws {
        try await withServer { (caller, server) async throws in
            let answer = try await caller.authorize(changes)
            #expect(answer.status == 400)
            #expect(answer.location == nil)
            #expect(answer.headers["content-type"] == ["text/html; charset=utf-8"])
            #expect(server.statistics.refusedAuthorizationRequests == 1)
        }
    }

    @Test(arguments: [
        "https://app.example/callback/", "https://app.example/callback?x=1", "https://app.example/callback#x",
        "https://app.example/callback/../other", "https://APP.example/callback", "https://app.example:443/callback",
        "https://user@app.example/callback", "https://app.example.evil/callback", "https://app.example/callbac\u{212A}",
        "http://app.example/callback", "com.example.app:/callback2", "COM.example.app:/callback", "http://localhost:8080/callback",
        "http://127.0.0.1:8080/other", "http://127.0.0.1.evil:8080/callback", "http://127.0.0.1:80@evil/callback",
        "http://127.0.0.1:0/callback", "http://127.0.0.1:65536/callback", "http://127.0.0.1:/callback",
        "http://127.0.0.2:80/callback", "https://127.0.0.1:80/callback", "http://[::2]:80/callback", "javascript:alert(1)",
    ])
    func `RFC 9700 2.1: a redirect URI that is not registered to the byte is shown and not redirected`(uri: String) async throws {
        try await withServer { (caller, server) async throws in
            let answer = try await caller.authorize(["redirect_uri": uri])
            #expect(answer.status == 400)
            #expect(answer.location == nil)
            #expect(server.statistics.refusedAuthorizationRequests == 1)
        }
    }

    @Test func `RFC 6749 3.1: two redirect URIs or clients in one request are shown and not redirected`() async throws {
        try await withServer { (caller, _) async throws in
            for more in ["&redirect_uri=https%3A%2F%2Fevil.example%2F", "&client_id=app", "&state=%zz"] {
                let answer = try await caller.authorize(more: more)
                #expect(answer.status == 400)
                #expect(answer.location == nil)
            }
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:1/callback", "http://127.0.0.1:65535/callback", "http://127.0.0.1/callback",
        "http://[::1]:49152/callback",
    ])
    func `RFC 8252 7.3: a loopback redirect URI may have any port`(uri: String) async throws {
        try await withServer { (caller, _) async throws in
            let answer = try await caller.submit(try await caller.authorize(["redirect_uri": uri]))
            #expect(answer.location?.hasPrefix(uri + "?code=") == true)
        }
    }

    @Test func `RFC 6749 3.1.2.3: a client with one redirect URI may leave it out, and one with several may not`() async throws {
        let single = MockOAuth2Client(id: "single", redirectURIs: ["https://single.example/?from=login"])
        try await withServer(change: { $0.clients.append(single) }) { (caller, _) async throws in
            let none = ["redirect_uri": nil as String?]
            let answer = try await caller.submit(try await caller.authorize(none.merging(["client_id": "single"]) { $1 }))
            // RFC 6749, section 3.1.2: an existing query is retained.
            #expect(answer.location?.hasPrefix("https://single.example/?from=login&code=") == true)
            let code = try #require(answer.parameter("code"))
            let tokens = try await caller.redeem(code, none.merging(["client_id": "single"]) { $1 })
            #expect(try tokens.oauth.access_token != nil)
            #expect(try await caller.authorize(none).status == 400)
        }
    }

    // MARK: Errors in the redirect

    private static let errors: [([String: String?], String)] = [
        (["response_type": nil], "invalid_request"),
        (["response_type": "token"], "unsupported_response_type"),
        (["response_type": "code token"], "unsupported_response_type"),
        (["scope": "read everything"], "invalid_scope"),
        (["scope": "read  write"], "invalid_scope"),
        (["scope": "re\"ad"], "invalid_scope"),
        (["state": "é"], "invalid_request"),
        (["code_challenge": nil], "invalid_request"),
        (["code_challenge": nil, "code_challenge_method": nil], "invalid_request"),
        (["code_challenge_method": nil], "invalid_request"),
        (["code_challenge_method": "plain"], "invalid_request"),
        (["code_challenge_method": "s256"], "invalid_request"),
        (["code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c"], "invalid_request"),
        (["code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM"], "invalid_request"),
    ]

    @Test(arguments: errors)
    func `RFC 6749 4.1.2.1 and RFC 7636 4.4.1: a wrong request goes back to the client`(
        changes: [String: String?], error: String
    ) async throws {
        try await withServer(change: { $0.errorURI = "https://errors.example/1" }) { (caller, server) async throws in
            let answer = try await caller.authorize(changes)
            #expect(answer.status == 303)
            #expect(answer.parameter("error") == error)
            #expect(answer.parameter("state") == changes["state"] ?? "s t&a=t+e")
            #expect(answer.parameter("iss") == server.baseURL.absoluteString)
            #expect(answer.parameter("error_uri") == "https://errors.example/1")
            #expect(answer.parameter("error_description")?.isEmpty == false)
            #expect(answer.parameter("code") == nil)
            #expect(server.statistics.refusedAuthorizationRequests == 1)
        }
    }

    @Test func `RFC 6749 3.1: a repeated parameter is an error, and a repeated state is not given back`() async throws {
        try await withServer { (caller, _) async throws in
            let scopes = try await caller.authorize(["scope": "read"], more: "&scope=read")
            #expect(scopes.parameter("error") == "invalid_request")
            #expect(scopes.parameter("state") != nil)
            let states = try await caller.authorize(more: "&state=other")
            #expect(states.parameter("error") == "invalid_request")
            #expect(states.parameters("state") == [])
        }
    }

    @Test func `RFC 6749 4.1.2.1: a client that may not ask for codes receives unauthorized_client`() async throws {
        let other = MockOAuth2Client(id: "other", redirectURIs: [OAuth2Caller.redirectURI], grants: [.refreshToken])
        try await withServer(change: { $0.clients.append(other) }) { (caller, _) async throws in
            #expect(try await caller.authorize(["client_id": "other"]).parameter("error") == "unauthorized_client")
        }
    }

    @Test func `where a challenge is not required there may be none, but no other method either`() async throws {
        try await withServer(change: { $0.requiresPKCE = false }) { (caller, _) async throws in
            let none: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
            #expect(try await caller.authorize(none).status == 200)
            #expect(try await caller.authorize(["code_challenge": nil as String?]).parameter("error") == "invalid_request")
            #expect(try await caller.authorize(["code_challenge_method": "plain"]).parameter("error") == "invalid_request")
        }
    }

    @Test func `states and challenges that come twice are counted`() async throws {
        try await withServer { (caller, server) async throws in
            _ = try await caller.authorize()
            _ = try await caller.authorize(["state": "another"])
            #expect(server.statistics.repeatedStates == 0)
            #expect(server.statistics.repeatedChallenges == 1)
            _ = try await caller.authorize()
            #expect(server.statistics.repeatedStates == 1)
            #expect(server.statistics.repeatedChallenges == 2)
            #expect(server.statistics.authorizationRequests == 3)
        }
    }
}
