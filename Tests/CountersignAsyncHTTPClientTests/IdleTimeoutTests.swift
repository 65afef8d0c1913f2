import Countersign
import CountersignAsyncHTTPClient
import Hummingbird
import NIOCore
import TestServers
import TestTurns
import Testing

/// The limit for servers that send nothing, which must not count other waits.
@Suite(.sleeps, .timeLimit(.minutes(10))) struct IdleTimeoutTests {
    /// A limit that no server here exceeds by accident. Over HTTP/2, a server is asked after a third of it, and has to answer within the
    /// same time, for which a busy machine may almost stop it.
    private static let limit = Duration.seconds(18)
    /// A time that is longer than the limit.
    private static let pause = Duration.seconds(20)

    private func transport(_ idleTimeout: Duration?) throws -> AsyncHTTPClientTransport {
        let authority = try TestCertificates.shared.get().authority
        return AsyncHTTPClientTransport(
            configuration: .with {
                $0.trustRoots = .pem(authority)
                $0.connectTimeout = .seconds(300)
                $0.idleTimeout = idleTimeout
            })
    }

    private func kind(overHTTP2: Bool) throws -> ServerKind {
        overHTTP2 ? .http2(try TestCertificates.shared.get().server) : .plain
    }

    private func request(_ port: Int, overHTTP2: Bool) -> SessionRequest {
        .get(overHTTP2 ? "https" : "http", port: port, "/")
    }

    private func expectTimeout(_ receive: () async throws -> Void) async {
        let error = await #expect(throws: TransportError.self) { try await receive() }
        #expect(error?.reason == .timeout)
        #expect(error?.detail == "the server sent nothing for too long")
        #expect(error?.requestMayHaveBeenProcessed == true)
    }

    // MARK: A silent server

    @Test(arguments: [false, true]) func `silence before the head is a timeout`(overHTTP2: Bool) async throws {
        let isOver = Signal()
        try await withServer(kind(overHTTP2: overHTTP2)) { router in
            router.get("/") { _, _ in
                await isOver.wait()
                return "late"
            }
        } body: { port in
            defer { isOver.fire() }
            let transport = try transport(.milliseconds(50))
            await expectTimeout { _ = try await transport.send(request(port, overHTTP2: overHTTP2)) }
        }
    }

    @Test(arguments: zip([false, true], [false, true]))
    func `silence in a body is a timeout while the body is read`(overHTTP2: Bool, isReadLate: Bool) async throws {
        let isOver = Signal()
        try await withServer(kind(overHTTP2: overHTTP2)) { router in
            router.get("/") { _, _ in
                Response(
                    status: .ok,
                    body: .init { writer in
                        try await writer.write(ByteBuffer(string: "start"))
                        await isOver.wait()
                        try await writer.finish(nil)
                    })
            }
        } body: { port in
            defer { isOver.fire() }
            let response = try await transport(Self.limit).send(request(port, overHTTP2: overHTTP2))
            var iterator = response.body.makeAsyncIterator()
            // The client does not ask for more before the beginning was read.
            if isReadLate { try await Task.sleep(for: Self.pause) }
            #expect(try await iterator.next()?.count == 5)
            await expectTimeout { _ = try await iterator.next() }
        }
    }

    // MARK: Other waits

    @Test(arguments: [false, true])
    func `a reader that pauses for longer than the limit gets the whole body`(overHTTP2: Bool) async throws {
        try await withServer(kind(overHTTP2: overHTTP2)) { router in
            router.get("/") { _, _ in
                Response(
                    status: .ok,
                    body: .init { writer in
                        let piece = ByteBuffer(repeating: 7, count: 65_536)
                        for _ in 0..<(StreamingTests.size / piece.readableBytes) {
                            try await writer.write(piece)
                        }
                        try await writer.finish(nil)
                    })
            }
        } body: { port in
            let response = try await transport(Self.limit).send(request(port, overHTTP2: overHTTP2))
            var iterator = response.body.makeAsyncIterator()
            var count = try await iterator.next()?.count ?? 0
            try await Task.sleep(for: Self.pause)
            while let piece = try await iterator.next() { count += piece.count }
            #expect(count == StreamingTests.size)
        }
    }

    @Test func `a connection that was idle for longer than the limit is used again, and its limit applies again`() async throws {
        let connections = Counter()
        try await withRawServer { connection in
            connections.add()
            for _ in 0..<2 {
                _ = try await connection.readHead()
                try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
            }
            _ = await connection.drain()
        } body: { port in
            let transport = try transport(Self.limit)
            #expect(try await transport.send(.get(port: port, "/")).text() == "ok")
            try await Task.sleep(for: Self.pause)
            #expect(try await transport.send(.get(port: port, "/")).text() == "ok")
            await expectTimeout { _ = try await transport.send(.get(port: port, "/")) }
        }
        #expect(connections.value == 1)
    }

    @Test func `a server that takes longer than the limit to read the request is not silent`() async throws {
        let size = 2 * StreamingTests.uploadBound
        try await withRawServer { connection in
            _ = try await connection.readHead()
            try await Task.sleep(for: Self.pause)
            let body = try await connection.read(size)
            try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n\(body == nil ? "no" : "ok")")
            _ = await connection.drain()
        } body: { port in
            let transport = try transport(Self.limit)
            let body = Countersign.RequestBody.bytes([UInt8](repeating: 7, count: size))
            #expect(try await transport.send(.post(port: port, "/", body: body)).text() == "ok")
        }
    }

    @Test func `without a limit, a server can be silent`() async throws {
        try await withRawServer { connection in
            _ = try await connection.readHead()
            try await Task.sleep(for: .milliseconds(200))
            try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
            _ = await connection.drain()
        } body: { port in
            let transport = try transport(nil)
            #expect(try await transport.send(.get(port: port, "/")).text() == "ok")
        }
    }
}
