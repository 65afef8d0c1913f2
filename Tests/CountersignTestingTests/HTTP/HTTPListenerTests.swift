import HTTPTypes
import NIOCore
import Synchronization
import TestTurns
import Testing

@testable import CountersignTesting

/// The server of the mocks, byte by byte.
@Suite(.takesTurns) struct HTTPListenerTests {
    /// Runs a server with a handler. It does not end a connection because a client takes long to close its side.
    private func serve<Value: Sendable>(
        _ handler: @escaping HTTPListener.Handler, _ body: (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let (listener, _) = try await HTTPListener.start(closingTime: .hours(1)) { _ in ((), handler) }
        let result: Result<Value, any Error>
        do { result = .success(try await body(listener.port)) } catch { result = .failure(error) }
        await listener.stop()
        return try result.get()
    }

    /// Answers with the request that has arrived.
    private static let echo: HTTPListener.Handler = { request in
        let text = "\(request.method) \(request.path)?\(request.query ?? "-") \(request.authority) \(request.bodyLength)<end>"
        return MockResponse(status: .ok, body: Array(text.utf8))
    }

    @Test func `pipelined requests are answered in order, also if the first takes longest`() async throws {
        let handler: HTTPListener.Handler = { request in
            if request.path == "/1" { try? await Task.sleep(for: .milliseconds(50)) }
            return MockResponse(status: .ok, body: Array("body of \(request.path)".utf8))
        }
        let text = try await serve(handler) { port in
            let last = "GET /4 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            return try await Wire.answer((1...3).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined() + last, port: port)
        }
        #expect(text.matches(of: /body of \/(\d)/).map(\.output.1) == ["1", "2", "3", "4"])
        #expect(text.matches(of: /HTTP\/1.1 200 OK\r\n/).count == 4)
        #expect(text.matches(of: /connection: close/).count == 1)
    }

    @Test func `a connection serves one request after another, until a client closes it`() async throws {
        try await serve(Self.echo) { port in
            try await Wire.run(port: port) { wire in
                for number in 1...3 {
                    try await wire.send("POST /\(number)?q=%20 HTTP/1.1\r\nHost: A:1\r\nContent-Length: 3\r\n\r\nabc")
                    let text = try await wire.read(through: "<end>")
                    #expect(text.hasSuffix("\r\n\r\nPOST /\(number)?q=%20 a:1 3<end>"))
                    #expect(text.contains(/\r\ndate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/))
                    #expect(!text.contains("connection: close"))
                }
                // The server has no more to send, and closes its side, too.
                try await wire.channel.close(mode: .output).get()
                #expect(await wire.readToEnd().isEmpty)
            }
        }
    }

    @Test(arguments: [
        "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET http://a/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n\r\n",
    ])
    func `a connection that takes no other request is closed after the response`(request: String) async throws {
        let text = try await serve(Self.echo) { port in
            let answer = Mutex("")
            try await within("the connection is closed after the response") {
                let text = (try? await Wire.answer(request, port: port)) ?? ""
                answer.withLock { $0 = text }
            }
            return answer.withLock(\.self)
        }
        #expect(text.contains("connection: close"))
        #expect(text.contains("\r\n\r\nGET /a?- "))
    }

    @Test func `HEAD gets the length and no body, and the next response follows`() async throws {
        let handler: HTTPListener.Handler = { request in
            var response = MockResponse(status: request.path == "/none" ? .noContent : .ok, body: Array("body".utf8))
            if request.path == "/endless" { response.delivery = .endless }
            return response
        }
        let text = try await serve(handler) { port in
            let requests = ["HEAD /", "HEAD /endless", "GET /none"].map { "\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
            return try await Wire.answer(requests + "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: port)
        }
        let responses = text.split(separator: "HTTP/1.1 ").map(String.init)
        try #require(responses.count == 4)
        #expect(responses[0].contains("content-length: 4\r\n") && responses[0].hasSuffix("\r\n\r\n"))
        #expect(responses[1].contains("content-length: 0\r\n") && responses[1].hasSuffix("\r\n\r\n"))
        #expect(responses[2].hasPrefix("204 ") && !responses[2].contains("content-length"))
        #expect(responses[3].contains("content-length: 4\r\n") && responses[3].hasSuffix("\r\n\r\nbody"))
    }

    @Test func `a body in chunks is read whole`() async throws {
        let bodies = Mutex<[String]>([])
        let handler: HTTPListener.Handler = { request in
            bodies.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
            return await Self.echo(request)
        }
        let text = try await serve(handler) { port in
            try await Wire.run(port: port) { wire in
                try await wire.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
                try await wire.send("3\r\nabc\r")
                try await wire.send("\n4;x=y\r\ndefg\r\n0\r\nTrailer: t\r\n\r\n")
                return await wire.readToEnd()
            }
        }
        #expect(text.hasSuffix(" 7<end>"))
        #expect(bodies.withLock(\.self) == ["abcdefg"])
    }

    @Test func `of a long body the first bytes are kept, and all are counted`() async throws {
        let kept = Mutex(0)
        let handler: HTTPListener.Handler = { request in
            kept.withLock { $0 = request.body.count }
            return await Self.echo(request)
        }
        let length = MockServer.keptBodyLength * 40 + 1
        let text = try await serve(handler) { port in
            let body = String(repeating: "b", count: length)
            return try await Wire.answer(
                "PUT / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(length)\r\n\r\n" + body, port: port)
        }
        #expect(text.hasSuffix(" \(length)<end>"))
        #expect(kept.withLock(\.self) == MockServer.keptBodyLength)
    }

    @Test func `a client that expects 100 (Continue) receives it before its body is read`() async throws {
        let text = try await serve(Self.echo) { port in
            try await Wire.run(port: port) { wire in
                try await wire.send("PUT / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\n")
                try await wire.send("Content-Length: 2\r\n\r\n")
                #expect(try await wire.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                try await wire.send("ab")
                return await wire.readToEnd()
            }
        }
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix(" 2<end>"))
    }

    @Test(arguments: [
        ("nonsense\r\n\r\n", 400), ("GET /\0 HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400), ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n", 400),
    ])
    func `what is no request is refused, and the connection closed`(bytes: String, status: Int) async throws {
        try await serve(Self.echo) { try await expectRefusal(of: bytes, status: status, port: $0) }
    }

    @Test func `a request head that is too large is refused, whatever makes it large`() async throws {
        let long = String(repeating: "x", count: 1_000_000)
        let heads = [
            "GET /\(long) HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nX: \(long)\r\n\r\n", "GET / HTTP/1.1\r\n\(long): x\r\n\r\n",
            "GET / HTTP/1.1\r\n\(String(repeating: "a: b\r\n", count: 2000))\r\n",
        ]
        try await serve(Self.echo) { port in
            for head in heads { try await expectRefusal(of: head, status: 431, port: port) }
        }
    }

    /// Sends bytes after a request on its connection. That request is answered, and so is one on another connection.
    private func expectRefusal(of bytes: String, status: Int, port: Int) async throws {
        let text = try await Wire.answer("GET /before HTTP/1.1\r\nHost: a\r\n\r\n" + bytes, port: port)
        #expect(text.contains("<end>HTTP/1.1 \(status) "))
        #expect(text.hasSuffix("\r\n\r\n") && text.contains("connection: close"))
        #expect(try await Wire.answer("GET / HTTP/1.0\r\n\r\n", port: port).hasSuffix("<end>"))
    }

    @Test func `half a request is not handled, and a client that goes away lets its request be handled to the end`() async throws {
        let handled = Mutex<[String]>([])
        let arrived = AsyncStream.makeStream(of: Void.self)
        let gone = AsyncStream.makeStream(of: Void.self)
        let handler: HTTPListener.Handler = { request in
            arrived.continuation.yield()
            for await _ in gone.stream { break }
            handled.withLock { $0.append("\(request.path) \(Task.isCancelled)") }
            return await Self.echo(request)
        }
        let (listener, _) = try await HTTPListener.start { _ in ((), handler) }
        try await Wire.run(port: listener.port) { wire in
            try await wire.send("POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
        }
        try await Wire.run(port: listener.port) { wire in
            try await wire.send("GET /whole HTTP/1.1\r\nHost: a\r\n\r\n")
            for await _ in arrived.stream { break }
        }
        gone.continuation.finish()
        while handled.withLock(\.isEmpty) { try await Task.sleep(for: .milliseconds(1)) }
        await listener.stop()
        #expect(handled.withLock(\.self) == ["/whole false"])
    }

    @Test func `a stop ends connections that are idle, in a request, in a handler, and in a body that is not read`() async throws {
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        let (stopped, isStopped) = AsyncStream.makeStream(of: Void.self)
        let cancelled = Mutex(0)
        let handler: HTTPListener.Handler = { request in
            var response = await Self.echo(request)
            if request.path == "/slow" {
                isReady.yield()
                do { try await Task.sleep(for: .seconds(300)) } catch { cancelled.withLock { $0 += 1 } }
            }
            if request.path == "/endless" { response.delivery = .endless }
            return response
        }
        let (listener, _) = try await HTTPListener.start { _ in ((), handler) }
        let requests =
            ["", "GET / HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na"]
            + ["idle", "slow", "endless"].map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for request in requests {
                group.addTask {
                    try await Wire.run(port: listener.port) { wire in
                        try await wire.send(request)
                        if request.contains("/idle") { _ = try await wire.read(through: "<end>") }
                        if request.contains("/endless") { _ = try await wire.read(through: "...") }
                        if !request.contains("/slow") { isReady.yield() }
                        // The client does not read, so the server is in the middle of a write.
                        if request.contains("/endless") { for await _ in stopped {} }
                        _ = await wire.readToEnd()
                    }
                }
            }
            var count = 0
            for await _ in ready {
                count += 1
                if count == requests.count { break }
            }
            await listener.stop()
            isStopped.finish()
            try await group.waitForAll()
        }
        // Less than the time for which the slow handler sleeps.
        #expect(ContinuousClock.now - start < .seconds(200))
        #expect(cancelled.withLock(\.self) == 1)
        try await expectToBeClosed(listener.port)
    }

    /// Waits until no program listens on a port.
    ///
    /// A process that a parallel test starts has a copy of the socket until it executes its program.
    private func expectToBeClosed(_ port: Int) async throws {
        for _ in 0..<6_000 {
            if (try? await Wire.answer("GET / HTTP/1.0\r\n\r\n", port: port)) == nil { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("a program still listens on \(port)")
    }

    @Test func `no connection is accepted before there is a handler, and none is lost`() async throws {
        let (listener, client) = try await HTTPListener.start { port in
            (Task { try await Wire.answer("GET /early HTTP/1.0\r\n\r\n", port: port) }, Self.echo)
        }
        #expect(try await client.value.contains("GET /early?-"))
        await listener.stop()
        await listener.stop()
    }

    @Test func `the port is closed when the handler cannot be made, and when the server is released`() async throws {
        struct Failure: Error {}
        let port = Mutex(0)
        await #expect(throws: Failure.self) {
            _ = try await HTTPListener.start { number -> (Void, HTTPListener.Handler) in
                port.withLock { $0 = number }
                throw Failure()
            }
        }
        try await expectToBeClosed(port.withLock(\.self))
        var listener: HTTPListener? = try await HTTPListener.start { _ in ((), Self.echo) }.0
        let released = try #require(listener?.port)
        listener = nil
        // The server is closed soon, but not immediately.
        try await expectToBeClosed(released)
    }
}
