import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import TestServers
import TestTurns
import Testing

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct ExchangeTests {
    @Test func `method, path, query, fields and body arrive as they were given`() async throws {
        try await withServer { router in
            router.post("**") { request, context in
                let body = try await request.body.collect(upTo: 1024)
                let custom = request.headers[values: HTTPField.Name("x-custom").unsafelyUnwrapped].joined(separator: "|")
                return
                    "\(context.protocolName) \(request.head.path ?? "") \(request.head.authority ?? "") \(custom) \(String(buffer: body))"
            }
        } body: { port in
            let transport = AsyncHTTPClientTransport()
            var request = SessionRequest.post(port: port, "/a%20b/c?x=1&y=%2F", body: .text("hello"))
            request.head.headerFields = [
                try #require(HTTPField.Name("X-Custom")): "one", try #require(HTTPField.Name("Host")): "elsewhere.example",
            ]
            let response = try await transport.send(request)
            #expect(response.head.status == .ok)
            #expect(response.url.absoluteString == "http://localhost:\(port)/a%20b/c?x=1&y=%2F")
            #expect(try await response.text() == "http/1.1 /a%20b/c?x=1&y=%2F localhost:\(port) one hello")
        }
    }

    @Test func `several fields of one name stay apart`() async throws {
        try await withRawServer { connection in
            _ = try await connection.readHead()
            try await connection.write(
                "HTTP/1.1 200 OK\r\nset-cookie: a=1, b\r\nSet-Cookie: c=2\r\ncontent-length: 0\r\n\r\n")
        } body: { port in
            let response = try await AsyncHTTPClientTransport().send(.get(port: port, "/"))
            #expect(response.head.headerFields[values: .setCookie] == ["a=1, b", "c=2"])
        }
    }

    @Test func `cookies go in one field of HTTP 1.1`() async throws {
        try await withRawServer { connection in
            let lines = try await connection.readHead()?.split(separator: "\r\n") ?? []
            let list = lines.filter { $0.lowercased().hasPrefix("cookie:") }.joined(separator: "|")
            try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: \(list.utf8.count)\r\n\r\n\(list)")
        } body: { port in
            var request = SessionRequest.get(port: port, "/")
            request.head.headerFields[.cookie] = "a=1; b=2; c=3"
            #expect(request.head.headerFields[values: .cookie].count == 3)
            let sent = try await AsyncHTTPClientTransport().send(request).text()
            #expect(sent == "Cookie: a=1; b=2; c=3")
        }
    }

    @Test func `redirects come back as they are`() async throws {
        try await withServer { router in
            router.get("from") { _, _ in Response(status: .found, headers: [.location: "/to"]) }
            router.get("to") { _, _ in "never asked" }
        } body: { port in
            let response = try await AsyncHTTPClientTransport().send(.get(port: port, "/from"))
            #expect(response.head.status == .found)
            #expect(response.head.headerFields[.location] == "/to")
        }
    }

    @Test func `compressed bytes are not touched and none are asked for`() async throws {
        try await withServer { router in
            router.get("/") { request, _ in
                Response(
                    status: .ok, headers: [.contentEncoding: "gzip"],
                    body: .init(byteBuffer: ByteBuffer(string: request.headers[.acceptEncoding] ?? "not asked")))
            }
        } body: { port in
            let response = try await AsyncHTTPClientTransport().send(.get(port: port, "/"))
            #expect(response.head.headerFields[.contentEncoding] == "gzip")
            #expect(try await response.text() == "not asked")
        }
    }

    @Test func `HTTP 2 is spoken where the server offers it`() async throws {
        let certificates = try TestCertificates.shared.get()
        try await withServer(.http2(certificates.server)) { router in
            router.get("/") { _, context in context.protocolName }
        } body: { port in
            let roots = AsyncHTTPClientTransport.TrustRoots.pem(certificates.authority)
            let automatic = AsyncHTTPClientTransport(configuration: .with { $0.trustRoots = roots })
            let newer = try await automatic.send(.get("https", port: port, "/")).text()
            #expect(newer == "h2")
            let old = AsyncHTTPClientTransport(
                configuration: .with {
                    $0.trustRoots = roots
                    $0.httpVersion = .http1Only
                })
            let older = try await old.send(.get("https", port: port, "/")).text()
            #expect(older == "http/1.1")
        }
    }

    @Test(arguments: [false, true])
    func `a thousand requests at once are answered`(overHTTP2: Bool) async throws {
        let certificates = try TestCertificates.shared.get()
        let underWay = Counter()
        try await withServer(overHTTP2 ? .http2(certificates.server) : .plain) { router in
            router.get("/") { _, _ in
                underWay.add()
                defer { underWay.add(-1) }
                await Task.yield()
                return "ok"
            }
        } body: { port in
            let transport = AsyncHTTPClientTransport(
                configuration: .with {
                    $0.trustRoots = .pem(certificates.authority)
                    $0.connectTimeout = .seconds(300)
                })
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<1000 {
                    group.addTask { try await transport.send(.get(overHTTP2 ? "https" : "http", port: port, "/")).text() }
                }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(answers == ["ok": 1000])
            // On a busy machine some exchanges take so long that they no longer count against the limit.
            #expect(underWay.maximum <= 4 * (overHTTP2 ? 100 : 64))
        }
    }

    @Test func `dropping a transport lets its responses be read to the end`() async throws {
        try await withServer { router in
            router.get("/") { _, _ in
                Response(
                    status: .ok,
                    body: .init { writer in
                        for _ in 0..<100 { try await writer.write(ByteBuffer(repeating: 0, count: 10_000)) }
                        try await writer.finish(nil)
                    })
            }
        } body: { port in
            let response = try await AsyncHTTPClientTransport().send(.get(port: port, "/"))
            #expect(try await response.body.collect(upTo: 1_000_000).count == 1_000_000)
        }
    }

    @Test func `after a shutdown nothing is sent`() async throws {
        let transport = AsyncHTTPClientTransport()
        try await transport.shutdown()
        try await transport.shutdown()
        let error = await #expect(throws: TransportError.self) { _ = try await transport.send(.get(port: 1, "/")) }
        #expect(error?.reason == .shutDown)
        #expect(error?.requestMayHaveBeenProcessed == false)
    }

    @Test func `a shutdown ends what is under way`() async throws {
        try await withRawServer { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345")
            _ = await connection.drain()
        } body: { port in
            let transport = AsyncHTTPClientTransport()
            let response = try await transport.send(.get(port: port, "/"))
            try await transport.shutdown()
            let error = await #expect(throws: TransportError.self) { _ = try await response.text() }
            #expect(error?.reason == .shutDown)
        }
    }
}
