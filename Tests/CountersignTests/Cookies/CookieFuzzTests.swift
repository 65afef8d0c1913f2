import Countersign
import Foundation
import Testing

@Suite("Fields that nobody meant")
struct CookieFuzzTests {
    private static let pieces = [
        "a", "=", ";", " ", "\t", "\"", ",", "\r", "\u{0}", "é", "ja", "ꞁ", "\u{301}", "👩‍👩‍👧", "Path=", "/", "Domain=", ".", "..",
        "example.org",
        "Expires=", "Fri, 07 Aug 2027 08:04:19 GMT", "99:99:99", "1:2:3:4", "9999", "31", "Feb", "Max-Age=", "-", "0",
        "99999999999999999999999", "Secure", "HttpOnly", "SameSite=Lax", "__Host-", "__Secure-", "%00", "127.0.0.1", ":", "[::1]",
    ]

    @Test(arguments: 0..<8) func `no field stops the program, and what is sent could be read again`(seed: Int) throws {
        var random = CookieRandom(seed: UInt64(seed))
        let hosts = [
            "https://example.org/a/b", "http://www.example.org", "http://127.0.0.1/", "https://[::1]/x", "https://localhost/é",
        ]
        let urls = hosts.compactMap { URL(string: $0) }
        let jar = CookieJar()
        for _ in 0..<600 {
            let length = Int.random(in: 0..<14, using: &random)
            let field = (0..<length).compactMap { _ in Self.pieces.randomElement(using: &random) }.joined()
            let url = try #require(urls.randomElement(using: &random))
            jar.store([field], from: url)
            for cookie in jar.cookies(for: url) {
                #expect(!cookie.name.isEmpty && cookie.path.hasPrefix("/") && !cookie.domain.hasPrefix("."))
            }
            let header = jar.header(for: url) ?? ""
            #expect(header.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
            #expect(header.utf8.count { $0 == UInt8(ascii: ";") } == max(0, jar.cookies(for: url).count - 1))
        }
        #expect(!jar.all.isEmpty)
    }
}
