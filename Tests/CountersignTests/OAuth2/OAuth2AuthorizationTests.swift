@_spi(Generated) import Countersign
import Foundation
import Testing

@Suite struct `Answers of an authorization endpoint` {
    private let issuer = "https://honest.as.example"
    private let state = OAuth2State()

    /// What becomes of a callback, in which `STATE` stands for the login's state, when a flow verifies state and issuer and captures a code.
    private func code(_ callback: String, _ issuer: String? = nil) throws -> Result<String, OAuth2CallbackError> {
        let url = try #require(URL(string: callback.replacing("STATE", with: state.value)))
        return Result { () throws(OAuth2CallbackError) in
            let answer = try OAuth2AuthorizationResponse(url)
            try answer.require("state", toBe: state.value)
            if let issuer { try answer.require("iss", toBe: issuer) }
            return try answer.values(of: ["code"])[0]
        }
    }

    private func error(_ callback: String, _ issuer: String? = nil) throws -> OAuth2CallbackError? {
        switch try code(callback, issuer) {
        case .success: nil
        case .failure(let error): error
        }
    }

    @Test(arguments: [
        "https://client.example.com/cb?code=SplxlOBeZQQYbYS6WxSbIA&state=STATE",
        "https://client.example.com/cb?own=1&state=STATE&code=SplxlOBeZQQYbYS6WxSbIA&session_state=x#_=_",
        "http://127.0.0.1:51004/?code=Splxl%4fBeZQQYbYS6WxSbIA&state=STATE",
        "com.example.app:/oauth2redirect?code=SplxlOBeZQQYbYS6WxSbIA&state=STATE#",
        "com.example.app://host?code=SplxlOBeZQQYbYS6WxSbIA&state=STATE&iss=https%3A%2F%2Fanyone.example&error=",
    ])
    func `RFC 6749 section 4.1.2, a code comes with the login's state`(callback: String) throws {
        #expect(try code(callback).get() == "SplxlOBeZQQYbYS6WxSbIA")
    }

    // MARK: State

    @Test(arguments: [
        "code=c", "error=access_denied", "code=c&State=STATE", "", "code=c&state", "code=c&state=", "error=access_denied&state=",
    ])
    func `RT-35 an answer without a state is refused, an error too`(query: String) throws {
        #expect(try error("https://c.example/cb?\(query)") == .unverified("state"))
    }

    @Test(arguments: ["x", "STATEx", "xSTATE", "STATE%20", "STATE%00", "state"])
    func `RT-35 an answer with another state is refused, an error too`(state: String) throws {
        #expect(try error("https://c.example/cb?code=c&state=\(state)") == .mismatch("state"))
        #expect(try error("https://c.example/cb?error=access_denied&state=\(state)") == .mismatch("state"))
    }

    @Test func `RT-35 the state of another login is refused`() throws {
        #expect(try error("https://c.example/cb?code=c&state=\(OAuth2State().value)") == .mismatch("state"))
    }

    // MARK: Shape

    @Test(arguments: [
        "state=STATE&state=STATE&code=c", "state=STATE&state=x&code=c", "state=STATE&code=c&code=c", "state=STATE&code=c&c%6Fde=d",
        "state=STATE&error=a&error=b", "state=STATE&code=c&iss=a&iss=b", "state=STATE&code=c&x=1&x=1",
    ])
    func `RT-35 a parameter is there once`(query: String) throws {
        #expect(try error("https://c.example/cb?\(query)") == .repeatedParameter)
        #expect(try error("https://c.example/cb#\(query)") == .repeatedParameter)
    }

    @Test(arguments: [
        "access_token=t", "id_token=t", "refresh_token=t", "access_token=t&token_type=bearer&expires_in=1", "access_token=",
    ])
    func `RT-36 B14 a token in the callback is refused, wherever it stands`(tokens: String) throws {
        #expect(try error("https://c.example/cb?state=STATE&code=c&\(tokens)") == .tokenInCallback)
        #expect(try error("https://c.example/cb?state=STATE&code=c#\(tokens)") == .tokenInCallback)
        #expect(try error("https://c.example/cb?state=STATE&\(tokens)") == .tokenInCallback)
        #expect(try error("https://c.example/cb#state=STATE&\(tokens)") == .unverified("state"))
    }

