#if os(Linux)
import Countersign
@_spi(Scripting) import CountersignBrowser
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Logins at the mock with a real browser whose user is a script.
@Suite(
    .takesTurns, .timeLimit(.minutes(10)),
    .enabled(
        if: ChromiumPresenter.findExecutable() != nil, "there is no Chromium here; install one, such as the package chromium")
) struct `Logins with Chromium` {
    private static let login = ["j_username": "alice", "j_password": "wonderland"]

    /// Runs a test against a mock, with a session whose presenter is a browser.
    private func run(
        _ protection: String, passcodes: Bool = false,
        filling values: @escaping (MockLandscape) -> [String: String] = { _ in login },
        _ body: (MockLandscape, SAPURLSession, SAPcpmsSettingsParameters) async throws -> Void
    ) async throws {
        var options = MockOptions()
        options.protection = protection
        if passcodes { options.passcodes.resources = .prefix("/orders") }
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            var configuration = SAPURLSession.Configuration()
            configuration.presenter = ChromiumPresenter(
                ChromiumConfiguration(isHeadless: true, timeout: .seconds(240)), script: try script(filling: values(mock)))
            let session = SAPURLSession(configuration: configuration)
            defer { session.invalidateAndCancel() }
            let settings = SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.app")
            try await body(mock, session, settings)
        }
    }

    /// Returns a script that fills in and submits the first form that has fields of these names.
    private func script(filling values: [String: String]) throws -> String {
        """
        addEventListener('DOMContentLoaded', () => {
            const values = \(String(decoding: try JSONEncoder().encode(values), as: UTF8.self));
            for (const form of document.forms) {
                const fields = Object.keys(values).map(name => form.elements[name]).filter(field => field);
                for (const field of fields) { field.value = values[field.name]; }
                if (fields.length > 0) { form.requestSubmit(); return; }
            }
        });
        """
    }

    private func user(of session: SAPURLSession, at mock: MockLandscape) async throws -> String {
        let (data, _) = try await session.data(from: mock.baseURL.appending(path: "orders"))
        return try JSONDecoder().decode(MockResource.self, from: data).user
    }

    @Test func `SAML passes through a browser, once for twenty requests`() async throws {
        try await run("SAML") { mock, session, settings in
            session.register(SAMLObserver(settingsParameters: settings))
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { try await user(of: session, at: mock) } }
                for try await user in group { #expect(user == "alice") }
            }
            #expect(mock.statistics.logins == 1)
            #expect(mock.statistics.strayCookies == 0)
        }
    }

    /// Makes an authenticator with a scheme of its own. The dispatcher is shared by all tests, and a page without a scheme would
    /// receive the URLs of others.
    private func authenticator(_ settings: SAPcpmsSettingsParameters, at mock: MockLandscape) -> OTPAuthenticator {
        let authenticator = OTPAuthenticator(settingsParameters: settings)
        authenticator.callbackScheme = "com.example.chromium\(mock.baseURL.port ?? 0).xcallbackurl"
        return authenticator
    }

    @Test func `a passcode behind SAML passes through a browser`() async throws {
        let values = { (mock: MockLandscape) in
            Self.login.merging(["j_passcode": mock.authenticatorApp(for: "alice").code]) { $1 }
        }
        try await run("SAML", passcodes: true, filling: values) { mock, session, settings in
            session.register(SAMLObserver(settingsParameters: settings))
            session.register(OTPObserver(authenticator: authenticator(settings, at: mock)))
            let user = try await user(of: session, at: mock)
            #expect(user == "alice")
            #expect(mock.statistics.logins == 1)
            #expect(mock.statistics.passcodes.logins == 1)
            #expect(mock.statistics.strayCookies == 0)
        }
    }

    @Test func `M17 a passcode page in a browser continues with the authenticator app's passcode`() async throws {
        try await run("SAML", passcodes: true) { mock, session, settings in
            let authenticator = authenticator(settings, at: mock)
            session.register(SAMLObserver(settingsParameters: settings))
            session.register(OTPObserver(authenticator: authenticator))
            let request = Task { try await user(of: session, at: mock) }
            defer { request.cancel() }
            let scheme = try #require(authenticator.callbackScheme)
            try await within("the page for the passcode is shown") {
                while mock.statistics.passcodes.forms == 0, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(10)) }
            }
            // After the start of the browser, which can take as long as a passcode is valid.
            let url = try #require(mock.authenticatorApp(for: "alice").callback(scheme: scheme))
            #expect(authenticator.application(open: url))
            #expect(try await request.value == "alice")
        }
    }

    @Test func `a page without a challenge before it is explained by its status`() async throws {
        try await run("SAML", passcodes: true) { mock, session, settings in
            let authenticator = authenticator(settings, at: mock)
            let error = await #expect(throws: OTPError.self) { try await authenticator.authenticate(session: session) }
            let text = error.map { "\($0)" } ?? ""
            for part in ["has not requested a passcode", "status 404"] { #expect(text.contains(part), "\(text)") }
        }
    }

    @Test func `OAuth 2 comes back from a browser by the application's own scheme`() async throws {
        try await run("OAuth2") { mock, session, settings in
            let parameters = OAuth2AuthenticationParameters(
                settingsParameters: settings, clientID: "countersign",
                redirectURL: try #require(URL(string: "com.example.countersign://oauth2/callback")))
            session.register(OAuth2Observer(authenticationParameters: parameters, tokenStore: MemoryTokenStore()))
            let user = try await user(of: session, at: mock)
            #expect(user == "alice")
            #expect(mock.statistics.oauth2.tokenAnswers[.authorizationCode] == 1)
        }
    }
}
#endif
