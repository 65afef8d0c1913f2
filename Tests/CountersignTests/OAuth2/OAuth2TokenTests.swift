import Countersign
import Foundation
import HTTPTypes
import Testing

@Suite struct `OAuth 2.0 tokens` {
    private let full = OAuth2Token(
        accessToken: "2YotnFZFEjr1zCsicMWpAA", tokenType: "example",
        expiryDate: Date(timeIntervalSince1970: 1_800_000_000.123_456_7),
        scopes: ["b", "a"], refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA")

    @Test(arguments: 0..<200) func `a token that was stored and read again equals the one that was stored`(seed: Int) throws {
        var random = CookieRandom(seed: UInt64(seed))
        let date = Date(timeIntervalSince1970: Double.random(in: 0...4_000_000_000, using: &random))
        let token = OAuth2Token(accessToken: "a", tokenType: "Bearer", expiryDate: date)
        #expect(try JSONDecoder().decode(OAuth2Token.self, from: JSONEncoder().encode(token)) == token)
        #expect(try PropertyListDecoder().decode(OAuth2Token.self, from: PropertyListEncoder().encode(token)) == token)
    }

    @Test func `it is encoded under the keys that are documented, whatever the coder does with dates`() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        let token = OAuth2Token(
            accessToken: "AT", tokenType: "Bearer", expiryDate: Date(timeIntervalSinceReferenceDate: 12.5), scopes: ["b", "a"],
            refreshToken: "RT")
        let text = String(decoding: try encoder.encode(token), as: UTF8.self)
        #expect(
            text == #"{"access_token":"AT","expiry_date":12.5,"refresh_token":"RT","scopes":["a","b"],"token_type":"Bearer"}"#)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(try decoder.decode(OAuth2Token.self, from: Data(text.utf8)) == token)
    }

    @Test func `keys of a later version are ignored, and those that may be absent are none`() throws {
        let text = #"{"access_token":"AT","token_type":"Bearer","jkt":{"deep":[1]},"id_token":"x"}"#
        let token = try JSONDecoder().decode(OAuth2Token.self, from: Data(text.utf8))
        #expect(token == OAuth2Token(accessToken: "AT", tokenType: "Bearer"))
        let nulls = #"{"access_token":"AT","token_type":"Bearer","scopes":null,"expiry_date":null,"refresh_token":null}"#
        #expect(try JSONDecoder().decode(OAuth2Token.self, from: Data(nulls.utf8)) == token)
    }

    @Test(arguments: [
        #"{}"#, #"{"access_token":"c4nary"}"#, #"{"access_token":["c4nary"],"token_type":"Bearer"}"#, #"{"access_token":"c4nary"#,
        #"{"access_token":"c4nary","token_type":"Bearer","expiry_date":"c4nary"}"#, "c4nary",
    ])
    func `half a token is an error that shows nothing of it`(text: String) {
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(OAuth2Token.self, from: Data(text.utf8)) }
        #expect(!"\(String(describing: error)) \(String(reflecting: error))".contains("c4nary"))
    }

    @Test func `members are as the seeds name them`() {
        #expect(full.accessToken == "2YotnFZFEjr1zCsicMWpAA")
        #expect(full.tokenType == "example")
        #expect(full.scopes == ["a", "b"])
        #expect(full.refreshToken == "tGzv3JOkF0XG5Qx2TlKWIA")
        #expect(OAuth2Token(accessToken: "a", tokenType: "Bearer").expiryDate == nil)
        #expect(Set([full, full]).count == 1)
    }

    // RFC 6750, section 2.1; the type in any case: RFC 6749, section 5.1.
    @Test(arguments: ["Bearer", "bearer", "BEARER", "bEARER"])
    func `a bearer token goes into the Authorization field, which is never indexed`(type: String) throws {
        let field = try #require(OAuth2Token(accessToken: "mF_9.B5f-4.1JqM", tokenType: type).authorizationField)
        #expect(field.name == .authorization)
        #expect(field.value == "Bearer mF_9.B5f-4.1JqM")
        #expect(field.indexingStrategy == .disallow)
    }

    @Test(arguments: ["", "mac", "DPoP", "Bearer ", " bearer"]) func `a token of another type goes nowhere`(type: String) {
        #expect(OAuth2Token(accessToken: "a", tokenType: type).authorizationField == nil)
    }

    @Test(arguments: [
        "a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b", "a\tb", "a b", " a", "a ", "", "é", "a\u{7F}", "a\u{85}b", "🔑", "a\u{2028}b",
    ])
    func `RT-39 a token that no field can carry goes nowhere`(accessToken: String) {
        #expect(OAuth2Token(accessToken: accessToken, tokenType: "Bearer").authorizationField == nil)
    }

    @Test func `RT-39 every visible ASCII character can be carried`() throws {
        let text = String(decoding: Array(UInt8(0x21)...0x7E), as: UTF8.self)
        #expect(OAuth2Token(accessToken: text, tokenType: "Bearer").authorizationField?.value == "Bearer \(text)")
    }
}
