import Countersign
import Foundation
import Synchronization
import Testing

@Suite("Which cookies a jar takes and sends")
struct CookieJarTests {
    private static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// Returns the `Cookie` field for `target` after `server` has set `fields`.
    private static func sent(_ fields: String..., by server: String, to target: String? = nil) throws -> String? {
        let jar = CookieJar(now: { Date(timeIntervalSince1970: 1_300_000_000) })
        jar.store(fields, from: try url(server))
        return jar.header(for: try url(target ?? server))
    }

    @Suite("Hosts and domains") struct Domains {
        @Test func `a cookie without a domain goes back to its own host alone`() throws {
            #expect(try sent("a=1", by: "https://example.org/") == "a=1")
            #expect(try sent("a=1", by: "https://example.org/", to: "https://www.example.org/") == nil)
        }

        @Test func `a cookie with a domain goes to every host under it`() throws {
            #expect(try sent("a=1; Domain=.Example.ORG", by: "https://www.example.org/", to: "https://a.b.example.org/") == "a=1")
            #expect(try sent("a=1; Domain=example.org", by: "https://www.example.org/", to: "https://badexample.org/") == nil)
        }

        @Test func `a cookie of the host alone is another one than that of the domain`() throws {
            let old = "sid=; Domain=example.org; Max-Age=0"
            #expect(try sent("sid=new", old, by: "https://example.org/") == "sid=new")
            #expect(try sent("sid=old; Domain=example.org", "sid=new", old, by: "https://example.org/") == "sid=new")
            #expect(try sent("sid=1; Domain=example.org", "sid=2", by: "https://example.org/") == "sid=1; sid=2")
        }

        @Test func `a host does not replace or delete the cookie that its domain has set for itself alone`() throws {
            let (bank, other) = (try url("https://example.org/"), try url("https://other.example.org/"))
            for field in ["sid=evil; Domain=example.org", "sid=; Domain=example.org; Max-Age=0"] {
                let jar = CookieJar()
                jar.store(["sid=bank"], from: bank)
                jar.store([field], from: other)
                #expect(jar.cookies(for: bank).first?.value == "bank", "\(field)")
            }
        }

        @Test(arguments: ["other.example", "www.example.org.evil.example", "b.www.example.org", "xample.org", "org"])
        func `a host sets no cookie for a domain that it is not in`(domain: String) throws {
            #expect(try sent("a=1; Domain=\(domain)", by: "https://www.example.org/", to: "https://\(domain)/") == nil)
        }

        @Test func `an address is in no domain but may name itself`() throws {
            #expect(try sent("a=1; Domain=0.0.1", by: "https://10.0.0.1/") == nil)
            #expect(try sent("a=1; Domain=10.0.0.1", by: "https://10.0.0.1/") == "a=1")
            #expect(try sent("a=1; Domain=10.0.0.1", by: "https://10.0.0.1/", to: "https://x.10.0.0.1/") == nil)
            #expect(try sent("a=1", by: "https://[::1]:8443/", to: "https://[::1]/") == "a=1")
        }

        @Test func `a cookie that is set for an address's tail does not reach the address`() throws {
            let jar = CookieJar()
            jar.set(Cookie(name: "a", value: "1", domain: "0.0.1", isHostOnly: false))
            #expect(jar.header(for: try url("https://10.0.0.1/")) == nil)
        }

        @Test func `public suffixes are refused, unless the host is one itself`() throws {
            let jar = CookieJar(isPublicSuffix: { $0 == "co.uk" || $0 == "github.io" })
            jar.store(["a=1; Domain=co.uk"], from: try url("https://shop.co.uk/"))
            jar.store(["b=1; Domain=github.io"], from: try url("https://github.io/"))
            #expect(jar.all.map(\.name) == ["b"])
            #expect(jar.all.allSatisfy { $0.isHostOnly })
        }

        @Test func `a trailing dot makes no suffix a domain`() throws {
            let jar = CookieJar(isPublicSuffix: { $0 == "co.uk" })
            jar.store(["a=1; Domain=com."], from: try url("https://evil.com./"))
            jar.store(["a=1; Domain=co.uk."], from: try url("https://evil.co.uk./"))
            #expect(jar.all.isEmpty)
        }

