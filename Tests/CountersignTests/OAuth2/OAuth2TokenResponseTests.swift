import Countersign
import Foundation
import HTTPTypes
import Testing

@Suite struct `Token responses` {
    @Test func `RFC 6749 section 5.1, the example`() throws {
        let issued = try TokenAnswer(
            """
            {
              "access_token":"2YotnFZFEjr1zCsicMWpAA",
              "token_type":"bearer",
              "expires_in":3600,
              "refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA",
              "example_parameter":"example_value"
            }
            """
        ).read()
        let token = OAuth2Token(
            accessToken: "2YotnFZFEjr1zCsicMWpAA", tokenType: "bearer", expiryDate: Date(timeIntervalSince1970: 1_003_600),
            scopes: ["asked"], refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA")
        #expect(issued == OAuth2IssuedToken(token: token, lifetime: TokenLifetime(.seconds(3600), from: .seconds(500), jitter: 0)))
    }

    // MARK: The lifetime

    @Test(
        arguments: [
            (#""expires_in":3600"#, 3600), (#""expires_in":"3600""#, 3600), (#""expires_in":3599.5"#, 3599.5),
            (#""expires_in":"60.25""#, 60.25),
            (#""expires_in":3.6e3"#, 3600), (#""expires_in":1"#, 1), (#""expires_in":9223372036854775807"#, 2_147_483_647),
            (#""expires_in":18446744073709551616"#, 2_147_483_647), (#""expires_in":1e300"#, 2_147_483_647),
            (#""expires_in":"99999999999999999999999999""#, 2_147_483_647),
            (#""expires_in":2147483648"#, 2_147_483_647),
        ] as [(String, Double)])
    func `RT-26 a number above zero is the lifetime, counted from arrival`(member: String, seconds: Double) throws {
        let issued = try TokenAnswer.token(member).read()
        #expect(issued.lifetime == TokenLifetime(.seconds(seconds), from: .seconds(500), jitter: 0))
        #expect(issued.token.expiryDate == Date(timeIntervalSince1970: 1_000_000 + seconds))
    }

    @Test(arguments: [
        "", #""expires_in":null"#, #""expires_in":0"#, #""expires_in":-0.0"#, #""expires_in":-3600"#, #""expires_in":"-3600""#,
        #""expires_in":"soon""#, #""expires_in":"""#, #""expires_in":"0x10""#, #""expires_in":"inf""#, #""expires_in":"nan""#,
        #""expires_in":"1.2.3""#, #""expires_in":".""#, #""expires_in":"３６""#, #""expires_in":true"#, #""expires_in":[3600]"#,
        #""expires_in":{"s":1}"#, #""expires_in":"PT1H""#, #""expires_in":1e-400"#,
    ])
    func `RT-26 anything else is no statement, and the token is used until it is challenged`(member: String) throws {
        let issued = try TokenAnswer.token(member).read()
        #expect(issued.token.accessToken == "AT")
        #expect(issued.token.expiryDate == nil)
        #expect(issued.lifetime.phase(at: .seconds(1_000_000)) == .fresh)
    }

    @Test func `RT-26 a number that no Swift number holds loses no token`() throws {
        #expect(try TokenAnswer.token(#""expires_in":1e400,"refresh_token":"RT""#).read().token.refreshToken == "RT")
    }

    // MARK: Type and characters

    @Test(arguments: ["Bearer", "bearer", "BEARER", "bEaReR"]) func `the type counts in any case, and stays as it was written`(
        type: String
    ) throws {
        #expect(try TokenAnswer.token(type: type).read().token.tokenType == type)
    }

    @Test(arguments: ["mac", "DPoP", "N_A", "Bearer\\u0020", "Bearer\\u0000"]) func `a token of another type is not used`(
        type: String
    ) {
        #expect(TokenAnswer.token(type: type).failure()?.reason == .response(.unsupportedTokenType))
    }

    @Test(arguments: [
        #"a\r\nX-Evil: 1"#, #"a\nb"#, #"a\rb"#, #"a\u0000b"#, #"a\tb"#, "a b", " a", "a ", "é", #"\u00e9"#, #"a\u007f"#, "🔑",
        #"\ud83d\udd11"#,
    ])
    func `RT-39 an access token that no field can carry is refused`(accessToken: String) {
        #expect(TokenAnswer.token(accessToken: accessToken).failure()?.reason == .response(.unusableMember("access_token")))
    }

    @Test(arguments: [#"\ud83d"#, "a\u{1}b", "a\nb"]) func `RT-39 an access token that is no JSON text is refused`(
        accessToken: String
    ) {
        #expect(TokenAnswer.token(accessToken: accessToken).failure() != nil)
    }

    @Test(
        arguments: [
            (#"{"token_type":"Bearer"}"#, .missingMember("access_token")),
            (#"{"access_token":"","token_type":"Bearer"}"#, .missingMember("access_token")),
            (#"{"access_token":null,"token_type":"Bearer"}"#, .missingMember("access_token")),
            (#"{"access_token":["AT"],"token_type":"Bearer"}"#, .unusableMember("access_token")),
            (#"{"access_token":7,"token_type":"Bearer"}"#, .unusableMember("access_token")),
            (#"{"access_token":"AT"}"#, .missingMember("token_type")),
            (#"{"access_token":"AT","token_type":""}"#, .missingMember("token_type")),
            (#"{"access_token":"AT","token_type":1}"#, .unusableMember("token_type")),
            (#"{}"#, .missingMember("access_token")),
            (#"{"Access_Token":"AT","token_type":"Bearer"}"#, .missingMember("access_token")),
        ] as [(String, OAuth2ResponseProblem)])
    func `what is needed to use a token has to be there`(body: String, problem: OAuth2ResponseProblem) {
        let failure = TokenAnswer(body).failure()
        #expect(failure?.reason == .response(problem))
        #expect(failure?.failureClass == .configuration)
    }

    // MARK: Scope and refresh token

    @Test(
        arguments: [
            (#""scope":"a b c""#, ["a", "b", "c"]), (#""scope":" a  b ""#, ["a", "b"]), (#""scope":["a","b c"]"#, ["a", "b", "c"]),
            (#""scope":"a a""#, ["a"]), ("", ["asked"]), (#""scope":"""#, ["asked"]), (#""scope":" ""#, ["asked"]),
            (#""scope":[]"#, ["asked"]),
            (#""scope":null"#, ["asked"]), (#""scope":7"#, ["asked"]), (#""scope":["a",7]"#, ["asked"]),
        ] as [(String, Set<String>)])
    func `the scopes are a text or a list, and without a statement those that were asked for`(member: String, scopes: Set<String>)
        throws
    {
        #expect(try TokenAnswer.token(member).read().token.scopes == scopes)
    }

    @Test(arguments: [
        ("", "old"), (#""refresh_token":null"#, "old"), (#""refresh_token":"""#, "old"), (#""refresh_token":7"#, "old"),
        (#""refresh_token":"new""#, "new"),
    ])
    func `a renewal without a refresh token keeps the old one`(member: String, expected: String) throws {
        let old = OAuth2Token(accessToken: "x", tokenType: "Bearer", scopes: ["granted"], refreshToken: "old")
        let token = try TokenAnswer.token(member).read(OAuth2TokenResponseReader(renewing: old)).token
        #expect(token.refreshToken == expected)
        // RFC 6749, section 6: without a scope in the response, the scope is that granted before.
        #expect(token.scopes == ["granted"])
        #expect(token.accessToken == "AT")
        #expect(try TokenAnswer.token().read().token.refreshToken == nil)
    }

    // MARK: Invalid token responses

    @Test(arguments: [
        "<!DOCTYPE html><html><body>Log in</body></html>", "[]", "null", "\"AT\"", "access_token=AT&token_type=bearer", "{oops}",
        #"{"a":1}}"#, "{'access_token':'AT'}", #"{"access_token":AT}"#,
    ])
    func `HTML instead of JSON, and all else that is no object, comes from something in between`(body: String) {
        let failure = TokenAnswer(body).failure()
        #expect(failure?.reason == .response(.notJSON))
        #expect(failure?.failureClass == .transient(retryAfter: nil))
    }

    @Test func `RT-23 every beginning of an answer is as ambiguous as no answer`() throws {
        let whole = TokenAnswer.token(#""expires_in":3600,"x":{"y":["\"}"]},"scope":"a b""#)
        #expect(whole.failure() == nil)
        for length in whole.body.indices {
            var half = whole
            half.body = Array(whole.body[..<length])
            let failure = try #require(half.failure())
            #expect(failure.reason == .response(.truncated))
            #expect(failure.failureClass == .ambiguous)
        }
    }

    @Test func `the body decides, not what it is called`() throws {
        #expect(
            try TokenAnswer("\u{FEFF}" + #" {"access_token":"AT","token_type":"Bearer"}"#, [.contentType: "text/html"]).read().token
                .accessToken == "AT")
        var answer = TokenAnswer.token()
        answer.fields = [:]
        #expect(answer.failure() == nil)
    }

    @Test(arguments: [UInt8(0), 0xFF]) func `texts in other encodings are refused`(filler: UInt8) {
        var answer = TokenAnswer.token()
        answer.body = answer.body.flatMap { [$0, filler] }
        #expect(answer.failure()?.reason == .response(.notJSON))
    }

    // MARK: Limits

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"]) func `a nesting bomb is refused before it is decoded`(piece: String) {
        for prefix in [#"{"access_token":"AT","token_type":"Bearer","x":"#, "{\"a\":"] {
            let body = prefix + String(repeating: piece, count: 100_000)
            #expect(TokenAnswer(body).failure()?.reason == .response(.tooComplex))
        }
    }

    @Test func `nesting counts outside of texts alone, and 32 levels are allowed`() {
        let brackets = String(repeating: "[{", count: 1000)
        #expect(TokenAnswer.token(#""x":"\#(brackets)\\\"""#).failure() == nil)
        func nested(_ levels: Int) -> TokenAnswer {
            .token(#""x":"# + String(repeating: "[", count: levels) + String(repeating: "]", count: levels))
        }
        #expect(nested(31).failure() == nil)
        #expect(nested(32).failure()?.reason == .response(.tooComplex))
    }

    @Test func `many members are refused`() {
        func members(_ count: Int) -> TokenAnswer { .token((0..<count).map { #""m\#($0)":0"# }.joined(separator: ",")) }
        #expect(members(254).failure() == nil)
        #expect(members(255).failure()?.reason == .response(.tooComplex))
    }

    @Test func `a body of more than a mebibyte is refused, and one of that size read`() {
        let empty = TokenAnswer.token(#""x":"""#).body.count
        func sized(_ size: Int) -> TokenAnswer { .token(#""x":"\#(String(repeating: "x", count: size - empty))""#) }
        #expect(OAuth2TokenResponseReader.maximumBodySize == 1_048_576)
        #expect(sized(1_048_576).failure() == nil)
        #expect(sized(1_048_577).failure()?.reason == .response(.tooLarge))
    }

    @Test(arguments: [
        "access_token", "token_type", "expires_in", "refresh_token", "scope", "error", "state", #"access\u005ftoken"#,
    ])
    func `a member that matters is there once`(name: String) {
        let twice = TokenAnswer(#"{"access_token":"AT","token_type":"Bearer","\#(name)":"x","x":{},"\#(name)":"x"}"#)
        #expect(twice.failure()?.reason == .response(.repeatedMember))
    }

    @Test func `other members may be there twice, and inner ones do not count`() throws {
        let answer = TokenAnswer.token(
            #""x":1,"x":{"access_token":"in","access_token":"in"},"y":["access_token"],"z":"access_token""#)
        #expect(try answer.read().token.accessToken == "AT")
    }

    @Test(arguments: 0..<4) func `no bytes stop the program`(seed: Int) throws {
        var random = CookieRandom(seed: UInt64(seed))
        let whole = TokenAnswer.token(#""expires_in":3600,"x":{"y":["\"}"]},"scope":"a b","\u0061":1e5"#)
        let pieces = Array(#"{}[]",:\u0e+-. "#.utf8) + [0, 0xFF, 0xC3, 0xED]
        var tokens = 0
        for _ in 0..<3000 {
            var answer = whole
            answer.status = [200, 200, 400, 500].randomElement(using: &random) ?? 200
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<answer.body.count, using: &random)
                if let piece = pieces.randomElement(using: &random) { answer.body[place] = piece }
            }
            guard let issued = try? answer.read() else { continue }
            tokens += 1
            #expect(issued.token.authorizationField != nil)
        }
        #expect((1..<3000).contains(tokens))
    }
}
