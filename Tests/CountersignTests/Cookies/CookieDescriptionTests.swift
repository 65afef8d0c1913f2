import Countersign
import Foundation
import Testing

@Suite("Descriptions of cookies")
struct CookieDescriptionTests {
    @Test func `no description, reflection or dump shows a value`() throws {
        let canary = "c4nary-value"
        let url = try #require(URL(string: "https://h.example/"))
        let jar = CookieJar()
        jar.store(["SID=\(canary); Secure; HttpOnly; SameSite=Lax; Max-Age=9"], from: url)
        let cookie = try #require(jar.all.first)
        #expect(cookie.value == canary)
        let snapshot = jar.snapshot()
        var shown = ""
        dump(cookie, to: &shown)
        dump(jar, to: &shown)
        dump(snapshot, to: &shown)
        dump([cookie: snapshot], to: &shown)
        shown += "\(cookie) \(jar) \(snapshot) \(snapshot.cookies) \(Optional(cookie) as Any)"
        shown += String(reflecting: cookie) + String(reflecting: jar) + String(reflecting: snapshot)
        shown += String(describing: Mirror(reflecting: cookie).children.map { $0 })
        #expect(shown.contains("SID"))
        #expect(!shown.contains(canary))
    }
}
