import CountersignFoundation
import Foundation
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.takesTurns) struct FoundationCookieStorageTests {
    @Test func `cookies keep their meaning on the way to Foundation and back`() throws {
        let storage = FoundationCookieStorage()
        let url = try #require(URL(string: "https://www.server.example/a/b"))
        storage.jar.store(
            ["host=1; Path=/a; Secure; HttpOnly", "domain=2; Domain=server.example; Max-Age=1000; SameSite=Lax"], from: url)
        let copy = FoundationCookieStorage(storage.cookies)
        #expect(Set(copy.jar.all.map(\.name)) == ["host", "domain"])
        for cookie in storage.jar.all {
            let copied = try #require(copy.jar.all.first { $0.name == cookie.name })
            #expect(copied.value == cookie.value)
            #expect(copied.domain == cookie.domain)
            #expect(copied.isHostOnly == cookie.isHostOnly)
            #expect(copied.path == cookie.path)
            #expect(copied.isSecure == cookie.isSecure)
            #expect((copied.expires == nil) == (cookie.expires == nil))
        }
    }

    @Test func `cookies are set, found by address and taken away`() throws {
        let storage = FoundationCookieStorage()
        let cookie = try #require(
            HTTPCookie(properties: [.name: "a", .value: "1", .domain: "server.example", .path: "/", .secure: "TRUE"]))
        storage.setCookie(cookie)
        #expect(storage.cookies(for: try #require(URL(string: "https://server.example/x"))).map(\.value) == ["1"])
        #expect(storage.cookies(for: try #require(URL(string: "https://other.example/x"))).isEmpty)
        storage.deleteCookie(cookie)
        #expect(storage.cookies.isEmpty)
    }

    @Test func `forgetting what came since a date forgets everything until the date is still to come`() throws {
        let storage = FoundationCookieStorage()
        storage.jar.store(["a=1"], from: try #require(URL(string: "https://server.example/")))
        storage.removeCookies(since: Date(timeIntervalSinceNow: 1000))
        #expect(storage.cookies.count == 1)
        storage.removeCookies(since: Date(timeIntervalSinceNow: -1000))
        #expect(storage.cookies.isEmpty)
    }
}
