#if os(macOS) || os(Linux)
import Countersign
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

/// The conversion of cookies to and from those of a browser.
@Suite(.takesTurns) struct `Cookies of Chromium` {
    private func browser(
        _ name: String, _ value: String, domain: String = "example.com", path: String = "/", expires: Double = -1,
        partition: String = "null"
    ) throws -> BrowserCookie {
        let text = """
            {"name":"\(name)","value":"\(value)","domain":"\(domain)","path":"\(path)","expires":\(expires),"size":2,"httpOnly":true,\
            "secure":true,"session":\(expires < 0),"sameSite":"None","priority":"Medium","partitionKey":\(partition)}
            """
        return try JSONDecoder().decode(BrowserCookie.self, from: Data(text.utf8))
    }

    @Test func `a cookie of the browser has all that a cookie of the jar has`() throws {
        let cookie = try browser("a", "1", domain: ".example.com", path: "/x", expires: 1_800_000_000.25).cookie
        #expect(
            cookie
                == Cookie(
                    name: "a", value: "1", domain: "example.com", isHostOnly: false, path: "/x",
                    expires: Date(timeIntervalSince1970: 1_800_000_000.25), isSecure: true, isHTTPOnly: true, sameSite: "None"))
        let own = try browser("a", "1").cookie
        #expect(own.isHostOnly && own.expires == nil)
        #expect(try browser("a", "1", domain: "[::1]").cookie.domain == "::1")
    }

    @Test func `a cookie of the jar is given to the host or the domain that it is for`() {
        let host = CookieParameter(Cookie(name: "a", value: "1", domain: "example.com", isHostOnly: true, path: "/x"))
        #expect(host.url == "http://example.com/" && host.domain == nil && host.path == "/x" && !host.secure)
        let domain = CookieParameter(Cookie(name: "a", value: "1", domain: "example.com", isHostOnly: false, isSecure: true))
        #expect(domain.url == "https://example.com/" && domain.domain == ".example.com" && domain.secure)
        let address = CookieParameter(Cookie(name: "a", value: "1", domain: "::1", isHostOnly: true))
        #expect(address.url == "http://[::1]/")
    }

    @Test(arguments: [
        ("Strict", false, "Strict"), ("lax", false, "Lax"), ("None", true, "None"), ("None", false, nil), ("other", true, nil),
        (nil, true, nil),
    ])
    func `SameSite is given as the browser takes it`(jar: String?, isSecure: Bool, browser: String?) {
        let cookie = Cookie(name: "a", value: "1", domain: "example.com", isHostOnly: true, isSecure: isSecure, sameSite: jar)
        #expect(CookieParameter(cookie).sameSite == browser)
    }

    @Test func `what the browser did to the cookies that it was given is no change`() throws {
        let far = Date(timeIntervalSince1970: 4_102_444_800)
        let given = [
            Cookie(name: "capped", value: "1", domain: "example.com", isHostOnly: true, expires: far),
            Cookie(name: "refused", value: "2", domain: "example.com", isHostOnly: true),
            Cookie(name: "changed", value: "3", domain: "example.com", isHostOnly: true),
            Cookie(name: "removed", value: "4", domain: "example.com", isHostOnly: true),
        ]
        let capped = try browser("capped", "1", expires: 1_830_000_000)
        let taken = [capped, try browser("changed", "3"), try browser("removed", "4")]
        let exchange = CookieExchange(given: given, taken: taken)
        let changed = try browser("changed", "3b")
        let added = [try browser("z", "5"), try browser("b", "6", path: "/b")]
        let cookies = exchange.snapshot(of: added + [changed, capped]).cookies
        #expect(cookies == [given[0], given[1], changed.cookie] + added.map(\.cookie))
    }

    @Test func `a cookie of the host alone and one of its domain are both taken over`() throws {
        let host = try browser("sid", "1", domain: "example.com")
        let domain = try browser("sid", "2", domain: ".example.com")
        #expect(CookieExchange(given: [], taken: []).snapshot(of: [host, domain]).cookies == [host.cookie, domain.cookie])
        // A server has deleted the one that it moved.
        let exchange = CookieExchange(given: [domain.cookie], taken: [domain])
        #expect(exchange.snapshot(of: [host]).cookies == [host.cookie])
    }

    @Test func `a cookie that a site has within others is not the site's`() throws {
        let own = try browser("own", "1", partition: #"{"topLevelSite":"https://example.com","hasCrossSiteAncestor":false}"#)
        let embedded = try browser("in", "2", partition: #"{"topLevelSite":"https://other.example","hasCrossSiteAncestor":false}"#)
        let within = try browser("in", "3", partition: #"{"topLevelSite":"https://example.com","hasCrossSiteAncestor":true}"#)
        let older = try browser("old", "4", domain: "a.example.com", partition: #""https://example.com""#)
        let cookies = CookieExchange(given: [], taken: []).snapshot(of: [own, embedded, within, older]).cookies
        #expect(cookies.map(\.name) == ["own", "old"])
    }

    @Test func `no description shows a value`() throws {
        let cookie = try browser("a", "s3cret")
        let parameter = CookieParameter(Cookie(name: "a", value: "s3cret", domain: "example.com", isHostOnly: true))
        #expect(!"\(cookie) \(parameter)".contains("s3cret"))
        #expect(!String(reflecting: (cookie, parameter)).contains("s3cret"))
    }
}
#endif
