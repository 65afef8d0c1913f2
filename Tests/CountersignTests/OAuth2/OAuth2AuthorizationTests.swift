import Foundation
import Testing

@testable import Countersign

@Suite struct `Answers of an authorization endpoint` {
    private let issuer = "https://honest.as.example"
    private let state = RandomText.make()

    /// A page whose response must contain the state and, if one is expected, the issuer. Its code is captured.
    private static let program = MethodProgram(
        name: "Page", summary: "A page.",
        slots: [
            .parameter("redirect"), .parameter("state"), .parameter("issuer"),
            .step("code", isSecret: true),
        ], challenges: [], credential: CredentialShape(destinations: []), acquire: [.present(page)])

    private static let page = LoginPage(
        "https://login.example/authorize", query: [], redirect: 0,
        verify: [
            HTTPCall.Member("state", ProgramTemplate(.slot(1))), HTTPCall.Member("iss", ProgramTemplate(.slot(2))),
        ],
        answers: [
            HTTPCall.Answer(
                ChallengePattern("refused", query: [ChallengePattern.Named("error", .present)]), isRefusal: true),
            HTTPCall.Answer(
                ChallengePattern(
                    "answer", query: [ChallengePattern.Named("code", .present)],
                    captures: [.slot(3, from: .query("code"))])),
        ], failures: [.server: 0])

    /// Returns the result of a callback, in which `STATE` stands for the login's state.
    private func code(_ callback: String, _ issuer: String? = nil) async throws -> Result<String?, any Error> {
        let url = try #require(URL(string: callback.replacing("STATE", with: state)))
        let redirect = try #require(URL(string: String(callback.prefix { $0 != "?" && $0 != "#" })))
        let presenter = ScriptedPresenter { WebPresentationResult(finishURL: url, cookies: $0.cookies) }
        let session = Session(configuration: .test(presenter: presenter), transport: ScriptedTransport { _ in Reply(500) })
        let values: [ProgramValue] = [.url(redirect), .text(state), issuer.map(ProgramValue.text) ?? .absent, .absent]
        let method = PreparedProgram(Self.program, values: values) { _, _, cause in LoginError.page(cause) }
        let run = PageRun(
            page: Self.page, method: method, session: session, values: values, cookies: nil, initialCookies: session.cookies,
            report: { _ in })
        do {
            return .success(try await run.outcome().values[3]?.text)
        } catch {
            return .failure(error)
        }
    }

    /// Returns the error of an invalid callback.
    private func error(_ callback: String, _ issuer: String? = nil) async throws -> String? {
        guard case .failure(let error) = try await code(callback, issuer) else { return nil }
        return try #require(error as? CountersignError).detail
    }

    /// Returns the server's error in a callback.
    private func serverError(_ callback: String) async throws -> OAuth2ServerError? {
        guard case .failure(LoginError.page(let error)) = try await code(callback) else { return nil }
        return error as? OAuth2ServerError
    }

    @Test(arguments: [
        "https://client.example.com/cb?code=SplxlOBeZQQYbYS6WxSbIA&state=STATE",
        "https://client.example.com/cb?own=1&state=STATE&code=SplxlOBeZQQYbYS6WxSbIA&session_state=x#_=_",
        "http://127.0.0.1:51004/?code=Splxl%4fBeZQQYbYS6WxSbIA&state=STATE",
        "com.example.app:/oauth2redirect?code=SplxlOBeZQQYbYS6WxSbIA&state=STATE#",
        // A server can name the lifetime of the code.
        "https://client.example.com/cb?expires_in=600&code=SplxlOBeZQQYbYS6WxSbIA&state=STATE&type=code&token_type=bearer",
        "com.example.app://host?code=SplxlOBeZQQYbYS6WxSbIA&state=STATE&iss=https%3A%2F%2Fanyone.example&error=",
    ])
    func `RFC 6749 section 4.1.2, a code comes with the login's state`(callback: String) async throws {
        #expect(try await code(callback).get() == "SplxlOBeZQQYbYS6WxSbIA")
    }

    // MARK: State

    @Test(arguments: [
        "code=c", "error=access_denied", "code=c&State=STATE", "", "code=c&state", "code=c&state=", "error=access_denied&state=",
    ])
    func `RT-35 an answer without a state is refused, an error too`(query: String) async throws {
        #expect(try await error("https://c.example/cb?\(query)") == OAuth2CallbackError.unverified("state").summary)
    }