        @Test func `ports and schemes other than http do not matter or matter wholly`() throws {
            #expect(try sent("a=1", by: "https://example.org:8443/", to: "https://example.org:9443/") == "a=1")
            #expect(try sent("a=1", by: "https://example.org/", to: "ftp://example.org/") == nil)
            #expect(try sent("a=1", by: "file:///tmp/x") == nil)
        }
    }

    @Suite("Paths") struct Paths {
        @Test(arguments: [
            ("/app/start", "/app", true), ("/app/start", "/app/other", true), ("/app/start", "/apple", false),
            ("/app/start", "/", false), ("/app/", "/app/x", true), ("/app", "/", true), ("", "/", true),
        ])
        func `without a path the directory of the request decides`(set: String, get: String, isSent: Bool) throws {
            #expect(try sent("a=1", by: "https://h.example\(set)", to: "https://h.example\(get)") == (isSent ? "a=1" : nil))
        }

        @Test func `a query with slashes is no path`() throws {
            #expect(try sent("a=1", by: "https://h.example/login?next=/a/b/c", to: "https://h.example/") == "a=1")
        }

        @Test func `the same name on two paths is two cookies, the longer path first`() throws {
            #expect(try sent("a=1; Path=/", "a=2; Path=/x", by: "https://h.example/", to: "https://h.example/x") == "a=2; a=1")
        }
    }

    @Suite("Time") struct Time {
        @Test func `max-age counts more than expires, in either order`() throws {
            let past = "Expires=Thu, 01 Jan 1970 00:00:00 GMT"
            #expect(try sent("a=1; Max-Age=10; \(past)", by: "https://h.example/") == "a=1")
            #expect(try sent("a=1; Expires=Fri, 31 Dec 2038 00:00:00 GMT; Max-Age=0", by: "https://h.example/") == nil)
        }

        @Test func `a cookie is gone once its second has come`() throws {
            let now = Mutex(Date(timeIntervalSince1970: 1000))
            let jar = CookieJar(now: { now.withLock { $0 } })
            let url = try url("https://h.example/")
            jar.store(["a=1; Max-Age=60", "b=2"], from: url)
            now.withLock { $0 += 59.5 }
            #expect(jar.header(for: url) == "a=1; b=2")
            now.withLock { $0 += 0.5 }
            #expect(jar.header(for: url) == "b=2")
            #expect(jar.all.map(\.name) == ["b"])
        }

        @Test func `an expired cookie takes the one before it away`() throws {
            #expect(try sent("a=1", "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", by: "https://h.example/") == nil)
        }

        @Test func `an age beyond all numbers is the distant future`() throws {
            let jar = CookieJar()
            jar.store(["a=1; Max-Age=\(String(repeating: "9", count: 400))"], from: try url("https://h.example/"))
            #expect(jar.all.first?.expires == .distantFuture)
        }

        @Test func `what is neither age nor date leaves a session cookie`() throws {
            let jar = CookieJar()
            jar.store(
                ["a=1; Max-Age=+5", "b=1; Max-Age=1e3", "c=1; Expires=tomorrow", "d=1; Max-Age="],
                from: try url("https://h.example/"))
            #expect(jar.all.count == 4)
            #expect(jar.all.allSatisfy { $0.expires == nil })
        }

        @Test(arguments: [
            ("Sat, 29 Feb 2020 12:00:00 GMT", 1_582_977_600.0), ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
            ("Thu, 31 Dec 1969 23:59:59 GMT", -1), ("Mon, 01 Jan 1601 00:00:00 GMT", -11_644_473_600),
        ])
        func `dates around leap days and the epoch are exact`(text: String, seconds: Double) throws {
            let jar = CookieJar(now: { .distantPast })
            jar.store(["a=1; Expires=\(text)"], from: try url("https://h.example/"))
            #expect(jar.all.first?.expires?.timeIntervalSince1970 == seconds)
        }

        @Test(arguments: ["29 Feb 2019", "29 Feb 1900", "31 Apr 2020", "00 Jan 2020", "32 Jan 2020", "01 Jan 1600"])
        func `days that do not exist are no dates`(day: String) throws {
            let jar = CookieJar(now: { .distantPast })
            jar.store(["a=1; Expires=\(day) 00:00:00 GMT"], from: try url("https://h.example/"))
            #expect(jar.all.count == 1)
            #expect(jar.all.first?.expires == nil)
        }
    }

