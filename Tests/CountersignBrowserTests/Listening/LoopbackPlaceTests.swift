import Countersign
import Foundation
import NIOCore
import NIOPosix
import TestTurns
import Testing

@testable import CountersignBrowser

/// The addresses and ports on which a presenter may listen for a redirect URL.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Loopback place` {
    private func place(_ text: String, port: UInt16? = nil) throws -> LoopbackPlace {
        try LoopbackPlace(try #require(URL(string: text)), port: port, authenticationMethod: "OAuth2")
    }

    @Test func `for a free port both addresses are tried, the named one first`() throws {
        #expect(try place("http://127.0.0.1/callback").addresses == [.ipv4, .ipv6])
        #expect(try place("http://[::1]/callback").addresses == [.ipv6, .ipv4])
        #expect(try place("http://127.0.0.1/callback", port: 0).port == nil)
        #expect(try place("HTTP://127.0.0.1").rest == "")
        #expect(try place("http://127.0.0.1/a%2Fb/?tenant=1").rest == "/a%2Fb/?tenant=1")
    }

    @Test(arguments: ["http://127.0.0.1:0/callback", "http://127.0.0.1:8765/callback", "http://127.0.0.1:65535/callback"])
    func `the port of a redirect URL counts for nothing`(_ text: String) throws {
        #expect(try place(text) == place("http://127.0.0.1/callback"))
    }

    @Test func `with a given port, address and port are taken as they are`() throws {
        let place = try place("http://[::1]/callback", port: 8765)
        #expect(place.addresses == [.ipv6])
        #expect(place.port == 8765)
    }

    @Test func `a redirect URL with a port is moved to the free one`() async throws {
        try await Login.run(redirect: "http://127.0.0.1:1/callback?tenant=1") { login in
            #expect(login.redirectURL.host() == "127.0.0.1")
            #expect(try #require(login.redirectURL.port) > 1023)
            #expect(login.redirectURL.query() == "tenant=1")
            #expect(try await login.ask("/callback?tenant=1&code=c0de&state=s3cret").status == 303)
            let result = try await login.result()
            #expect(result.redirectURL == login.redirectURL)
        }
    }

    @Test(arguments: [
        "https://127.0.0.1/callback", "http://127.0.0.2/callback", "http://127.1/callback", "http://10.0.0.1/callback",
        "http://login.example/callback", "com.example.app:/callback", "http://user@127.0.0.1/callback",
        "http://127.0.0.1.evil.example/callback", "http://127.0.0.1/callback#x", "http:///callback", "http://[::]/callback",
        "http://0.0.0.0/callback", "http://127.0.0.1:70000/callback",
    ]) func `a redirect URL that leads elsewhere is refused`(_ text: String) throws {
        #expect(throws: LoopbackError.redirectElsewhere(authenticationMethod: "OAuth2")) { try place(text) }
    }

    @Test(arguments: ["http://localhost/callback", "http://LOCALHOST:80/", "http://a.localhost/"])
    func `localhost is refused with a word on what to register`(_ text: String) throws {
        let error = try #require(throws: LoopbackError.self) { try place(text) }
        #expect(error == .redirectToLocalhost(authenticationMethod: "OAuth2"))
        #expect("\(error)".contains("http://127.0.0.1/callback"))
    }

    @Test func `a login that ends at the server is refused with a word on which presenter fits`() async throws {
        let presenter = LoopbackPresenter { _ in Issue.record("a page was opened") }
        let presentation = WebPresentation(
            authenticationMethod: "SAML", url: try #require(URL(string: "https://app.example/login")),
            finish: FinishRule(try #require(URL(string: "https://app.example/done")), match: .path),
            jar: CookieJar(), transport: NoTransport())
        let failure = try await #require(throws: PresentationFailure.self) { try await presenter.present(presentation) }
        guard case .load(let error as LoopbackError) = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(error == .fixedFinish(authenticationMethod: "SAML"))
        #expect("\(error)".contains("SAML") && "\(error)".contains("FormFillingPresenter"))
        #expect(error.localizedDescription == "\(error)")
    }

    @Test func `the second address is taken where the first is not there`() async throws {
        // 192.0.2.1 is reserved for documentation, and is the address of no machine (RFC 5737).
        let place = LoopbackPlace(addresses: [LoopbackAddress(literal: "192.0.2.1"), .ipv4], rest: "/callback")
        let listener = try await LoopbackListener.open(at: place, state: nil, limits: ConnectionLimits())
        #expect(listener.redirectURL.host() == "127.0.0.1")
        await listener.close()
        try await expectRefusal(by: listener.redirectURL)
    }

    @Test func `where no address is there, the error names them`() async throws {
        let place = LoopbackPlace(addresses: [LoopbackAddress(literal: "192.0.2.1")], rest: "/callback")
        await #expect(throws: LoopbackError.cannotListen(addresses: ["192.0.2.1"])) {
            try await LoopbackListener.open(at: place, state: nil, limits: ConnectionLimits())
        }
    }

    @Test func `a given port is listened on, login after login, and one at a time`() async throws {
        // No port that the system gives to a connection or to another server meanwhile.
        let port = try ForeignProgram.freePort()
        let given = UInt16(port)
        for _ in 0..<2 {
            try await Login.run(port: given) { login in
                #expect(login.redirectURL.absoluteString == "http://127.0.0.1:\(port)/callback")
                let failure = try await #require(throws: PresentationFailure.self) { try await Login.run(port: given) { _ in } }
                guard case .load(let error as LoopbackError) = failure else {
                    Issue.record("\(failure)")
                    return
                }
                #expect(error == .cannotListen(addresses: ["127.0.0.1:\(port)"]))
                try await login.expectToGoOn()
            }
        }
    }

    #if os(Linux)
    @Test func `the port is open at one address and at no other of this machine`() async throws {
        try await Login.run { login in
            let port = try #require(login.redirectURL.port)
            // On Linux all of 127.0.0.0/8 is this machine, so a port that is open at every address would be reachable there.
            for other in ["127.0.0.2", "[::1]"] {
                let url = try #require(URL(string: "http://\(other):\(port)/"))
                await #expect(throws: IOError.self, "\(other)") { try await RawConnection.open(to: url).close() }
            }
            try await login.expectToGoOn()
        }
    }
    #endif

    @Test(.enabled("this machine has no ::1; enable IPv6 on its loopback interface") { await hasIPv6() })
    func `IPv6 alone works too`() async throws {
        try await Login.run(redirect: "http://[::1]/callback") { login in
            #expect(login.redirectURL.absoluteString.hasPrefix("http://[::1]:"))
            #expect(try await login.ask("GET", Login.answer, host: "127.0.0.1:\(login.redirectURL.port ?? 0)").status == 421)
            try await login.expectToGoOn()
            try await login.expectToBeClosed()
        }
    }
}

/// Whether this machine can be reached at `::1`.
private func hasIPv6() async -> Bool {
    guard let probe = try? await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: "::1", port: 0).get()
    else { return false }
    try? await probe.close()
    return true
}