    @Test(arguments: ["x", "STATEx", "xSTATE", "STATE%20", "STATE%00", "state"])
    func `RT-35 an answer with another state is refused, an error too`(state: String) async throws {
        #expect(try await error("https://c.example/cb?code=c&state=\(state)") == OAuth2CallbackError.mismatch("state").summary)
        #expect(
            try await error("https://c.example/cb?error=access_denied&state=\(state)")
                == OAuth2CallbackError.mismatch("state").summary)
    }

    @Test func `RT-35 the state of another login is refused`() async throws {
        #expect(
            try await error("https://c.example/cb?code=c&state=\(RandomText.make())")
                == OAuth2CallbackError.mismatch("state").summary)
    }

    // MARK: Shape

    @Test(arguments: [
        "state=STATE&state=STATE&code=c", "state=STATE&state=x&code=c", "state=STATE&code=c&code=c", "state=STATE&code=c&c%6Fde=d",
        "state=STATE&error=a&error=b", "state=STATE&code=c&iss=a&iss=b", "state=STATE&code=c&x=1&x=1",
    ])
    func `RT-35 a parameter is there once`(query: String) async throws {
        #expect(try await error("https://c.example/cb?\(query)") == OAuth2CallbackError.repeatedParameter.summary)
        #expect(try await error("https://c.example/cb#\(query)") == OAuth2CallbackError.repeatedParameter.summary)
    }

    @Test(arguments: [
        "access_token=t", "id_token=t", "refresh_token=t", "access_token=t&token_type=bearer&expires_in=1", "access_token=",
    ])
    func `RT-36 B14 a token in the callback is refused, wherever it stands`(tokens: String) async throws {
        #expect(try await error("https://c.example/cb?state=STATE&code=c&\(tokens)") == OAuth2CallbackError.tokenInCallback.summary)
        #expect(try await error("https://c.example/cb?state=STATE&code=c#\(tokens)") == OAuth2CallbackError.tokenInCallback.summary)
        #expect(try await error("https://c.example/cb?state=STATE&\(tokens)") == OAuth2CallbackError.tokenInCallback.summary)
        #expect(try await error("https://c.example/cb#state=STATE&\(tokens)") == OAuth2CallbackError.unverified("state").summary)
    }

    @Test func `RT-35 an answer in the fragment is refused`() async throws {
        #expect(try await error("https://c.example/cb#state=STATE&code=c") == OAuth2CallbackError.unverified("state").summary)
        #expect(try await error("https://c.example/cb?state=STATE#code=c") == OAuth2CallbackError.answerInFragment.summary)
        #expect(
            try await error("https://c.example/cb?state=STATE&code=c#state=STATE") == OAuth2CallbackError.answerInFragment.summary)
        #expect(try await error("https://c.example/cb?state=STATE&code=c#error=x") == OAuth2CallbackError.answerInFragment.summary)
    }

    @Test(arguments: ["state=STATE", "state=STATE&code", "state=STATE&code=", "state=STATE&Code=c"])
    func `an answer without a code is an error`(query: String) async throws {
        #expect(try await error("https://c.example/cb?\(query)") == "the login page's response has neither 'code' nor an error")
    }

    @Test func `a code can be as long as its URL`() async throws {
        let long = String(repeating: "c", count: 60_000)
        #expect(try await code("https://c.example/cb?state=STATE&code=\(long)").get() == long)
    }

    @Test func `what cannot be decoded is refused, and so is what is too long`() async throws {
        #expect(try await error("https://c.example/cb?state=STATE&code=%FF") == OAuth2CallbackError.malformed.summary)
        #expect(
            try await error("https://c.example/cb?state=STATE&code=" + String(repeating: "c", count: 70_000))
                == OAuth2CallbackError.malformed.summary)
    }

    @Test func `a code is decoded as in a form`() async throws {
        #expect(try await code("https://c.example/cb?state=STATE&code=a%2Bb+c%25").get() == "a+b c%")
    }

    // MARK: The server

    // RFC 6749, section 4.1.2.1.
    @Test func `RFC 6749 section 4.1.2.1, the server's error is read`() async throws {
        let callback =
            "https://c.example/cb?error=access_denied&state=STATE&error_description=Not+now%0A&error_uri=https%3A%2F%2Fas.test"
        let error = try #require(try await serverError(callback))
        #expect(error.code == "access_denied")
        #expect(error.message == "Not now")
        #expect(error.uri == "https://as.test")
        #expect(error.state == state)
        #expect(error.responseData == nil)
    }

    @Test func `an error with a code is an error, and unknown codes are kept`() async throws {
        #expect(try await serverError("https://c.example/cb?error=x.y&code=c&state=STATE")?.code == "x.y")
    }

    // RFC 9207, section 2.
    @Test func `RFC 9207, the issuer that was expected is accepted`() async throws {
        let callback =
            "https://c.test/?code=x1848ZT64p4IirMPT0R-X3141MFPTuBX-VFL_cvaplMH58&state=STATE&iss=https%3A%2F%2Fhonest.as.example"
        #expect(try await code(callback, issuer).get() == "x1848ZT64p4IirMPT0R-X3141MFPTuBX-VFL_cvaplMH58")
    }

    @Test(arguments: [
        "https%3A%2F%2Fattacker.example", "https%3A%2F%2Fhonest.as.example%2F", "https%3A%2F%2FHonest.as.example",
        "https%3A%2F%2Fhonest.as.example%3A443", "http%3A%2F%2Fhonest.as.example", "https%3A%2F%2Fhonest.as.example%00",
    ])
    func `RT-37 B3 another issuer is refused, compared exactly, and its error is not believed`(issuer: String) async throws {
        #expect(
            try await error("https://c.example/cb?code=c&state=STATE&iss=\(issuer)", self.issuer)
                == OAuth2CallbackError.mismatch("iss").summary)
        #expect(
            try await error("https://c.example/cb?error=access_denied&state=STATE&iss=\(issuer)", self.issuer)
                == OAuth2CallbackError.mismatch("iss").summary)
    }

    @Test(arguments: ["", "&iss", "&iss="]) func `RT-37 B3 an issuer that was announced has to be there, in an error too`(
        issuer: String
    ) async throws {
        #expect(
            try await error("https://c.example/cb?code=c&state=STATE\(issuer)", self.issuer)
                == OAuth2CallbackError.unverified("iss").summary)
        #expect(
            try await error("https://c.example/cb?error=x&state=STATE\(issuer)", self.issuer)
                == OAuth2CallbackError.unverified("iss").summary)
    }

    @Test func `RT-37 an issuer that only looks the same is another`() async throws {
        let expected = "https://as.example/caf\u{E9}"
        #expect(try await error("https://c.example/cb?code=c&state=STATE&iss=https://as.example/caf%C3%A9", expected) == nil)
        #expect(
            try await error("https://c.example/cb?code=c&state=STATE&iss=https://as.example/cafe%CC%81", expected)
                == OAuth2CallbackError.mismatch("iss").summary)
    }
}