    @Suite("Encrypted connections") struct Encryption {
        @Test func `secure cookies are neither taken from nor sent over plain http`() throws {
            #expect(try sent("a=1; Secure", by: "http://h.example/", to: "https://h.example/") == nil)
            #expect(try sent("a=1; Secure", by: "https://h.example/", to: "http://h.example/") == nil)
            #expect(try sent("a=1; Secure", by: "https://h.example/") == "a=1")
        }

        @Test(arguments: ["http://localhost:8080/", "http://127.0.0.1/", "http://[::1]/", "http://127.255.0.9/"])
        func `plain http to this machine counts as encrypted`(server: String) throws {
            #expect(try sent("__Host-a=1; Secure; Path=/", by: server) == "__Host-a=1")
        }

        @Test(arguments: [
            "http://127.0.0.1.evil.example/", "http://localhost.evil.example/", "http://127.evil.example/", "http://sp.localhost/",
        ])
        func `names that only begin or end like this machine do not`(server: String) throws {
            #expect(try sent("a=1; Secure", by: server) == nil)
        }

        @Test func `a plain http response cannot put a cookie beside or over a secure one`() throws {
            let jar = CookieJar()
            jar.store(["SID=good; Secure; Path=/login"], from: try url("https://login.example.org/"))
            let attacks = ["SID=bad; Path=/login", "SID=bad; Path=/login/x", "SID=bad; Domain=example.org; Path=/login"]
            for attack in attacks { jar.store([attack], from: try url("http://login.example.org/")) }
            #expect(jar.all.map(\.value) == ["good"])
            jar.store(["SID=other; Path=/"], from: try url("http://login.example.org/"))
            #expect(jar.header(for: try url("https://login.example.org/login")) == "SID=good; SID=other")
        }
    }

    @Suite("Names that promise something") struct Prefixes {
        @Test(arguments: [
            ("__Secure-a=1", false), ("__Secure-a=1; Secure", true), ("__SECURE-a=1", false),
            ("__Host-a=1; Secure; Path=/", true), ("__Host-a=1; Path=/", false), ("__Host-a=1; Secure", false),
            ("__Host-a=1; Secure; Path=/; Domain=h.example", false), ("__host-a=1; Secure; Path=/x", false),
            ("__Hostess=1", true),
        ])
        func `a prefixed cookie is taken only as its name promises`(field: String, isTaken: Bool) throws {
            #expect(try (sent(field, by: "https://h.example/") != nil) == isTaken)
        }
    }

    @Suite("What the jar keeps of a field") struct Attributes {
        @Test(arguments: [("strict", "Strict"), ("LAX", "Lax"), ("None", "None"), ("sideways", nil)])
        func `same-site is kept in its usual spelling`(given: String, kept: String?) throws {
            let jar = CookieJar()
            jar.store(["a=1; SameSite=\(given); HttpOnly; Secure"], from: try url("https://h.example/"))
            let cookie = try #require(jar.all.first)
            #expect(cookie.sameSite == kept)
            #expect(cookie.isHTTPOnly && cookie.isSecure)
        }

        @Test(arguments: ["a=1\r\nX: y", "a=1\u{0}", "a\u{1F}=1", "a=1; Path=/\u{7F}", "a=1\n"])
        func `a field with a control character sets nothing`(field: String) throws {
            #expect(try sent(field, by: "https://h.example/") == nil)
        }

        @Test func `a cookie that would break the field cannot be set by hand either`() {
            let jar = CookieJar()
            for value in ["x\r\nHost: evil", "x; SID=forged", "x\u{0}"] {
                jar.set(Cookie(name: "a", value: value, domain: "h.example", isHostOnly: true))
                jar.adopt(
                    .init(cookies: [Cookie(name: "a", value: value, domain: "h.example", isHostOnly: true)]),
                    since: .init(cookies: []))
            }
            jar.set(Cookie(name: "a=b", value: "", domain: "h.example", isHostOnly: true))
            jar.set(Cookie(name: "", value: "x", domain: "h.example", isHostOnly: true))
            jar.set(Cookie(name: "a", value: "x", domain: "", isHostOnly: true))
            #expect(jar.all.isEmpty)
        }

        @Test func `a cookie made by hand may name its domain as a field does`() throws {
            let jar = CookieJar()
            jar.set(Cookie(name: "a", value: "1", domain: ".Example.ORG", isHostOnly: false, path: ""))
            #expect(jar.header(for: try url("https://www.example.org/x")) == "a=1")
        }
    }

