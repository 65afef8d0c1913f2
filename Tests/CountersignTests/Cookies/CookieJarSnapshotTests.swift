import Countersign
import Foundation
import Testing

@Suite("Forks and snapshots of a jar")
struct CookieJarSnapshotTests {
    private let url: URL
    private let jar = CookieJar()

    init() throws {
        url = try #require(URL(string: "https://h.example/"))
        jar.store(["kept=1", "changed=1", "removed=1"], from: url)
    }

    @Test func `a fork has the same cookies in the same order and lives on its own`() {
        let fork = jar.fork()
        fork.store(["new=1"], from: url)
        jar.store(["kept=2"], from: url)
        #expect(fork.header(for: url) == "kept=1; changed=1; removed=1; new=1")
        #expect(jar.header(for: url) == "kept=2; changed=1; removed=1")
    }

    @Test func `what a presenter's own store took for a public suffix is not adopted`() {
        let jar = CookieJar(isPublicSuffix: { $0 == "github.io" })
        let foreign = Cookie(name: "a", value: "1", domain: "github.io", isHostOnly: false)
        let own = Cookie(name: "b", value: "1", domain: "github.io", isHostOnly: true)
        jar.adopt(CookieJar.Snapshot(cookies: [foreign, own]), since: jar.snapshot())
        #expect(jar.all.map(\.name) == ["b"])
    }

    @Test func `what a presenter's own store took for a domain without a dot is adopted for that host alone`() throws {
        let jar = CookieJar()
        let cookies = ["com", "intranet", "com."].map { Cookie(name: "a", value: "1", domain: $0, isHostOnly: false) }
        jar.adopt(CookieJar.Snapshot(cookies: cookies), since: jar.snapshot())
        let sent: [(host: String, cookie: String?)] = [
            ("bank.com", nil), ("bank.com.", nil), ("intranet", "a=1"), ("other.intranet", nil),
        ]
        for (host, cookie) in sent {
            let url = try #require(URL(string: "https://\(host)/"))
            #expect(jar.header(for: url) == cookie, "\(host)")
        }
    }

    @Test func `adopting applies what was added, changed and removed`() {
        let old = jar.snapshot()
        let fork = jar.fork()
        fork.store(["changed=2", "removed=; Max-Age=0", "added=1"], from: url)
        jar.adopt(fork.snapshot(), since: old)
        #expect(jar.header(for: url) == "kept=1; changed=2; added=1")
    }

    @Test func `adopting leaves alone what others did meanwhile`() {
        let old = jar.snapshot()
        let fork = jar.fork()
        fork.store(["changed=2"], from: url)
        jar.store(["kept=; Max-Age=0", "meanwhile=1", "removed=2"], from: url)
        jar.adopt(fork.snapshot(), since: old)
        #expect(jar.header(for: url) == "changed=2; removed=2; meanwhile=1")
    }

    @Test func `a removal does not take away what was set anew meanwhile`() {
        let old = jar.snapshot()
        let fork = jar.fork()
        fork.store(["removed=; Max-Age=0"], from: url)
        jar.store(["removed=2"], from: url)
        jar.adopt(fork.snapshot(), since: old)
        #expect(jar.header(for: url) == "kept=1; changed=1; removed=2")
    }

    @Test func `where both changed a cookie the adopted one holds`() {
        let old = jar.snapshot()
        let fork = jar.fork()
        fork.store(["changed=login"], from: url)
        jar.store(["changed=background"], from: url)
        jar.adopt(fork.snapshot(), since: old)
        #expect(jar.cookies(for: url).first { $0.name == "changed" }?.value == "login")
    }

    @Test func `adopting into an emptied jar brings only what changed`() {
        let old = jar.snapshot()
        let fork = jar.fork()
        fork.store(["added=1"], from: url)
        jar.removeAll()
        jar.adopt(fork.snapshot(), since: old)
        #expect(jar.header(for: url) == "added=1")
    }

    @Test func `a cookie set by hand can be taken away by its name, domain and path`() {
        let cookie = Cookie(name: "x", value: "1", domain: "h.example", isHostOnly: true)
        jar.set(cookie)
        #expect(jar.header(for: url)?.hasSuffix("x=1") == true)
        jar.remove(cookie)
        #expect(jar.header(for: url)?.contains("x=1") == false)
    }

    @Test func `a cookie is taken away for the host alone and for its domain`() {
        jar.store(["x=1", "x=2; Domain=h.example"], from: url)
        #expect(jar.header(for: url)?.hasSuffix("x=1; x=2") == true)
        jar.remove(Cookie(name: "x", value: "", domain: "h.example", isHostOnly: false))
        #expect(jar.header(for: url)?.contains("x=") == false)
    }

    @Test func `adopting brings both the cookie of the host alone and that of its domain`() {
        let old = jar.snapshot()
        let fork = jar.fork()
        fork.store(["sid=1", "sid=2; Domain=h.example"], from: url)
        jar.adopt(fork.snapshot(), since: old)
        #expect(jar.header(for: url)?.hasSuffix("sid=1; sid=2") == true)
    }
}
