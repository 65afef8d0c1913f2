import Countersign
import Foundation
import Testing

@Suite struct `Forms` {
    // RFC 6749, appendix B.
    @Test func `RFC 6749 appendix B, the example`() {
        #expect(FormEncoding.encode(" %&+£€") == "+%25%26%2B%C2%A3%E2%82%AC")
        #expect(FormEncoding.decode("+%25%26%2B%C2%A3%E2%82%AC") == " %&+£€")
    }

    // URL standard, section 5.2: application/x-www-form-urlencoded percent-encode set.
    @Test func `only letters, digits and four signs stand for themselves`() {
        let ascii = String(decoding: Array(UInt8(0)...0x7F), as: UTF8.self)
        let plain = FormEncoding.encode(ascii).replacing(/%[0-9A-F]{2}/, with: "")
        #expect(plain == "+*-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")
        #expect(FormEncoding.encode("~'()!\r\n\0") == "%7E%27%28%29%21%0D%0A%00")
        #expect(FormEncoding.encode("a b", space: .percent) == "a%20b")
    }

    @Test(arguments: 0..<50) func `every text can be read again`(seed: Int) {
        var random = CookieRandom(seed: UInt64(seed))
        let scalars = (0..<40).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x3FFF, using: &random)) }
        let text = String(String.UnicodeScalarView(scalars))
        #expect(FormEncoding.decode(FormEncoding.encode(text)).map { Array($0.utf8) } == Array(text.utf8))
        #expect(FormEncoding.decode(FormEncoding.encode(text, space: .percent)).map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test(arguments: ["%", "%2", "%G0", "%2G", "a%", "%C3", "%FF", "%ED%A0%80", "%+1"])
    func `what is no encoding is not guessed at`(text: String) {
        #expect(FormEncoding.decode(text) == nil)
        #expect(throws: FormParameters.ParsingError.malformed) { try FormParameters(parsing: "a=1&b=\(text)") }
        #expect(throws: FormParameters.ParsingError.malformed) { try FormParameters(parsing: "\(text)=1") }
    }

    // RFC 6749, section 4.1.3.
    @Test func `a form is written in the order in which it was filled in`() {
        var form = FormParameters([
            "grant_type": "authorization_code", "code": "SplxlOBeZQQYbYS6WxSbIA", "redirect_uri": "https://client.example.com/cb",
        ])
        #expect(
            form.serialized
                == "grant_type=authorization_code&code=SplxlOBeZQQYbYS6WxSbIA&redirect_uri=https%3A%2F%2Fclient.example.com%2Fcb")
        form["code"] = "x y"
        form["redirect_uri"] = nil
        form["none"] = nil
        form["empty"] = ""
        #expect(form.serialized == "grant_type=authorization_code&code=x+y&empty=")
        #expect(form[nonempty: "empty"] == nil && form["empty"] == "")
        #expect(FormParameters().serialized == "")
    }

    @Test func `a form is read as it is written`() throws {
        let form = try FormParameters(parsing: "a=1&&b=x+y%3D=z&c&=d&")
        #expect(form.all.map(\.name) == ["a", "b", "c", ""])
        #expect(form.all.map(\.value) == ["1", "x y==z", "", "d"])
        #expect(try FormParameters(parsing: form.serialized) == form)
    }

    @Test(arguments: ["a=1&a=1", "a=1&b=2&%61=3", "a&a=", "x+y=1&x%20y=2"]) func `a name is there once`(text: String) {
        #expect(throws: FormParameters.ParsingError.repeated) { try FormParameters(parsing: text) }
    }
}

@Suite struct `Parameters of an authorization request` {
    private let parameters = FormParameters([
        "response_type": "code", "client_id": "s6BhdRkqt3", "redirect_uri": "https://client.example.com/cb", "scope": "a b",
        "state": "xyz",
    ])
    private let query =
        "response_type=code&client_id=s6BhdRkqt3&redirect_uri=https%3A%2F%2Fclient.example.com%2Fcb&scope=a%20b&state=xyz"

    private func merged(_ endpoint: String, keeping kept: Set<String> = []) throws -> String {
        try #require(URL(string: endpoint)).merging(parameters, keeping: kept).absoluteString
    }

    // RFC 6749, section 4.1.1, and section 3.1 for the existing query of the endpoint.
    @Test(arguments: [
        ("https://server.example.com/authorize", "?"), ("https://server.example.com/authorize?", "?"),
        ("https://server.example.com", "?"), ("https://server.example.com/a?tenant=%41%2f&x", "?tenant=%41%2f&x&"),
        ("https://server.example.com/a?a=1&a=2", "?a=1&a=2&"), ("https://server.example.com/a?q=a?b", "?q=a?b&"),
    ])
    func `the query of the endpoint stays as it is`(endpoint: String, start: String) throws {
        let place = endpoint.prefix { $0 != "?" }
        #expect(try merged(endpoint) == "\(place)\(start)\(query)")
        #expect(try merged(endpoint + "#fragment?x=1") == "\(place)\(start)\(query)")
    }

    @Test func `a name that the endpoint has is set anew, however it is written there, and as often as it is there`() throws {
        let endpoint = "https://as.example/a?state=fixed&x=1&%73tate=2&response_type=token&state"
        #expect(try merged(endpoint) == "https://as.example/a?x=1&\(query)")
    }

    @Test func `XSUAA's endpoint has client and redirect of its own, and no name is there twice`() throws {
        let own = "response_type=code&client_id=sb-app%21t1&redirect_uri=https%3A%2F%2Fapp.example%2Flogin%2Fcallback"
        let endpoint = "https://sub.authentication.eu10.hana.ondemand.com/oauth/authorize?\(own)"
        let kept: Set = ["response_type", "client_id", "redirect_uri", "scope"]
        let url = try merged(endpoint, keeping: kept)
        #expect(url == "\(endpoint)&scope=a%20b&state=xyz")
        #expect(try merged(endpoint + "&client_id=other", keeping: kept) == url)
        // Merging again changes nothing.
        #expect(try merged(url, keeping: kept.union(["state"])) == url)
        _ = try FormParameters(parsing: String(url.drop { $0 != "?" }.dropFirst()))
    }
}
