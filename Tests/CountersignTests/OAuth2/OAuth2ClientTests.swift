import Countersign
import Foundation
import HTTPTypes
import Testing

@Suite struct `Client authentication` {
    private func request(_ client: OAuth2Client) throws -> (fields: HTTPFields, form: FormParameters) {
        var fields: HTTPFields = [.authorization: "Bearer left over"]
        if client.authentication == .none { fields = [:] }
        var form = FormParameters(["grant_type": "client_credentials", "client_secret": "left over"])
        try client.authenticate(&fields, &form)
        return (fields, form)
    }

    private func basic(_ identifier: String, _ secret: String, _ encoding: OAuth2Client.BasicEncoding) throws -> String {
        let (fields, form) = try request(
            OAuth2Client(identifier: identifier, authentication: .basic(secret: secret, encoding: encoding)))
        #expect(form.serialized == "grant_type=client_credentials")
        #expect(fields[fields: .authorization].map(\.indexingStrategy) == [.disallow])
        return try #require(fields[.authorization])
    }

    // RFC 6749, section 2.3.1.
    @Test(arguments: [OAuth2Client.BasicEncoding.form, .raw]) func `RFC 6749 section 2.3.1, the example`(
        encoding: OAuth2Client.BasicEncoding
    ) throws {
        #expect(try basic("s6BhdRkqt3", "gX1fBat3bV", encoding) == "Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW")
    }

    @Test func `RFC 6749 section 2.3.1, the example in the body`() throws {
        let (fields, form) = try request(
            OAuth2Client(identifier: "s6BhdRkqt3", authentication: .body(secret: "7Fjfp0ZBr1KtDRbnfVdmIw")))
        #expect(form.serialized == "grant_type=client_credentials&client_id=s6BhdRkqt3&client_secret=7Fjfp0ZBr1KtDRbnfVdmIw")
        #expect(fields[.authorization] == "Bearer left over")
    }

    // RFC 6749, section 3.2.1.
    @Test func `a name that the form has is there beside Basic too`() throws {
        var fields: HTTPFields = [:]
        var form = FormParameters(["client_id": "a", "grant_type": "client_credentials"])
        try OAuth2Client(identifier: "a", authentication: .basic(secret: "b", encoding: .form)).authenticate(&fields, &form)
        #expect(form.serialized == "client_id=a&grant_type=client_credentials")
        #expect(fields[.authorization] == "Basic YTpi")
    }

    // RFC 7617, sections 2 and 2.1.
    @Test func `RFC 7617, the examples`() throws {
        #expect(try basic("Aladdin", "open sesame", .raw) == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(try basic("test", "123\u{A3}", .raw) == "Basic dGVzdDoxMjPCow==")
    }

    @Test(arguments: [
        (" %&+£€", "+%25%26%2B%C2%A3%E2%82%AC"),
        ("a:b/c?d#e[f]@g!$'()*,;=", "a%3Ab%2Fc%3Fd%23e%5Bf%5D%40g%21%24%27%28%29*%2C%3B%3D"),
        ("~\"\\^`{|}", "%7E%22%5C%5E%60%7B%7C%7D"), ("пароль🔑", "%D0%BF%D0%B0%D1%80%D0%BE%D0%BB%D1%8C%F0%9F%94%91"), ("\n", "%0A"),
        ("", ""),
    ])
    func `both parts are encoded as in a form before they are joined`(text: String, encoded: String) throws {
        let field = try basic(text, text, .form)
        let data = try #require(Data(base64Encoded: String(field.dropFirst("Basic ".count))))
        #expect(String(decoding: data, as: UTF8.self) == "\(encoded):\(encoded)")
    }

    @Test func `raw Basic carries reserved characters and UTF-8 as they are`() throws {
        let field = try basic("a%b", "пароль:&+ 🔑", .raw)
        let data = try #require(Data(base64Encoded: String(field.dropFirst("Basic ".count))))
        #expect(String(decoding: data, as: UTF8.self) == "a%b:пароль:&+ 🔑")
    }

    @Test func `raw Basic refuses what the server could not part`() {
        #expect(throws: BasicScheme.Failure.colonInIdentifier) { try basic("a:b", "c", .raw) }
        for character in ["\0", "\r\n", "\u{7F}", "\u{85}"] {
            #expect(throws: BasicScheme.Failure.controlCharacter) { try basic("a\(character)", "c", .raw) }
            #expect(throws: BasicScheme.Failure.controlCharacter) { try basic("a", "\(character)c", .raw) }
        }
    }

    @Test func `in the body every secret is encoded, and read again as it was`() throws {
        let secret = "&client_id=evil+%00=пароль🔑"
        let form = try request(OAuth2Client(identifier: "a b", authentication: .body(secret: secret))).form
        let read = try FormParameters(parsing: form.serialized)
        #expect(read["client_secret"] == secret)
        #expect(read["client_id"] == "a b")
    }

    @Test func `a public client says its name and proves nothing`() throws {
        let (fields, form) = try request(OAuth2Client(identifier: "a b", authentication: .none))
        #expect(form.serialized == "grant_type=client_credentials&client_id=a+b")
        #expect(fields.isEmpty)
    }
}
