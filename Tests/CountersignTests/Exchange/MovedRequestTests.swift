import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// Requests that an observer redirects to another origin, which receives only the fields for that origin.
@Suite(.timeLimit(.minutes(10))) struct MovedRequestTests {
    private static let keys = ["https://app.example": "app", "https://other.example": "other"]

    private let transport = ScriptedTransport { _ in .text("data") }
    private let key: HTTPField.Name

    init() throws { key = try #require(HTTPField.Name("X-API-Key")) }

    private func session(_ observers: [any SessionObserver]) -> Session {
        let session = Session(configuration: .test(), transport: transport)
        for observer in observers { session.register(observer) }
        return session
    }

    /// Makes an observer that redirects all requests to a host.
    private func mover(to host: String, field: HTTPField? = nil) -> SpyObserver {
        SpyObserver(attach: { request, _ in
            request.authority = host
            if let field { request.headerFields.append(field) }
            return .nothing
        })
    }

    @Test(
        arguments: [
            ("other.example", "other"), ("app.example", "app"), ("APP.example:443", "app"), ("third.example", nil),
            ("sub.app.example", nil), ("app.example:8443", nil),
        ] as [(String, String?)], [true, false])
    func `RT-31 M5 the key of the origin that an observer sends a request to is attached, whichever observer comes first`(
        _ target: (host: String, key: String?), _ moverIsFirst: Bool
    ) async throws {
        let (mover, observer) = (mover(to: target.host), OriginObserver(key, keys: Self.keys))
        let session = session(moverIsFirst ? [mover, observer] : [observer, mover])
        _ = try await session.send(.to("https://app.example/data"))
        let sent = try #require(transport.sent.first)
        #expect(transport.sent.count == 1)
        #expect(sent.request.head.authority == target.host)
        #expect(sent.request.head.headerFields[values: key] == (target.key.map { [$0] } ?? []))
    }

    @Test func `RT-31 M5 the client certificate of the former origin does not follow`() async throws {
        let identity = ConnectionIdentity(certificateChain: [[1]], privateKey: SecretBytes(utf8: "key"))
        for moverIsFirst in [true, false] {
            let observers: [any SessionObserver] = [
                mover(to: "other.example"), OriginObserver(key, identities: ["https://app.example": identity]),
            ]
            _ = try await session(moverIsFirst ? observers : observers.reversed()).send(.to("https://app.example/data"))
        }
        #expect(transport.sent.map(\.request.identity) == [nil, nil])
        var request = try SessionRequest.to("https://app.example/data")
        request.identity = identity
        _ = try await session([mover(to: "other.example")]).send(request)
        #expect(transport.sent.last?.request.identity == nil)
        let kept: [any SessionObserver] = [
            OriginObserver(key, identities: ["https://other.example": identity]), mover(to: "other.example"),
        ]
        _ = try await session(kept).send(.to("https://app.example/data"))
        #expect(transport.sent.last?.request.identity == identity)
    }

    @Test func `RT-31 M5 the caller's credentials stay behind, and what the moving observer adds goes along`() async throws {
        let token = HTTPField(name: .authorization, value: "Bearer mover")
        let session = session([mover(to: "other.example", field: token)])
        session.cookies.set(Cookie(name: "app", value: "1", domain: "app.example", isHostOnly: true))
        session.cookies.set(Cookie(name: "other", value: "2", domain: "other.example", isHostOnly: true))
        let fields = [("X-API-Key", "k"), ("X-CSRF-Token", "c"), ("Cookie", "own=1"), ("Accept", "text/plain")]
        let response = try await session.send(.to("https://app.example/data?q=1", fields: fields))
        let sent = try #require(transport.sent.first)
        #expect(response.url.absoluteString == "https://other.example/data?q=1")
        let names = ["X-API-Key", "X-CSRF-Token", "Cookie", "Accept", "Authorization"]
        #expect(names.map { sent[$0] } == [nil, nil, "other=2", "text/plain", "Bearer mover"])
    }

    @Test func `RT-31 M5 the caller's credentials stay behind where the observer has combined their fields`() async throws {
        let mover = SpyObserver(attach: { [key] request, _ in
            request.authority = "other.example"
            request.headerFields[key] = request.headerFields[key]
            return .nothing
        })
        _ = try await session([mover]).send(.to("https://app.example/", fields: [("X-API-Key", "a"), ("X-API-Key", "b")]))
        #expect(transport.sent.map { $0["X-API-Key"] } == [nil])
    }

    @Test func `RT-31 M5 a token does not follow an observer that moves the request`() async throws {
        let bench = try TokenBench(script: { _ in .text("open") })
        try bench.keepToken()
        #expect(try await bench.get() == "open")
        bench.session.register(mover(to: "other.example"))
        #expect(try await bench.get() == "open")
        #expect(bench.transport.sent.map { $0["Authorization"] } == ["Bearer access0", nil])
        #expect(bench.transport.sent.last?.url.host() == "other.example")
    }

    @Test func `RT-31 M5 a key is not attached beside one of the caller's own, but in its place where that stays behind`()
        async throws
    {
        let observer = OriginObserver(key, keys: Self.keys)
        let fields = [("X-API-Key", "own")]
        _ = try await session([observer]).send(.to("https://app.example/", fields: fields))
        _ = try await session([observer, mover(to: "other.example")]).send(.to("https://app.example/", fields: fields))
        #expect(transport.sent.map { $0["X-API-Key"] } == ["own", "other"])
    }

    @Test func `M5 two observers that move a request in turn do so once each`() async throws {
        let observers = [mover(to: "one.example"), mover(to: "two.example")]
        _ = try await session(observers).send(.to("https://app.example/"))
        #expect(transport.sent.map { $0.url.host() } == ["two.example"])
        #expect(observers.map { $0.count("attach") } == [1, 1])
    }

    @Test func `an observer that changes the path alone is not a reason to call the others again`() async throws {
        let observer = OriginObserver(key, keys: Self.keys)
        let query = SpyObserver(attach: { request, _ in
            request.path = "/data?client=100"
            return .nothing
        })
        let response = try await session([observer, query]).send(.to("https://app.example/data"))
        #expect(response.url.absoluteString == "https://app.example/data?client=100")
        #expect(observer.asked == ["https://app.example"])
    }

    @Test func `RT-31 M5 an observer cannot send a request from https to http`() async throws {
        let mover = SpyObserver(
            name: "mover",
            attach: { request, _ in
                request.scheme = "http"
                return .nothing
            })
        let session = session([mover])
        let error = await #expect(throws: CountersignError.self) { try await session.send(.to("https://app.example/")) }
        #expect(error?.code == .insecureDestination)
        #expect(error?.detail.contains("mover") == true)
        #expect(transport.sent.isEmpty)
    }

    @Test(arguments: [("http", "https"), ("ws", "wss"), ("https", "https"), ("wss", "wss")])
    func `RT-31 M5 a credential for https is not returned in a request for http`(scheme: String, expected: String) async throws {
        let mover = SpyObserver(attach: { request, _ in
            request.scheme = "https"
            return .nothing
        })
        let head = HTTPRequest(method: .get, scheme: scheme, authority: "app.example", path: "/")
        let authorized = try await session([mover, OriginObserver(key, keys: Self.keys)]).authorized(head)
        #expect(authorized.headerFields[key] == "app")
        #expect(authorized.scheme == expected)
    }

    @Test func `RT-31 M5 an observer that changes a redirect's origin does not take the caller's credentials there`() async throws {
        let transport = ScriptedTransport { sent in sent.number == 1 ? .redirect(to: "/b") : .text("target") }
        let session = Session(configuration: .test(), transport: transport)
        session.register(OriginObserver(key, keys: Self.keys))
        session.register(
            SpyObserver(redirect: { request in
                request.authority = "other.example"
                request.headerFields[.accept] = "text/html"
                request.headerFields[.referer] = "added"
            }))
        let fields = [("Authorization", "Bearer t"), ("X-CSRF-Token", "c"), ("Cookie", "own=1"), ("User-Agent", "test")]
        _ = try await session.send(.to("https://app.example/a", fields: fields))
        let last = try #require(transport.sent.last)
        #expect(last.url.absoluteString == "https://other.example/b")
        let names = ["Authorization", "X-CSRF-Token", "Cookie", "User-Agent", "Accept", "Referer", "X-API-Key"]
        #expect(names.map { last[$0] } == [nil, nil, nil, "test", "text/html", "added", "other"])
    }
}
