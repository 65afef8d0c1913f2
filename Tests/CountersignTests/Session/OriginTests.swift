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

    @Test func `a name below localhost gets no Secure cookie over http`() async throws {
        let jar = CookieJar()
        jar.set(Cookie(name: "sid", value: "1", domain: "app.localhost", isHostOnly: true, isSecure: true))
        let (plain, encrypted) = (URL(string: "http://app.localhost/"), URL(string: "https://app.localhost/"))
        #expect(jar.header(for: try #require(plain)) == nil)
        #expect(jar.header(for: try #require(encrypted)) == "sid=1")
    }
}
