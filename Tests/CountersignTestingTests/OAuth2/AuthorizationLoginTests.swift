import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Foundation
import NIOHTTP1
import TestTurns
import Testing

/// The login page, used step by step and by the form-filling presenter.
@Suite(.takesTurns) struct AuthorizationLoginTests {
    private static func present(
        _ presenter: FormFillingPresenter, redirectURI: String, at server: MockAuthorizationServer
    ) async throws -> URL {
        let query = OAuth2Caller.query(OAuth2Caller.parameters(["redirect_uri": redirectURI]))
        let transport = AsyncHTTPClientTransport()
        let presentation = WebPresentation(
            authenticationMethod: "OAuth2",
            url: try #require(URL(string: "\(server.authorizationEndpoint.absoluteString)?\(query)")),
            finish: FinishRule(try #require(URL(string: redirectURI)), match: .path), jar: CookieJar(),
            transport: transport)
        do {
            let result = try await presenter.present(presentation)
            try await transport.shutdown()
            return result.finishURL
        } catch {
            try await transport.shutdown()
            throw error
        }
    }

    private static func items(of url: URL) -> [String: String] {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    @Test(arguments: [
        "com.example.app:/callback", "https://app.example/callback", "http://127.0.0.1:50123/callback",
        "http://[::1]:50123/callback",
    ])
    func `a presenter that fills in forms comes back with a code, whatever kind of redirect URI`(uri: String) async throws {
        try await withServer { (caller, server) async throws in
            let finish = try await Self.present(
                FormFillingPresenter(user: "jürgen", password: "pässwörd€"), redirectURI: uri, at: server)
            let items = Self.items(of: finish)
            #expect(items["state"] == "s t&a=t+e")
            let tokens = try await caller.redeem(try #require(items["code"]), ["redirect_uri": uri]).oauth
            let answer = try await caller.resource(tokens.access_token)
            #expect(try JSONDecoder().decode(MockResource.self, from: Data(answer.bytes)).user == "jürgen")
        }
    }

    @Test func `RFC 6749 4.1.2.1: a presenter that cancels comes back with access_denied`() async throws {
        try await withServer { (_, server) async throws in
            let presenter = FormFillingPresenter(user: "alice", password: "wonderland", values: ["cancel": "true"])
            let finish = try await Self.present(presenter, redirectURI: OAuth2Caller.redirectURI, at: server)
            let items = Self.items(of: finish)
            #expect(items["error"] == "access_denied")
            #expect(items["state"] == "s t&a=t+e")
            #expect(items["iss"] == server.baseURL.absoluteString)
            #expect(items["code"] == nil)
            #expect(server.statistics.denials == 1)
            #expect(server.statistics.authorizations == 0)
        }
    }

    @Test func `a presenter with a wrong password is asked again and then fails`() async throws {
        try await withServer { (_, server) async throws in
            await #expect(throws: PresentationFailure.self) {
                _ = try await Self.present(
                    FormFillingPresenter(user: "alice", password: "wrong"), redirectURI: OAuth2Caller.redirectURI, at: server)
            }
            #expect(server.statistics.wrongPasswords == 1)
        }
    }

    @Test func `a mistyped password can be corrected`() async throws {
        try await withServer { (caller, server) async throws in
            let page = try await caller.authorize()
            let again = try await caller.submit(page, password: "wonderlan")
            #expect(again.status == 200)
            #expect(again.location == nil)
            #expect(again.formFields["j_username"] == "alice")
            #expect(again.formFields["j_password"] == "")
            #expect(try await caller.submit(page).parameter("code") != nil)
            #expect(server.statistics.loginForms == 2)
        }
    }

    @Test func `a login form is good once, for the browser that it was shown to, and for a while`() async throws {
        try await withServer { (caller, server) async throws in
            let page = try await caller.authorize()
            let other = try await caller.authorize()
            var stolen = other.formFields
            stolen["transaction"] = page.formFields["transaction"]
            stolen["j_username"] = "alice"
            stolen["j_password"] = "wonderland"
            let action = server.baseURL.absoluteString + (page.formAction ?? "")
            let browser = other.cookie("mock-oauth2-browser")
            #expect(try await caller.client.post(action, form: stolen, cookies: [browser]).status == 400)
            #expect(try await caller.submit(page).status == 303)
            #expect(try await caller.submit(page).status == 400)
            server.advance(by: .seconds(300))
            #expect(try await caller.submit(other).status == 400)
            #expect(server.statistics.authorizations == 1)
        }
    }

    @Test func `RFC 9700 4.12, 4.16 and 4.2.4: the way back is a 303, and pages stay out of frames and logs`() async throws {
        try await withServer { (caller, _) async throws in
            let page = try await caller.authorize()
            let answer = try await caller.submit(page)
            #expect(answer.status == 303)
            for response in [page, answer] {
                #expect(response.headers["content-security-policy"] == ["frame-ancestors 'none'"])
                #expect(response.headers["x-frame-options"] == ["DENY"])
                #expect(response.headers["referrer-policy"] == ["no-referrer"])
                #expect(response.headers["cache-control"] == ["no-store"])
            }
        }
    }

    @Test func `a server that remembers users asks once, and again after all sessions have ended`() async throws {
        try await withServer(change: { $0.remembersUsers = true }) { (caller, server) async throws in
            let answer = try await caller.submit(try await caller.authorize())
            let cookie: String = try #require(answer.cookie("mock-oauth2-user"))
            #expect(try await caller.authorize(cookies: [cookie]).parameter("code") != nil)
            server.endAllSessions()
            #expect(try await caller.authorize(cookies: [cookie]).formAction != nil)
        }
    }

    private static func withOpenID(_ options: inout MockOAuth2Options) {
        options.openID = MockOpenIDOptions()
        options.scopes = ["openid", "read"]
        options.remembersUsers = true
    }

    @Test func `OpenID Connect Core 3.1.2.1: prompt=none shows no page`() async throws {
        try await withServer(change: Self.withOpenID) { (caller, server) async throws in
            let silent = try await caller.authorize(["prompt": "none"])
            #expect(silent.status == 303)
            #expect(silent.parameter("error") == "login_required")
            #expect(silent.parameter("state") == "s t&a=t+e")
            #expect(server.statistics.loginForms == 0)
            #expect(server.statistics.refusedAuthorizationRequests == 1)
            let answer = try await caller.submit(try await caller.authorize())
            let cookie: String = try #require(answer.cookie("mock-oauth2-user"))
            #expect(try await caller.authorize(["prompt": "none"], cookies: [cookie]).parameter("code") != nil)
            let aged = try await caller.authorize(["prompt": "none", "max_age": "1"], cookies: [cookie])
            #expect(aged.parameter("error") == "login_required")
            #expect(server.statistics.authorizationParameters.map { $0["prompt"] } == ["none", nil, "none", "none"])
        }
    }

    @Test(arguments: ["login", "select_account", "create", "login consent"])
    func `OpenID Connect Core 3.1.2.1: other prompts show it to a user who has a session`(prompt: String) async throws {
        try await withServer(change: Self.withOpenID) { (caller, _) async throws in
            let answer = try await caller.submit(try await caller.authorize())
            let cookie: String = try #require(answer.cookie("mock-oauth2-user"))
            #expect(try await caller.authorize(["prompt": prompt], cookies: [cookie]).formAction != nil)
        }
    }

    @Test func `OpenID Connect Core 3.1.2.1: prompt=none stands alone, and plain OAuth 2.0 knows no prompt`() async throws {
        try await withServer(change: Self.withOpenID) { (caller, _) async throws in
            #expect(try await caller.authorize(["prompt": "none login"]).parameter("error") == "invalid_request")
        }
        try await withServer { (caller, _) async throws in
            #expect(try await caller.authorize(["prompt": "none"]).formAction != nil)
        }
    }

    @Test func `a server that remembers nobody asks each time`() async throws {
        try await withServer { (caller, _) async throws in
            #expect(try await caller.submit(try await caller.authorize()).cookie("mock-oauth2-user") == nil)
        }
    }
}
