import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// Addresses that are parsed without a `URL` have the same parts as the `URL`.
@Suite struct PlainAddressTests {
    @Test(arguments: [
        "app.example", "app.example:8443", "127.0.0.1:1", "a", "1.2.3", "app.example:0080", "app.example:65535", "a-b.c-d", "..",
        "-",
        "1.2.3.4:443",
    ])
    func `the origin of a plain authority is that of its URL`(authority: String) throws {
        for scheme in ["http", "https"] {
            let url = try #require(URL(string: "\(scheme)://\(authority)/"))
            let plain = try #require(Origin(scheme: scheme, plainAuthority: authority))
            #expect(plain == Origin(url))
        }
    }

    @Test(arguments: [
        "App.example", "app.example:", "app.example:65536", "app.example:123456", "app.example:+1", ":80", "", "[::1]", "[::1]:80",
        "xn--bcher-kva.example", "a%41.example", "b\u{FC}cher.example", "a_b.example", "a b", "user@app.example", "app.example:8 0",
    ])
    func `what is not plain is left to a URL`(authority: String) {
        #expect(Origin(scheme: "https", plainAuthority: authority) == nil)
        #expect(Origin(scheme: "ftp", plainAuthority: "app.example") == nil)
        #expect(Origin(scheme: "HTTPS", plainAuthority: "app.example") == nil)
        #expect(Origin(scheme: nil, plainAuthority: "app.example") == nil)
    }

    @Test(arguments: [
        "/", "/a/b?c=d&e=%20f", "/../a//b/.", "/a;b=c,d:e@f!g$h&i'j(k)l*m+n", "/?", "/a?b?c/d", "/%C3%BC", "/~a_b-c.d",
        "/a\u{7C}b", "/[a]", "/a?{b}", "/a\"b", "/%", "/%4", "/%zz", "/a^b", "/a`b", "/a<b>",
    ])
    func `the URL of a request is what it was before`(path: String) throws {
        var head = HTTPRequest(method: .get, scheme: "https", authority: "app.example", path: path)
        let before = head.url
        guard let target = try? RequestTarget(taking: &head) else {
            #expect(before == nil)
            return
        }
        #expect(target.url == before)
        #expect(target.url.absoluteString == before?.absoluteString)
        #expect(target.origin == before.flatMap { Origin($0) })
        #expect(target.urlWithFragment.url == before)
    }

    @Test(arguments: ["/a|b?c|d", "/[a]", "/a?filter[name]=b", "/a?{b}", "/a\"b", "/a^b/", "/a`b", "/a<b>", "/a%20b?c={d}"])
    func `the path of a request is what transports send, so that signatures cover it`(path: String) throws {
        var head = HTTPRequest(method: .get, scheme: "https", authority: "app.example", path: path)
        let url = try #require(head.url)
        _ = try RequestTarget(taking: &head)
        let parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: true))
        #expect(head.path == parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?\($0)" } ?? ""))
        #expect(head.url == url)
        let sent = head.path
        _ = try RequestTarget(taking: &head)
        #expect(head.path == sent)
    }

    @Test func `a vertical line in a path is encoded`() throws {
        var head = HTTPRequest(method: .get, scheme: "https", authority: "app.example", path: "/a|b?c|d#e")
        let target = try RequestTarget(taking: &head)
        #expect(target.url.absoluteString == "https://app.example/a%7Cb?c%7Cd")
        #expect(head.path == "/a%7Cb?c%7Cd")
    }

    @Test func `a fragment stays out of the request and comes back with the URL`() throws {
        var head = HTTPRequest(method: .get, scheme: "https", authority: "app.example", path: "/a?b#c")
        let target = try RequestTarget(taking: &head)
        #expect(head.path == "/a?b")
        #expect(target.url.absoluteString == "https://app.example/a?b")
        #expect(target.urlWithFragment.url.absoluteString == "https://app.example/a?b#c")
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.9", true), ("127.0.0.256", false), ("127.0.0", false), ("127.0.0.1.1", false),
        ("126.0.0.1", false), ("127.0.0.1a", false), ("127..0.1", false), ("1270.0.0.1", false), ("0127.0.0.1", false),
        ("27.0.0.1", false), ("127.0.0.", false), (".127.0.0.1", false), ("127.0.0.0001", false), ("127", false),
    ])
    func `this machine's addresses of IPv4 are those of 127/8`(host: String, isLoopback: Bool) throws {
        #expect(
            try #require(Origin(scheme: "http", plainAuthority: host)).isLoopback == isLoopback)
    }
}
