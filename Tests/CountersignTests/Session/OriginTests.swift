import Countersign
import Foundation
import HTTPTypes
import Testing

/// The hosts that are this machine, to which a credential may be sent without TLS, and hosts that only resemble them.
@Suite(.timeLimit(.minutes(10))) struct OriginTests {
    private func origin(_ host: String) throws -> Origin {
        try #require(URL(string: "http://\(host)/").flatMap { Origin($0) })
    }

    @Test(arguments: [
        "localhost", "LOCALHOST", "localhost:8080", "127.0.0.1", "127.0.0.1:1", "127.255.255.255", "[::1]", "[::1]:8080",
    ])
    func `addresses of this machine and its name are loopback`(_ host: String) throws {
        #expect(try origin(host).isLoopback)
        #expect(try origin(host).isPrivate)
    }

    @Test(arguments: [
        "app.localhost", "sp.localhost:9443", "localhost.", "localhost.example", "notlocalhost", "127.0.0.1.example", "127.1",
        "127.0.0.256", "127.0.0.0001", "127.0..1", "127.example.0.1", "128.0.0.1", "1127.0.0.1", "0.0.0.0", "[::]", "[::2]",
        "[::ffff:127.0.0.1]",
    ])
    func `a name that a resolver may send to the network is not loopback`(_ host: String) throws {
        #expect(try !origin(host).isLoopback)
        #expect(try !origin(host).isPrivate)
    }

    @Test(arguments: [
        "a%0Ab.example", "a%1B%5B31mred.example", "good.example%2F.evil.example", "a%E2%80%AEb.example", "ban%E2%84%AA.example",
        "%D0%B0%D1%80%D1%80%D3%8F%D0%B5.com", "intranet%2Fx.evil.example",
        "a%0Db.example", "a%11b.example", "a%00b.example", "a%20b.example", "[fe80::1%25a%0Ab]", "[fe80::1%25a%2Fb]",
    ])
    func `a host with encoded characters that no name has can look like another one, and has no origin`(_ host: String) throws {
        // Foundation may refuse the URL itself.
        #expect(URL(string: "https://\(host)/").flatMap { Origin($0) } == nil)
    }

    @Test(arguments: ["xn--bcher-kva.example", "b\u{FC}cher.example", "[fe80::1%25eth0]", "a_b.example", "[2001:DB8::1]"])
    func `international names and zones have one`(_ host: String) throws {
        let origin = try origin(host)
        #expect(origin.host.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        #expect(origin.host == origin.host.lowercased())
        #expect(host.hasPrefix("b") == (origin.host == "xn--bcher-kva.example" && host != origin.host))
    }

    @Test(arguments: ["127.0.0.1:65536", "[::1]:70000", "app.example:99999"])
    func `a port that does not exist has no origin, and no request is sent to it`(_ authority: String) async throws {
        #expect(Origin(try #require(URL(string: "http://\(authority)/"))) == nil)
        #expect(try origin("127.0.0.1:65535").port == 65_535)
        let transport = ScriptedTransport { sent in sent.number == 1 ? .redirect(to: "http://\(authority)/") : .text("target") }
        let session = Session(configuration: .test(), transport: transport)
        let redirected = await #expect(throws: CountersignError.self) { try await session.send(.to("http://app.example/")) }
        #expect(redirected?.code == .redirectRefused)
        let direct = await #expect(throws: CountersignError.self) { try await session.send(.to("http://\(authority)/")) }
        #expect(direct?.code == .invalidRequest)
        #expect(transport.sent.count == 1)
    }

    @Test func `a redirect to a percent-encoded host is refused, and no such text is in the error`() async throws {
        let transport = ScriptedTransport { _ in .redirect(to: "https://x%0A2026%20forged.evil.example/") }
        let error = await #expect(throws: CountersignError.self) {
            try await Session(configuration: .test(), transport: transport).send(.to("https://app.example/"))
        }
        #expect(error?.code == .redirectRefused)
        #expect(error.map { "\($0)" }?.contains("forged") == false)
    }

    @Test func `a name below localhost gets no Secure cookie over http`() async throws {
        let jar = CookieJar()
        jar.set(Cookie(name: "sid", value: "1", domain: "app.localhost", isHostOnly: true, isSecure: true))
        let (plain, encrypted) = (URL(string: "http://app.localhost/"), URL(string: "https://app.localhost/"))
        #expect(jar.header(for: try #require(plain)) == nil)
        #expect(jar.header(for: try #require(encrypted)) == "sid=1")
    }
}
