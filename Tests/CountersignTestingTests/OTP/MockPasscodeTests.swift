@_spi(Generated) import Countersign
import CountersignTesting
import Foundation
import NIOHTTP1
import TestTurns
import Testing

/// The server of the second factor, step by step.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct MockPasscodeTests {
    private static let form = "mobileservices/OTPForm?redirecttooriginalurl=false"

    /// Runs a test with a mock with SAML and passcodes, a client, and the cookies of a user who has logged in and must enter a
    /// passcode.
    private func run(
        page: String = "mobileservices/OTPForm?redirecttooriginalurl=false", rules: ServerRules = .sample,
        options: MockOptions = MockOptions(), _ body: (MockLandscape, RawClient, Cookies) async throws -> Void
    ) async throws {
        let landscape = Landscape(name: "Sample", summary: "A sample.", loggingPrefix: "Sample") { base in
            SampleLandscape().landscape.methods(base) + [Self.description(at: base, page: page)]
        }
        try await MockLandscape.run(landscape, rules: rules, options: options) { mock in
            try await RawClient.run { client in
                let session = try await Login(client: client, mock: mock).session()
                let challenge = try await client.get(mock.baseURL.appending(path: "resource/OTP/x"), cookies: [session])
                #expect(challenge.status == 200)
                #expect(challenge.headers.first(name: "x-smp-authentication") == "otp-challenge")
                let demand = challenge.cookie("mock-passcode-demand")
                #expect(demand != nil)
                try await body(mock, client, Cookies(session: session, demand: demand))
            }
        }
    }

    private struct Cookies {
        let session, demand: String?
        var both: [String?] { [session, demand] }
    }

    private static func description(at base: URL, page: String) -> MethodDescription {
        let url = URL(string: "\(base)/\(page)") ?? base
        let finish = URL(string: "\(base)/mobileservices/OTPForm?finished=true") ?? base
        let program = MethodProgram(
            name: "OTP", summary: "A passcode.", slots: [.parameter("form"), .parameter("finish")],
            challenges: [ChallengePattern("otp", statuses: [401])],
            credential: CredentialShape(destinations: [], isSessionCookies: true),
            acquire: [.present(LoginPage(ProgramTemplate(.slot(0)), endsAt: ProgramTemplate(.slot(1)), match: .exact))])
        return program.description(
            mock: MockDescription(sessionCookie: "otp", passwordField: "j_passcode", page: .passcode),
            parameters: [.url(url), .url(finish)])
    }

    private func post(
        _ code: String, _ mock: MockLandscape, _ client: RawClient, _ cookies: Cookies, page: String = form
    ) async throws -> RawClient.Answer {
        try await client.post("\(mock.baseURL)/\(page)", form: ["j_passcode": code], cookies: cookies.both)
    }

    private func get(
        _ path: String, _ mock: MockLandscape, _ client: RawClient, _ cookies: [String?]
    ) async throws -> RawClient.Answer {
        try await client.send(.GET, "\(mock.baseURL)/\(path)", cookies: cookies)
    }

    @Test func `a good code begins a session, for its user and the resources that ask for it`() async throws {
        try await run { mock, client, cookies in
            let page = try await get(Self.form, mock, client, cookies.both)
            #expect(page.status == 200)
            #expect(page.formFields == ["j_passcode": ""])
            let done = try await client.post(
                mock.baseURL.absoluteString + (page.formAction ?? ""),
                form: ["j_passcode": mock.authenticatorApp(for: "alice").code],
                cookies: cookies.both)
            #expect(done.status == 302)
            #expect(done.location == "\(mock.baseURL)/mobileservices/OTPForm?finished=true")
            let otp = done.cookie("otp")
            let answer1 = try await get("resource/OTP/x", mock, client, [cookies.session, otp])
            #expect(answer1.text.contains("alice"))
            #expect(try await get("mobileservices/OTPForm?finished=true", mock, client, [otp]).status == 200)
            // The first factor of another user and this passcode are not two factors of one user.
            let other = try await Login(client: client, mock: mock).session(user: "jürgen", password: "pässwörd€")
            let challenge = try await get("resource/OTP/x", mock, client, [other, otp])
            #expect(challenge.headers.first(name: "x-smp-authentication") == "otp-challenge")
            #expect(mock.statistics.passcodes.logins == 1)
        }
    }

    @Test func `nobody but a browser that was asked gets the form`() async throws {
        try await run { mock, client, cookies in
            for stranger in [[], [cookies.session], ["mock-passcode-demand=0"]] {
                #expect(try await get(Self.form, mock, client, stranger).status == 404)
            }
            #expect(try await get("mobileservices/OTPForm?finished=true", mock, client, cookies.both).status == 404)
            #expect(mock.statistics.passcodes.unasked == 4)
            // Without the first factor, the challenge is for that one.
            let answer2 = try await get("resource/OTP/x", mock, client, [])
            #expect(answer2.headers.contains(name: challengeField))
        }
    }

    @Test func `a wrong code gets the form again, and a good one is good once`() async throws {
        try await run { mock, client, cookies in
            let app = mock.authenticatorApp(for: "alice")
            for wrong in ["", "12345", "abcdef", app.code + "0", mock.authenticatorApp(for: "jürgen").code] where wrong != app.code
            {
                let page = try await post(wrong, mock, client, cookies)
                #expect(page.status == 200)
                #expect(page.text.contains("wrong"))
            }
            let code = app.code
            #expect(try await post(code, mock, client, cookies).status == 302)
            // The demand is answered, and another demand does not accept the same code again.
            #expect(try await post(code, mock, client, cookies).status == 404)
            let again = try await get("resource/OTP/x", mock, client, [cookies.session])
            let next = Cookies(session: cookies.session, demand: again.cookie("mock-passcode-demand"))
            let answer3 = try await post(code, mock, client, next)
            #expect(answer3.text.contains("used"))
            mock.advancePasscodes()
            #expect(try await post(app.code, mock, client, next).status == 302)
            #expect(mock.statistics.passcodes.usedCodes == 1)
        }
    }

    @Test(arguments: [(-2, false), (-1, true), (0, true), (1, true), (2, false)])
    func `RFC 6238 section 5.2, a clock may differ by one step`(_ steps: Int, _ isGood: Bool) async throws {
        let now = Date(timeIntervalSince1970: 1_700_000_015)
        var options = MockOptions()
        options.passcodes.now = { now }
        options.passcodes.formLifetime = 3600
        try await run(options: options) { mock, client, cookies in
            let app = mock.authenticatorApp(for: "alice")
            mock.advancePasscodes(by: steps)
            let code = app.code
            mock.advancePasscodes(by: -steps)
            let answer = try await post(code, mock, client, cookies)
            #expect(answer.status == (isGood ? 302 : 200))
        }
    }

    @Test func `a demand expires`() async throws {
        try await run { mock, client, cookies in
            mock.advancePasscodes(by: 11)
            let answer = try await get(Self.form, mock, client, cookies.both)
            #expect(answer.status == 404)
        }
    }

    @Test func `a code can come in the address, with its user's name`() async throws {
        try await run { mock, client, cookies in
            let code = mock.authenticatorApp(for: "alice").code
            let other = try await get("\(Self.form)&username=j%C3%BCrgen&passcode=\(code)", mock, client, cookies.both)
            #expect(other.text.contains("wrong"))
            let answer4 = try await get("\(Self.form)&username=bob&passcode=\(code)", mock, client, cookies.both)
            #expect(answer4.text.contains("wrong"))
            #expect(try await get("\(Self.form)&username=alice&passcode=\(code)", mock, client, cookies.both).status == 302)
        }
    }

    @Test func `a page without its parameter leads back to the address that was asked for`() async throws {
        try await run { mock, client, cookies in
            let code = mock.authenticatorApp(for: "alice").code
            let done = try await post(code, mock, client, cookies, page: "mobileservices/OTPForm")
            #expect(done.location == "/")
        }
    }

    @Test func `the app shows no code where it is printed`() async throws {
        try await run { mock, _, _ in
            #expect("\(mock.authenticatorApp(for: "jürgen"))" == "MockAuthenticatorApp(for jürgen, redacted)")
        }
    }

    @Test func `the form has a link to an authenticator app only where the rules name one`() async throws {
        try await run { mock, client, cookies in
            let page = try await get(Self.form, mock, client, cookies.both)
            #expect(!page.text.contains("Open the authenticator"))
        }
        var rules = ServerRules.sample
        rules.passcodeForm?.authenticator = "com.example.authenticator://"
        try await run(rules: rules) { mock, client, cookies in
            let page = try await get(Self.form, mock, client, cookies.both)
            #expect(page.text.contains("<a href=\"com.example.authenticator://\">Open the authenticator</a>"))
        }
    }

    @Test func `what options name needs a passcode, and nothing else`() async throws {
        var options = MockOptions()
        options.passcodes.resources = "/secret"
        try await run(options: options) { mock, client, cookies in
            let answer5 = try await get("secret", mock, client, [cookies.session])
            #expect(answer5.headers.contains(name: "x-smp-authentication"))
            let answer6 = try await get("other", mock, client, [cookies.session])
            #expect(answer6.text.contains("alice"))
        }
    }

    @Test func `a logout ends the second factor, too`() async throws {
        try await run { mock, client, cookies in
            let otp = try await post(mock.authenticatorApp(for: "alice").code, mock, client, cookies).cookie("otp")
            let logout = "\(mock.baseURL)/mobileservices/sessions/logout"
            _ = try await client.send(.POST, logout, cookies: [cookies.session, otp])
            let session = try await Login(client: client, mock: mock).session()
            let answer7 = try await get("resource/OTP/x", mock, client, [session, otp])
            #expect(answer7.headers.contains(name: "x-smp-authentication"))
        }
    }
}
