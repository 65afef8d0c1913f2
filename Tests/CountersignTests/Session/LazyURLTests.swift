import Foundation
import HTTPTypes
import Testing

@testable import Countersign

@Suite(.timeLimit(.minutes(10))) struct LazyURLTests {
    @Test(arguments: [
        "/", "/a", "/a/", "/a/b.json", "/a/b?c=/d/e", "/?a=b", "//a/b", "/a/../b/./c", "/a%20b/%C3%A9", "/a:b;c=d/e",
        "/*'(),!$&+=_~-",
    ])
    func `the path of a text is that of its URL`(_ path: String) throws {
        for authority in ["app.example", "127.0.0.1:8443", "[::1]:80"] {
            let head = HTTPRequest(method: .get, scheme: "https", authority: authority, path: path)
            let lazy = LazyURL(of: head)
            let url = try #require(URL(string: "https://\(authority)\(path)"))
            #expect(lazy.url == url)
            #expect(lazy.path == url.path(percentEncoded: true))
            #expect(LazyURL(url).path == lazy.path)
        }
    }

    @Test func `a URL without a path has the path of its root`() throws {
        #expect(LazyURL(try #require(URL(string: "https://app.example"))).path == "/")
    }
}
