import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import OpenIDConnect
import TestTurns
import Testing

/// The parameters of the login page's request (OpenID Connect Core, section 3.1.2.1), on sockets.
@Suite(.takesTurns) struct LoginPageRequestTests: OpenIDBench {
    static var options: MockOAuth2Options {
        var options = MockOAuth2Options()
        options.openID = MockOpenIDOptions()
        options.scopes = ["openid", "read", "write"]
        return options
    }

    private static func pushed(_ options: inout MockOAuth2Options) {
        options.openID?.announcesPush = true
        options.requiresPush = true
    }

    /// A browser that keeps the provider's session.
    private final class Browser: WebPresenter {
        private let presenter = FormFillingPresenter(values: ["j_username": "alice", "j_password": "wonderland"])
        private let jar = CookieJar()

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            for cookie in jar.all { presentation.jar.set(cookie) }
            let result = try await presenter.present(presentation)
            for cookie in result.cookies.cookies { jar.set(cookie) }
            return result
        }
    }

    /// Runs a test with a session of an application whose user has already logged in at the provider in the same browser.
    private func runAfterLogin(
        _ change: (inout MockOAuth2Options) -> Void = { _ in }, prompt: OpenIDLoginParameters.Prompt,
        _ body: (MockAuthorizationServer, Session) async throws -> Void
    ) async throws {
        let user = User(Browser())
        try await run(
            user,
            {
                $0.remembersUsers = true
                change(&$0)
            }
        ) { (server, session) async throws in
            var parameters = try parameters(server)
            session.register(OpenIDLoginObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.loginForms == 1)
            parameters.prompt = prompt
            let observer = OpenIDLoginObserver(parameters: parameters)
            await withSession(presenter: user) { (next) async throws in
                next.register(observer)
                try await body(server, next)
            }
        }
    }

    // MARK: Parameters

    @Test(arguments: [false, true])
    func `hint, prompt and languages are in the request, also if it is pushed`(isPushed: Bool) async throws {
        try await run(User(), { if isPushed { Self.pushed(&$0) } }) { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.loginHint = "alice+notes@example.com"
            parameters.prompt = .selectAccount
            parameters.uiLocales = "de-CH fr en"
            session.register(OpenIDLoginObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.pushes == (isPushed ? 1 : 0))
            let sent = try #require(server.statistics.authorizationParameters.first)
            #expect(sent["login_hint"] == "alice+notes@example.com")
            #expect(sent["prompt"] == "select_account")
            #expect(sent["ui_locales"] == "de-CH fr en")
        }
    }

    @Test(arguments: [false, true])
    func `what the application does not say is not in the request`(isPushed: Bool) async throws {
        try await run(User(), { if isPushed { Self.pushed(&$0) } }) { (server, session) async throws in
            session.register(OpenIDLoginObserver(parameters: try parameters(server)))
            #expect(try await call(server, session) == 200)
            let sent = try #require(server.statistics.authorizationParameters.first)
            #expect(sent["client_id"] == "app")
            for name in ["login_hint", "prompt", "ui_locales"] { #expect(sent[name] == nil, "\(name)") }
        }
    }

    @Test(arguments: OpenIDLoginParameters.Prompt.allCases.filter { $0 != .valueNone })
    func `each prompt is sent by its name`(prompt: OpenIDLoginParameters.Prompt) async throws {
        try await run { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.prompt = prompt
            session.register(OpenIDLoginObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.authorizationParameters.first?["prompt"] == prompt.rawValue)
        }
    }

    @Test func `a user with a session at the provider can be asked again`() async throws {
        try await runAfterLogin(prompt: .login) { (server, session) async throws in
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.loginForms == 2)
        }
    }

    // MARK: Without a page

    @Test(arguments: MockOpenIDOptions.SilentRefusal.allCases)
    func `a provider that needs the user for a silent login ends it with an error that says why`(
        refusal: MockOpenIDOptions.SilentRefusal
    ) async throws {
        let user = User()
        try await run(user, { $0.openID?.silentRefusal = refusal }) { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.prompt = .valueNone
            let silent = OpenIDLoginObserver(parameters: parameters)
            session.register(silent)
            let error = await #expect(throws: CountersignError.self) { try await call(server, session) }
            #expect(error?.code == .refusedByServer)
            #expect(error?.serverErrorCode == refusal.rawValue)
            #expect(error?.detail.contains(refusal.rawValue) == true)
            #expect(server.statistics.loginForms == 0)
            #expect(server.statistics.tokenRequests.isEmpty)
            // The application lets the user log in.
            session.unregister(silent)
            parameters.prompt = nil
            session.register(OpenIDLoginObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(user.count == 2)
        }
    }

    @Test func `so does one to which the request is pushed`() async throws {
        try await run(User(), Self.pushed) { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.prompt = .valueNone
            session.register(OpenIDLoginObserver(parameters: parameters))
            let error = await #expect(throws: CountersignError.self) { try await call(server, session) }
            #expect(error?.serverErrorCode == "login_required")
            #expect(server.statistics.pushes == 1)
        }
    }

    @Test func `a user with a session at the provider sees no page`() async throws {
        try await runAfterLogin(prompt: .valueNone) { (server, session) async throws in
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.loginForms == 1)
            #expect(server.statistics.authorizations == 2)
        }
    }

    // MARK: Services that require more

    @Test func `a silent login for a service that wants a new authentication fails, and the token stays`() async throws {
        let change: (inout MockOAuth2Options) -> Void = {
            $0.requiredAuthentications = ["/data/pay": .init(maxAge: .seconds(300))]
        }
        try await runAfterLogin(change, prompt: .valueNone) { (server, session) async throws in
            #expect(try await call(server, session) == 200)
            server.advance(by: .seconds(400))
            let error = await #expect(throws: CountersignError.self) { try await call(server, session, "data/pay") }
            #expect(error?.serverErrorCode == "login_required")
            let sent = try #require(server.statistics.authorizationParameters.last)
            #expect(sent["prompt"] == "none" && sent["max_age"] == "300")
            #expect(server.statistics.loginForms == 1)
            #expect(try await call(server, session) == 200)
        }
    }

    @Test func `a provider that can give more without the user does so`() async throws {
        let change: (inout MockOAuth2Options) -> Void = { $0.requiredAuthentications = ["/data/pay": .init(acr: "phrh")] }
        try await runAfterLogin(change, prompt: .valueNone) { (server, session) async throws in
            #expect(try await call(server, session) == 200)
            #expect(try await call(server, session, "data/pay") == 200)
            let sent = try #require(server.statistics.authorizationParameters.last)
            #expect(sent["prompt"] == "none" && sent["acr_values"] == "phrh")
            #expect(server.statistics.loginForms == 1)
        }
    }

    @Test(arguments: [OpenIDLoginParameters.Prompt.login, .consent, .selectAccount, .create])
    func `a user who has registered does not register again, and is asked everything else again`(
        prompt: OpenIDLoginParameters.Prompt
    ) async throws {
        let again = prompt == .create ? nil : prompt.rawValue
        try await run(User(), { $0.requiredScopes = ["/data/write": "write"] }) { (server, session) async throws in
            var parameters = try parameters(server)
            parameters.scopes = "openid read"
            parameters.prompt = prompt
            session.register(OpenIDLoginObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(try await call(server, session, "data/write") == 200)
            server.endAllSessions()
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.authorizationParameters.map { $0["prompt"] } == [prompt.rawValue, again, again])
        }
    }
}
