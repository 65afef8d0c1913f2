import CountersignTesting
import Foundation
import NIOHTTP1
import TestTurns
import Testing

/// The token endpoint with codes, and the common behavior of all its grants.
@Suite(.takesTurns) struct TokenEndpointTests {
    @Test func `RFC 6749 5.1: a token answer is JSON that nobody keeps`() async throws {
        try await withServer { (caller, server) async throws in
            let answer = try await caller.redeem(try await caller.code(["scope": "read"]))
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == ["application/json;charset=UTF-8"])
            #expect(answer.headers["cache-control"] == ["no-store"])
            #expect(answer.headers["pragma"] == ["no-cache"])
            let tokens = try answer.oauth
            #expect(tokens.access_token?.isEmpty == false)
            #expect(tokens.refresh_token?.isEmpty == false)
            #expect(tokens.token_type == "Bearer")
            #expect(tokens.expires_in == 3600)
            #expect(tokens.scope == "read")
            #expect(server.statistics.tokenRequests == [.authorizationCode: 1])
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `RFC 6749 5.1: lifetime and spelling of the type are the server's choice`() async throws {
        let change = { (options: inout MockOAuth2Options) in
            options.announcesLifetime = false
            options.tokenType = "bEARER"
        }
        try await withServer(change: change) { (caller, _) async throws in
            let tokens = try await caller.tokens()
            #expect(tokens.expires_in == nil)
            #expect(tokens.token_type == "bEARER")
            #expect(tokens.scope == "read write")
        }
    }

    @Test func `RFC 6749 3.2: the method is POST`() async throws {
        try await withServer { (caller, server) async throws in
            for url in [server.tokenEndpoint, server.revocationEndpoint] {
                let answer = try await caller.client.get(url)
                #expect(answer.status == 405)
                #expect(answer.headers["allow"] == ["POST"])
            }
        }
    }

    @Test func `RFC 6749 3.2 and 2.3.1: parameters come in a form, once, and not in the address`() async throws {
        try await withServer { (caller, server) async throws in
            let code = try await caller.code()
            let form = [
                "grant_type": "authorization_code", "client_id": "app", "code": code, "redirect_uri": OAuth2Caller.redirectURI,
                "code_verifier": OAuth2Caller.verifier,
            ]
            let text = OAuth2Caller.query(form)
            let json = try await caller.client.send(
                .POST, server.tokenEndpoint.absoluteString, headers: ["content-type": "application/json"], body: Array(text.utf8))
            let address = try await caller.client.send(
                .POST, "\(server.tokenEndpoint.absoluteString)?client_id=app",
                headers: ["content-type": "application/x-www-form-urlencoded"], body: Array(text.utf8))
            let repeated = try await caller.post(text: text + "&scope=read&scope=read")
            let broken = try await caller.post(text: text + "&scope=%")
            for answer in [json, address, repeated, broken] {
                #expect(answer.status == 400)
                #expect(try answer.oauth.error == "invalid_request")
            }
            // None of the requests used up the code.
            #expect(try await caller.post(text: text + "&unknown=1&scope=").status == 200)
            #expect(server.statistics.refusals == ["invalid_request": 4])
        }
    }

    @Test func `RFC 6749 5.2: grant types that are missing, unknown or not allowed`() async throws {
        try await withServer(change: { $0.errorURI = "https://errors.example/" }) { (caller, _) async throws in
            for (grant, error) in [
                ("", "invalid_request"), ("implicit", "unsupported_grant_type"), ("password", "unauthorized_client"),
                ("client_credentials", "unauthorized_client"),
            ] {
                let answer = try await caller.post(["grant_type": grant, "client_id": "app"])
                #expect(answer.status == 400)
                #expect(try answer.oauth.error == error)
                #expect(try answer.oauth.error_uri == "https://errors.example/")
                #expect(try answer.oauth.error_description?.isEmpty == false)
                #expect(answer.headers["cache-control"] == ["no-store"])
            }
        }
    }

    @Test func `a landscape may want parameters of its own`() async throws {
        try await withServer(change: { $0.requiredTokenParameters = ["tenant": "t1"] }) { (caller, _) async throws in
            let code = try await caller.code()
            #expect(try await caller.redeem(code).oauth.error == "invalid_request")
            #expect(try await caller.redeem(code, ["tenant": "t2"]).oauth.error == "invalid_request")
            #expect(try await caller.redeem(code, ["tenant": "t1"]).oauth.access_token != nil)
        }
    }

    // MARK: Codes

    @Test func `RFC 6749 4.1.2: a code that is used twice takes back what came of it`() async throws {
        try await withServer { (caller, server) async throws in
            let code = try await caller.code()
            let tokens = try await caller.redeem(code).oauth
            #expect(try await caller.resource(tokens.access_token).status == 200)
            #expect(try await caller.redeem(code).oauth.error == "invalid_grant")
            #expect(try await caller.resource(tokens.access_token).status == 401)
            #expect(try await caller.refresh(tokens.refresh_token).oauth.error == "invalid_grant")
            #expect(server.statistics.codeReuses == 1)
            #expect(server.statistics.refreshTokenReuses == 0)
        }
    }

    @Test func `RFC 6749 4.1.2: a code expires`() async throws {
        try await withServer(change: { $0.codeLifetime = .seconds(30) }) { (caller, server) async throws in
            let (early, late) = (try await caller.code(), try await caller.code())
            server.advance(by: .seconds(20))
            #expect(try await caller.redeem(early).status == 200)
            server.advance(by: .seconds(10))
            #expect(try await caller.redeem(late).oauth.error == "invalid_grant")
        }
    }

    @Test func `RFC 6749 4.1.3: a code is its client's, and another client does not use it up`() async throws {
        let other = MockOAuth2Client(id: "other", redirectURIs: [OAuth2Caller.redirectURI])
        try await withServer(change: { $0.clients.append(other) }) { (caller, server) async throws in
            let code = try await caller.code()
            #expect(try await caller.redeem(code, ["client_id": "other"]).oauth.error == "invalid_grant")
            let tokens = try await caller.redeem(code).oauth
            #expect(tokens.access_token != nil)
            #expect(try await caller.redeem(code, ["client_id": "other"]).oauth.error == "invalid_grant")
            #expect(try await caller.resource(tokens.access_token).status == 200)
            #expect(server.statistics.codeReuses == 0)
        }
    }

    private static let mistakes: [([String: String?], String)] = [
        (["code": nil], "invalid_request"),
        (["code": "unknown"], "invalid_grant"),
        (["redirect_uri": nil], "invalid_request"),
        (["redirect_uri": "http://127.0.0.1/callback"], "invalid_grant"),
        (["redirect_uri": "https://app.example/callbac\u{212A}"], "invalid_grant"),
        (["code_verifier": nil], "invalid_request"),
        (["code_verifier": "short"], "invalid_request"),
        (["code_verifier": String(repeating: "a", count: 129)], "invalid_request"),
        (["code_verifier": String(repeating: "a", count: 42) + "+"], "invalid_request"),
        (["code_verifier": OAuth2Caller.challenge], "invalid_grant"),
        (["code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXK"], "invalid_grant"),
    ]

    @Test(arguments: mistakes)
    func `RFC 6749 4.1.3 and RFC 7636 4.6: a code is bound to redirect URI and verifier, and there is one guess`(
        changes: [String: String?], error: String
    ) async throws {
        try await withServer { (caller, _) async throws in
            let code = try await caller.code()
            let answer = try await caller.redeem(code, changes)
            #expect(answer.status == 400)
            #expect(try answer.oauth.error == error)
            let isUsedUp = error == "invalid_grant" && changes["code"] == nil
            #expect(try await caller.redeem(code).status == (isUsedUp ? 400 : 200))
        }
    }

    @Test func `RFC 9700 4.8.2: a verifier without a challenge is refused`() async throws {
        try await withServer(change: { $0.requiresPKCE = false }) { (caller, _) async throws in
            let none: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
            #expect(try await caller.redeem(try await caller.code(none)).oauth.error == "invalid_grant")
            let code = try await caller.code(none)
            #expect(try await caller.redeem(code, ["code_verifier": nil as String?]).status == 200)
        }
    }

    @Test func `codes and tokens that were not escaped are not known`() async throws {
        try await withServer { (caller, _) async throws in
            let code = try await caller.code()
            let form = OAuth2Caller.query([
                "grant_type": "authorization_code", "client_id": "app", "redirect_uri": OAuth2Caller.redirectURI,
                "code_verifier": OAuth2Caller.verifier,
            ])
            #expect(try await caller.post(text: form + "&code=" + code).status == 400)
            let token = try #require(try await caller.redeem(code).oauth.refresh_token)
            let refresh = "grant_type=refresh_token&client_id=app&refresh_token="
            #expect(try await caller.post(text: refresh + token).oauth.error == "invalid_grant")
            #expect(try await caller.post(text: refresh + OAuth2Caller.encode(token)).status == 200)
        }
    }
}
