import Countersign
import Foundation
import Testing

/// Compares the jar with a list without an index, over random histories.
@Suite("The jar against a simple model")
struct CookieModelTests {
    private struct Model {
        var cookies: [Cookie] = []

        mutating func set(_ cookie: Cookie) {
            if let index = cookies.firstIndex(where: {
                ($0.name, $0.domain, $0.isHostOnly, $0.path) == (cookie.name, cookie.domain, cookie.isHostOnly, cookie.path)
            }) {
                cookies[index] = cookie
            } else {
                cookies.append(cookie)
            }
        }

        /// RFC 6265, section 5.4, taken literally. The sort is stable, so the older cookie stays first.
        func header(host: String, path: String) -> String? {
            let matching = cookies.filter { cookie in
                let isHost = cookie.domain == host || (!cookie.isHostOnly && host.hasSuffix("." + cookie.domain))
                let isPath =
                    cookie.path == path || (path.hasPrefix(cookie.path) && cookie.path.hasSuffix("/"))
                    || path.hasPrefix(cookie.path + "/")
                return isHost && isPath
            }
            let sorted = matching.enumerated().sorted {
                ($1.element.path.count, $0.offset) < ($0.element.path.count, $1.offset)
            }
            return sorted.isEmpty ? nil : sorted.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
        }
    }

    @Test(arguments: 0..<40) func `any history sends the same cookies in the same order`(seed: Int) throws {
        var random = CookieRandom(seed: UInt64(seed))
        let hosts = ["a.example", "b.a.example", "c.b.a.example", "d.example", "xa.example"]
        let paths = ["/", "/p", "/p/", "/p/q", "/p/q/r", "/pq", "/other"]
        let jar = CookieJar()
        var model = Model()
        for step in 0..<120 {
            let host = try #require(hosts.randomElement(using: &random))
            let domain =
                Bool.random(using: &random)
                ? nil : hosts.filter { host == $0 || host.hasSuffix("." + $0) }.randomElement(using: &random)
            let path = try #require(paths.randomElement(using: &random))
            let name = "n\(Int.random(in: 0..<4, using: &random))"
            let field = "\(name)=\(step); Path=\(path)" + (domain.map { "; Domain=\($0)" } ?? "")
            jar.store([field], from: try #require(URL(string: "https://\(host)/x/y")))
            model.set(Cookie(name: name, value: "\(step)", domain: domain ?? host, isHostOnly: domain == nil, path: path))
            for host in hosts {
                let path = try #require(paths.randomElement(using: &random))
                let url = try #require(URL(string: "https://\(host)\(path)"))
                #expect(jar.header(for: url) == model.header(host: host, path: path))
            }
        }
        #expect(jar.snapshot().cookies == model.cookies)
        #expect(jar.fork().snapshot().cookies == model.cookies)
    }
}