    @Test func `RT-35 an answer in the fragment is refused`() throws {
        #expect(try error("https://c.example/cb#state=STATE&code=c") == .unverified("state"))
        #expect(try error("https://c.example/cb?state=STATE#code=c") == .answerInFragment)
        #expect(try error("https://c.example/cb?state=STATE&code=c#state=STATE") == .answerInFragment)
        #expect(try error("https://c.example/cb?state=STATE&code=c#error=x") == .answerInFragment)
    }

    @Test(arguments: ["state=STATE", "state=STATE&code", "state=STATE&code=", "state=STATE&Code=c"])
    func `an answer without a code is an error`(query: String) throws {
        #expect(try error("https://c.example/cb?\(query)") == .missing("code"))
    }

    @Test func `what cannot be decoded is refused, and so is what is too long`() throws {
        #expect(try error("https://c.example/cb?state=STATE&code=%FF") == .malformed)
        #expect(try error("https://c.example/cb?state=STATE&code=" + String(repeating: "c", count: 70_000)) == .malformed)
    }

    @Test func `a code is decoded as in a form`() throws {
        #expect(try code("https://c.example/cb?state=STATE&code=a%2Bb+c%25").get() == "a+b c%")
    }

    // MARK: The server

    // RFC 6749, section 4.1.2.1.
    @Test func `RFC 6749 section 4.1.2.1, the server's error is read`() throws {
        guard
            case .failure(.server(let error)) = try code(
                "https://c.example/cb?error=access_denied&state=STATE&error_description=Not+now%0A&error_uri=https%3A%2F%2Fas.test")
        else {
            Issue.record("no server error")
            return
        }
        #expect(error.code == "access_denied")
        #expect(error.message == "Not now")
        #expect(error.uri == "https://as.test")
        #expect(error.state == state.value)
        #expect(error.responseData == nil)
    }

    @Test func `an error with a code is an error, and unknown codes are kept`() throws {
        guard case .server(let server)? = try error("https://c.example/cb?error=x.y&code=c&state=STATE") else {
            Issue.record("no server error")
            return
        }
        #expect(server.code == "x.y")
    }

    // RFC 9207, section 2.
    @Test func `RFC 9207, the issuer that was expected is accepted`() throws {
        let callback =
            "https://c.test/?code=x1848ZT64p4IirMPT0R-X3141MFPTuBX-VFL_cvaplMH58&state=STATE&iss=https%3A%2F%2Fhonest.as.example"
        #expect(try code(callback, issuer).get() == "x1848ZT64p4IirMPT0R-X3141MFPTuBX-VFL_cvaplMH58")
    }

    @Test(arguments: [
        "https%3A%2F%2Fattacker.example", "https%3A%2F%2Fhonest.as.example%2F", "https%3A%2F%2FHonest.as.example",
        "https%3A%2F%2Fhonest.as.example%3A443", "http%3A%2F%2Fhonest.as.example", "https%3A%2F%2Fhonest.as.example%00",
    ])
    func `RT-37 B3 another issuer is refused, compared exactly, and its error is not believed`(issuer: String) throws {
        #expect(try error("https://c.example/cb?code=c&state=STATE&iss=\(issuer)", self.issuer) == .mismatch("iss"))
        #expect(try error("https://c.example/cb?error=access_denied&state=STATE&iss=\(issuer)", self.issuer) == .mismatch("iss"))
    }

    @Test(arguments: ["", "&iss", "&iss="]) func `RT-37 B3 an issuer that was announced has to be there, in an error too`(
        issuer: String
    ) throws {
        #expect(try error("https://c.example/cb?code=c&state=STATE\(issuer)", self.issuer) == .unverified("iss"))
        #expect(try error("https://c.example/cb?error=x&state=STATE\(issuer)", self.issuer) == .unverified("iss"))
    }

    @Test func `RT-37 an issuer that only looks the same is another`() throws {
        let expected = "https://as.example/caf\u{E9}"
        #expect(try error("https://c.example/cb?code=c&state=STATE&iss=https://as.example/caf%C3%A9", expected) == nil)
        #expect(
            try error("https://c.example/cb?code=c&state=STATE&iss=https://as.example/cafe%CC%81", expected) == .mismatch("iss"))
    }
}
