import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// Redirects, and the fields that follow them.
@Suite(.timeLimit(.minutes(10))) struct RedirectTests {
    private static let credentials = [
        ("Authorization", "Bearer t"), ("Cookie", "own=1"), ("Proxy-Authorization", "Basic p"), ("X-API-Key", "k"), ("DPoP", "d"),
        ("X-CSRF-Token", "c"), ("X-Company-Secret", "s"),
    ]
    private static let harmless = [("Accept", "text/plain"), ("User-Agent", "test"), ("If-None-Match", "\"1\"")]

    private func session(redirectingTo location: String, status: Int = 302) -> (Session, ScriptedTransport) {
        let transport = ScriptedTransport { sent in sent.number == 1 ? .redirect(status, to: location) : .text("target") }
        return (Session(configuration: .test(), transport: transport), transport)
    }

    @Test(arguments: [
        "/b", "b?x=1", "?x=1", "https://app.example/b", "https://APP.example/b", "https://app.example:443/b",
        "HTTPS://app.example/b",
    ])
    func `RT-31 the same origin, however it is written, gets all of the caller's fields`(_ location: String) async throws {
        let (session, transport) = session(redirectingTo: location)
        _ = try await session.send(.to("https://app.example/a", fields: Self.credentials + Self.harmless))
        let last = try #require(transport.sent.last)
        #expect(transport.sent.count == 2)
        for (name, value) in Self.credentials + Self.harmless { #expect(last[name] == value) }
    }

    @Test(arguments: [
        "https://other.example/b", "https://sub.app.example/b", "https://example/b", "https://app.example:8443/b",
        "//other.example/b",
        "https://app.example.evil/b", "https://app.example./b",
    ])
    func `RT-31 another origin gets none of the caller's credentials`(_ location: String) async throws {
        let (session, transport) = session(redirectingTo: location)
        _ = try await session.send(.to("https://app.example/a", fields: Self.credentials + Self.harmless))
        let last = try #require(transport.sent.last)
        #expect(transport.sent.count == 2)
        for (name, _) in Self.credentials { #expect(last[name] == nil) }
        for (name, value) in Self.harmless { #expect(last[name] == value) }
    }

    @Test(arguments: [
        "http://app.example/b", "http://127.0.0.1/b", "file:///etc/passwd", "javascript:alert(1)", "data:text/plain,x",
        "ftp://app.example/b",
        "https://user:password@app.example/b", "https://user@app.example/b", "https:///b",
    ])
    func `RT-31 a redirect to an unsafe place is refused`(_ location: String) async throws {
        let (session, transport) = session(redirectingTo: location)
        let error = await #expect(throws: CountersignError.self) { try await session.send(.to("https://app.example/a")) }
        #expect(error?.code == .redirectRefused)
        #expect(error?.status == 302)
        #expect(error?.origin?.description == "https://app.example")
        #expect(transport.sent.count == 1)
    }

    @Test func `RT-31 the way back to the first origin does not bring the credentials back`() async throws {
        let transport = ScriptedTransport { sent in
            switch sent.number {
            case 1: .redirect(to: "https://other.example/")
            case 2: .redirect(to: "https://app.example/b")
            default: .text("target")
            }
        }
        let session = Session(configuration: .test(), transport: transport)
        _ = try await session.send(.to("https://app.example/a", fields: [("Authorization", "Bearer t")]))
        #expect(transport.sent.map { $0["Authorization"] } == ["Bearer t", nil, nil])
    }

    @Test func `RT-31 each hop gets the cookies of its own host, and gives its own`() async throws {
        let transport = ScriptedTransport { sent in
            switch sent.number {
            case 1: Reply(200, [("Set-Cookie", "app=1; Path=/")])
            case 2: .redirect(to: "https://other.example/b", [("Set-Cookie", "hop=1; Path=/"), ("Set-Cookie", "hop2=2; Path=/")])
            case 3: .redirect(to: "https://app.example/c", [("Set-Cookie", "other=1; Path=/")])
            default: .text("target")
            }
        }
        let session = Session(configuration: .test(), transport: transport)
        _ = try await session.send(.to("https://app.example/"))
        _ = try await session.send(.to("https://app.example/a"))
        #expect(transport.sent.map { $0["Cookie"] } == [nil, "app=1", nil, "app=1; hop=1; hop2=2"])
        #expect(session.cookies.all.map(\.domain).filter { $0 == "other.example" }.count == 1)
    }

    /// The relation of a redirect's target to the origin `https://app.example`.
    private enum Target: Sendable { case same, other, refused }

    private static let rows: [(String, Target)] = [
        ("/b", .same), ("https://app.example/b", .same), ("https://APP.Example/b", .same), ("HTTPS://app.example/b", .same),
        ("https://app.example:443/b", .same), ("https://other.example/b", .other), ("https://sub.app.example/b", .other),
        ("https://app.example:8443/b", .other), ("http://app.example/b", .refused), ("http://other.example/b", .refused),
        ("https://user:password@app.example/b", .refused), ("https://app.example@other.example/b", .refused),
    ]

    @Test(arguments: rows)
    private func `RT-31 what observers and the jar attach goes to the exact origin alone`(
        _ location: String, _ target: Target
    ) async throws {
        let (session, transport) = session(redirectingTo: location)
        let fields = ["Authorization", "X-API-Key", "X-CSRF-Token"]
        for name in fields {
            session.register(OriginObserver(try #require(HTTPField.Name(name)), keys: ["https://app.example": name]))
        }
        let identity = ConnectionIdentity(certificateChain: [[1]], privateKey: SecretBytes(utf8: "key"))
        session.register(
            OriginObserver(try #require(HTTPField.Name("X-Certificate")), identities: ["https://app.example": identity]))
        session.cookies.set(Cookie(name: "sid", value: "1", domain: "app.example", isHostOnly: true, isSecure: true))
        let result = await Task { try await session.send(.to("https://app.example/a")) }.result

        let first = try #require(transport.sent.first)
        #expect(fields.compactMap { first[$0] } == fields)
        #expect(first["Cookie"] == "sid=1")
        #expect(first.request.identity == identity)
        guard target != .refused else {
            let error = #expect(throws: CountersignError.self) { try result.get() }
            #expect(error?.code == .redirectRefused)
            #expect(transport.sent.count == 1)
            return
        }
        let last = try #require(transport.sent.last)
        #expect(try result.get().head.status == .ok)
        #expect(transport.sent.count == 2)
        #expect(fields.compactMap { last[$0] } == (target == .same ? fields : []))
        #expect(last.request.identity == (target == .same ? identity : nil))
        // A cookie belongs to a host, whatever its port (RFC 6265, section 8.5). Neither a subdomain nor another host receives
        // it.
        #expect(last["Cookie"] == (last.url.host()?.lowercased() == "app.example" ? "sid=1" : nil))
    }

    @Test(arguments: rows.filter { $0.1 != .refused })
    private func `RT-31 the caller's client certificate goes to the exact origin alone`(
        _ location: String, _ target: Target
    ) async throws {
        let (session, transport) = session(redirectingTo: location)
        let identity = ConnectionIdentity(certificateChain: [[1]], privateKey: SecretBytes(utf8: "key"))
        var request = try SessionRequest.to("https://app.example/a")
        request.identity = identity
        _ = try await session.send(request)
        #expect(transport.sent.map(\.request.identity) == [identity, target == .same ? identity : nil])
    }

    @Test func `RT-33 a challenge at a redirect's target is not answered with what was for the first origin`() async throws {
        let transport = ScriptedTransport { sent in
            sent.url.host() == "app.example" ? .redirect(to: "https://other.example/b") : Reply(401)
        }
        let session = Session(configuration: .test(), transport: transport)
        session.register(OriginObserver(.authorization, keys: ["https://app.example": "Bearer app"]))
        session.register(
            SpyObserver(classify: { response, exchange in
                response.status == .unauthorized ? .challenge(signature: "refused") : .pass
            }))
        let error = await #expect(throws: CountersignError.self) {
            try await session.send(.to("https://app.example/a", fields: [("X-API-Key", "k")]))
        }
        #expect(error?.code == .challengedAgain)
        let elsewhere = transport.sent.filter { $0.url.host() == "other.example" }
        #expect(elsewhere.count == 2)
        #expect(elsewhere.allSatisfy { $0["Authorization"] == nil && $0["X-API-Key"] == nil })
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let status: Int
        let method: HTTPRequest.Method
        let next: HTTPRequest.Method
        let keepsBody: Bool
        var testDescription: String { "\(status) \(method)" }
    }

    private static let cases =
        [301, 302].flatMap { status in
            [
                Case(status: status, method: .get, next: .get, keepsBody: true),
                Case(status: status, method: .head, next: .head, keepsBody: true),
                Case(status: status, method: .post, next: .get, keepsBody: false),
                Case(status: status, method: .put, next: .put, keepsBody: true),
            ]
        }
        + [
            Case(status: 303, method: .get, next: .get, keepsBody: true),
            Case(status: 303, method: .head, next: .head, keepsBody: true),
            Case(status: 303, method: .post, next: .get, keepsBody: false),
            Case(status: 303, method: .delete, next: .get, keepsBody: false),
        ]
        + [307, 308].flatMap { status in
            [HTTPRequest.Method.get, .post, .put, .delete].map { Case(status: status, method: $0, next: $0, keepsBody: true) }
        }

    @Test(arguments: cases)
    func `method and body follow RFC 9110`(_ row: Case) async throws {
        let (session, transport) = session(redirectingTo: "/b", status: row.status)
        let fields = [("Content-Type", "text/plain"), ("Content-Language", "en"), ("Content-Length", "4")]
        _ = try await session.send(.to("https://app.example/a", row.method, fields: fields, body: .text("text")))
        let last = try #require(transport.sent.last)
        #expect(last.method == row.next)
        #expect(String(decoding: try await last.body(), as: UTF8.self) == (row.keepsBody ? "text" : ""))
        #expect(last["Content-Type"] == (row.keepsBody ? "text/plain" : nil))
        #expect(last["Content-Length"] == (row.keepsBody ? "4" : nil))
    }

    @Test(arguments: [300, 304, 305, 306]) func `other statuses are no redirects`(_ status: Int) async throws {
        let (session, transport) = session(redirectingTo: "/b", status: status)
        #expect(try await session.send(.to("https://app.example/a")).head.status.code == status)
        #expect(transport.sent.count == 1)
    }

    @Test func `a redirect without a target is returned as it is`() async throws {
        let transport = ScriptedTransport { _ in Reply(302, body: ResponseBody(bytes: Array("text".utf8))) }
        let session = Session(configuration: .test(), transport: transport)
        let response = try await session.send(.to("https://app.example/a"))
        #expect(response.head.status == .found)
        #expect(try await response.text() == "text")
    }

    @Test func `a redirect with two targets is refused`() async throws {
        let transport = ScriptedTransport { _ in .redirect(to: "/b", [("Location", "https://evil.example/")]) }
        let session = Session(configuration: .test(), transport: transport)
        let error = await #expect(throws: CountersignError.self) { try await session.send(.to("https://app.example/a")) }
        #expect(error?.code == .redirectRefused)
    }

    @Test func `a redirect loop ends at the limit`() async throws {
        let transport = ScriptedTransport { _ in .redirect(to: "/a") }
        let session = Session(configuration: .test { $0.maximumRedirects = 7 }, transport: transport)
        let error = await #expect(throws: CountersignError.self) { try await session.send(.to("https://app.example/a")) }
        #expect(error?.code == .tooManyRedirects)
        #expect(transport.sent.count == 8)
    }

    @Test(arguments: [("/b", "https://app.example/b#part"), ("/b#own", "https://app.example/b#own")])
    func `a fragment is inherited unless the redirect has its own, and never sent`(_ location: String, _ final: String) async throws
    {
        let (session, transport) = session(redirectingTo: location)
        var request = try SessionRequest.to("https://app.example/a")
        request.head.path = "/a#part"
        #expect(try await session.send(request).url.absoluteString == final)
        #expect(transport.sent.map(\.request.head.path) == ["/a", "/b"])
    }

    @Test func `a body that cannot be sent again is not redirected`() async throws {
        let (session, transport) = session(redirectingTo: "/b", status: 307)
        let stream = AsyncThrowingStream<[UInt8], any Error> { $0.finish() }
        let error = await #expect(throws: CountersignError.self) {
            try await session.send(.to("https://app.example/a", .put, body: .once(stream)))
        }
        #expect(error?.code == .bodyNotReplayable)
        #expect(error?.status == 307)
        #expect(transport.sent.count == 1)
    }

    @Test func `RT-33 a challenge at the redirect's target is answered, and the stripped credentials stay away`() async throws {
        let server = LoginServer()
        let presenter = server.presenter()
        let transport = ScriptedTransport { sent in
            if sent.url.host() == "front.example" { return .redirect(to: "https://app.example/data") }
            return server.answer(sent)
        }
        let session = Session(configuration: .test(presenter: presenter), transport: transport)
        let scoped = SpyObserver(attach: { request, _ in
            // A credential for one origin only, as an observer should attach it.
            guard request.authority == "front.example" else { return .nothing }
            request.headerFields[.authorization] = "Bearer front"
            return .ready(.none)
        })
        session.register(scoped)
        session.register(try server.observer())

        let response = try await session.send(.to("https://front.example/", fields: [("X-API-Key", "k")]))

        #expect(try await response.text() == "data")
        #expect(transport.sent.map { $0["Authorization"] } == ["Bearer front", nil, nil])
        #expect(transport.sent.map { $0["X-API-Key"] } == ["k", nil, nil])
        #expect(transport.sent.map { $0["Cookie"] } == [nil, nil, "login=s1"])
        #expect(transport.sent.map { $0.url.absoluteString }.suffix(1) == ["https://app.example/data"])
    }

    @Test func `an observer sees a redirect, may change it, and cannot make it unsafe`() async throws {
        let (session, transport) = session(redirectingTo: "/b")
        let observer = SpyObserver(redirect: { $0.headerFields[.accept] = "text/html" })
        session.register(observer)
        _ = try await session.send(.to("https://app.example/a"))
        #expect(observer.count("redirect") == 1)
        #expect(transport.sent.last?["Accept"] == "text/html")

        let (unsafe, _) = self.session(redirectingTo: "/b")
        unsafe.register(SpyObserver(redirect: { $0.scheme = "http" }))
        let error = await #expect(throws: CountersignError.self) { try await unsafe.send(.to("https://app.example/a")) }
        #expect(error?.code == .redirectRefused)
    }

    @Test func `default fields stay with the first origin`() async throws {
        let transport = ScriptedTransport { sent in sent.number == 1 ? .redirect(to: "https://other.example/") : .text("") }
        let name = try #require(HTTPField.Name("X-Application-ID"))
        let session = Session(configuration: .test { $0.defaultFields = [name: "id", .accept: "*/*"] }, transport: transport)
        _ = try await session.send(.to("https://app.example/a", fields: [("Accept", "text/plain")]))
        #expect(transport.sent.map { $0["X-Application-ID"] } == ["id", nil])
        #expect(transport.sent.map { $0["Accept"] } == ["text/plain", "text/plain"])
    }
}