    @Suite("Limits") struct LimitTests {
        @Test func `a pair of 4096 bytes is taken, one more is not`() throws {
            let fitting = "a=" + String(repeating: "x", count: 4094)
            #expect(try sent(fitting, by: "https://h.example/") == fitting)
            #expect(try sent(fitting + "x", by: "https://h.example/") == nil)
        }

        @Test func `an attribute over its limit is as if it was not there`() throws {
            let path = "/" + String(repeating: "p", count: 1024)
            #expect(try sent("a=1; Path=\(path)", by: "https://h.example/") == "a=1")
        }

        @Test func `of too many cookies of a domain the ones without secure and unused for longest go`() throws {
            let url = try url("https://h.example/")
            let jar = CookieJar(limits: .init(cookiesPerDomain: 3))
            jar.store(["kept=1; Secure; Path=/", "old=1; Path=/", "used=1; Path=/used"], from: url)
            _ = jar.header(for: url)
            _ = jar.header(for: try #require(URL(string: "/used", relativeTo: url)).absoluteURL)
            jar.store(["used=2; Path=/used"], from: url)
            jar.store(["new=1; Path=/"], from: url)
            #expect(Set(jar.all.map(\.name)) == ["kept", "used", "new"])
        }

        @Test func `limits that leave no room take nothing`() throws {
            let jar = CookieJar(limits: .init(cookiesPerDomain: -1, cookies: -1))
            jar.store(["a=1", "b=1"], from: try url("https://h.example/"))
            #expect(jar.all.isEmpty)
        }

        @Test func `expired cookies make room before any other goes`() throws {
            let now = Mutex(Date(timeIntervalSince1970: 0))
            let jar = CookieJar(limits: .init(cookiesPerDomain: 2, cookies: 3), now: { now.withLock { $0 } })
            jar.store(["a=1", "b=1; Secure; Max-Age=5"], from: try url("https://h.example/"))
            now.withLock { $0 += 10 }
            jar.store(["c=1"], from: try url("https://h.example/"))
            #expect(jar.all.map(\.name) == ["a", "c"])
        }

        @Test func `a server with many names does not drive out what others have set`() throws {
            let jar = CookieJar(limits: .init(cookies: 100))
            for index in 0..<20 { jar.store(["a=1", "b=1"], from: try url("https://h\(index).example/")) }
            for name in ["x.evil.example", "evil.example"] {
                jar.store((0..<150).map { "c\($0)=1; Domain=\(name)" }, from: try url("https://x.evil.example/"))
            }
            for index in 0..<20 { #expect(jar.header(for: try url("https://h\(index).example/")) == "a=1; b=1") }
            #expect(jar.all.count <= 100)
        }

        @Test func `of too many cookies in all the ones unused for longest go, whatever their domain`() throws {
            let jar = CookieJar(limits: .init(cookies: 10))
            for index in 0..<10 { jar.store(["a=1"], from: try url("https://h\(index).example/")) }
            _ = jar.header(for: try url("https://h0.example/"))
            jar.store(["a=1"], from: try url("https://new.example/"))
            // A tenth more than necessary is removed.
            #expect(jar.all.count == 9)
            #expect(jar.header(for: try url("https://h0.example/")) == "a=1")
            #expect(jar.header(for: try url("https://h1.example/")) == nil)
            #expect(jar.header(for: try url("https://h2.example/")) == nil)
            #expect(jar.header(for: try url("https://h3.example/")) == "a=1")
        }
    }

    @Suite("Use from many tasks") struct Concurrency {
        @Test func `stores and look-ups at once lose nothing`() async throws {
            let jar = CookieJar()
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<64 {
                    group.addTask {
                        guard let url = URL(string: "https://h\(index % 8).example/") else { return }
                        jar.store(["c\(index)=1"], from: url)
                        _ = jar.header(for: url)
                        _ = jar.snapshot()
                    }
                }
            }
            #expect(Set(jar.all.map(\.name)) == Set((0..<64).map { "c\($0)" }))
        }

        @Test func `the adopter's closures may use the jar`() throws {
            let box = Mutex<CookieJar?>(nil)
            let jar = CookieJar(
                isPublicSuffix: { _ in box.withLock { $0 }?.all.isEmpty == false },
                now: { Date(timeIntervalSince1970: 0) })
            box.withLock { $0 = jar }
            jar.store(["a=1; Domain=h.example"], from: try url("https://h.example/"))
            #expect(jar.all.count == 1)
            box.withLock { $0 = nil }
        }
    }
}
