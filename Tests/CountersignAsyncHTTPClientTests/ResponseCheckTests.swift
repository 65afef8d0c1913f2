import Countersign
import CountersignAsyncHTTPClient
import HTTPTypes
import NIOSSL
import TestServers
import TestTurns
import Testing

/// Responses at which the HTTP library would stop the program.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct ResponseCheckTests {
    private func transport() throws -> AsyncHTTPClientTransport {
        let authority = try TestCertificates.shared.get().authority
        return AsyncHTTPClientTransport(
            configuration: .with {
                $0.trustRoots = .pem(authority)
                $0.connectTimeout = .seconds(300)
            })
    }

    private func http2() throws -> TLSConfiguration {
        var tls = try TestCertificates.shared.get().server
        tls.applicationProtocols = ["h2"]
        return tls
    }

    private func expectMalformed(_ send: () async throws -> Void) async {
        let error = await #expect(throws: TransportError.self) { try await send() }
        #expect(error?.reason == .malformed)
        #expect(error?.requestMayHaveBeenProcessed == true)
    }

    // MARK: Status codes

    @Test(arguments: ["000", "099"], ["content-length: 2\r\n\r\nok", "content-length: 0\r\n\r\n"])
    func `a code below 100 is malformed, with a body or without`(code: String, rest: String) async throws {
        try await withRawServer { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 \(code) Strange\r\n\(rest)")
            _ = await connection.drain()
        } body: { port in
            let transport = try transport()
            await expectMalformed { _ = try await transport.send(.get(port: port, "/")).text() }
        }
    }

    @Test func `a code below 100 is malformed while a body is sent`() async throws {
        try await withRawServer { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 099 Strange\r\ncontent-length: 2\r\n\r\nok")
            _ = await connection.drain()
        } body: { port in
            let transport = try transport()
            let body = RequestBody.restartable { Pieces.zeros(64 << 20) }
            await expectMalformed { _ = try await transport.send(.post(port: port, "/", body: body)).text() }
        }
    }

    @Test(arguments: [false, true])
    func `a code below 100 is malformed over TLS, with pins or without`(isPinned: Bool) async throws {
        let certificates = try TestCertificates.shared.get()
        try await withRawServer(tls: certificates.server) { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 099 Strange\r\ncontent-length: 2\r\n\r\nok")
            _ = await connection.drain()
        } body: { port in
            let transport = try transport()
            var request = SessionRequest.get("https", port: port, "/")
            if isPinned { request = try request.pinned(certificates.pin) }
            let sent = request
            await expectMalformed { _ = try await transport.send(sent).text() }
        }
    }

    @Test(arguments: ["", "0", "-1", "099", "+99", "101", "1000", "abc", "99999999999999999999"])
    func `over HTTP 2, anything but a code of three digits, and 101, is malformed`(status: String) async throws {
        try await withRawServer(tls: http2()) { connection in
            guard try await connection.readHTTP2Request() else { return }
            try await connection.write(HTTP2Response.head(status: status))
            _ = await connection.drain()
        } body: { port in
            let transport = try transport()
            await expectMalformed { _ = try await transport.send(.get("https", port: port, "/")).text() }
        }
    }

    @Test func `informational responses, and the final one after them, are as before`() async throws {
        let serveHTTP1: @Sendable (inout RawConnection) async throws -> Void = { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n")
            try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
            _ = await connection.drain()
        }
        let first = try await withRawServer(tls: TestCertificates.shared.get().server, serve: serveHTTP1) { port in
            try await self.transport().send(.get("https", port: port, "/")).text()
        }
        #expect(first == "ok")

        let serveHTTP2: @Sendable (inout RawConnection) async throws -> Void = { connection in
            guard try await connection.readHTTP2Request() else { return }
            try await connection.write(
                HTTP2Response.head(status: "103") + HTTP2Response.head(status: "200") + HTTP2Response.end(of: "ok"))
            _ = await connection.drain()
        }
        let second = try await withRawServer(tls: http2(), serve: serveHTTP2) { port in
            try await self.transport().send(.get("https", port: port, "/")).text()
        }
        #expect(second == "ok")
    }

    // MARK: Early responses

    @Test(arguments: ["200", "413"], [false, true])
    func `over HTTP 2, a response that is complete before the request ends the upload`(
        status: String, isReset: Bool
    ) async throws {
        let resets = Counter()
        try await withRawServer(tls: http2()) { connection in
            guard try await connection.readHTTP2Request() else { return }
            let response = HTTP2Response.head(status: status) + HTTP2Response.end(of: "ok")
            try await connection.write(response + (isReset ? HTTP2Response.reset : []))
            while let kind = try await connection.readHTTP2Frame() {
                if kind == HTTP2Response.resetKind { resets.add() }
            }
        } body: { port in
            let transport = try transport()
            let head = HTTPRequest(method: .post, scheme: "https", authority: "localhost:\(port)", path: "/")
            // Without an end, so that the request is never complete.
            let body = RequestBody.restartable { Pieces { _ in [UInt8](repeating: 0, count: 1024) } }
            let response = try await transport.send(SessionRequest(head, body: body))
            #expect(response.head.status.code == Int(status))
            #expect(try await response.text() == "ok")
            for _ in 0..<10_000 where !isReset && resets.value == 0 { try await Task.sleep(for: .milliseconds(5)) }
            // The connection ends, which the client would report to the request that it has forgotten.
            try await transport.shutdown()
        }
        #expect(isReset || resets.value == 1)
    }

    /// The stream of such a response is closed, and belongs to its connection until the next turn of the event loop. The shutdown
    /// often comes in between.
    @Test func `over HTTP 2, a transport can be shut down as soon as an early response is complete`() async throws {
        try await withRawServer(tls: http2()) { connection in
            guard try await connection.readHTTP2Request() else { return }
            try await connection.write(HTTP2Response.head(status: "204", endsStream: true))
            _ = await connection.drain()
        } body: { port in
            let head = HTTPRequest(method: .post, scheme: "https", authority: "localhost:\(port)", path: "/")
            for _ in 0..<40 {
                let transport = try transport()
                let body = RequestBody.restartable { Pieces { _ in [UInt8](repeating: 0, count: 1024) } }
                let response = try await transport.send(SessionRequest(head, body: body))
                #expect(response.head.status.code == 204)
                #expect(try await response.text() == "")
                try await transport.shutdown()
            }
        }
    }

    /// The client reports such a request as cancelled.
    @Test func `a request on an HTTP 2 connection that the server closes is sent again, and not cancelled`() async throws {
        let (connections, isOver) = (Counter(), Signal())
        try await withRawServer(tls: http2()) { connection in
            guard connections.add() > 1 else {
                // Settings, with which the connection can be used, and at once `GOAWAY`.
                try await connection.write([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 8, 7, 0] + [UInt8](repeating: 0, count: 12))
                return await isOver.wait()
            }
            guard try await connection.readHTTP2Request() else { return }
            try await connection.write(HTTP2Response.head(status: "200") + HTTP2Response.end(of: "ok"))
            _ = await connection.drain()
        } body: { port in
            defer { isOver.fire() }
            let session = Session(transport: try transport())
            #expect(try await session.send(.get("https", port: port, "/")).text() == "ok")
        }
        #expect(connections.value == 2)
    }

    @Test func `over HTTP 2, the end of a connection during an upload is a lost connection`() async throws {
        try await withRawServer(tls: http2()) { connection in
            guard try await connection.readHTTP2Request() else { return }
            try await connection.write(HTTP2Response.head(status: "100"))
        } body: { port in
            let transport = try transport()
            let head = HTTPRequest(method: .post, scheme: "https", authority: "localhost:\(port)", path: "/")
            let body = RequestBody.restartable { Pieces { _ in [UInt8](repeating: 0, count: 1024) } }
            let error = await #expect(throws: TransportError.self) {
                _ = try await transport.send(SessionRequest(head, body: body))
            }
            #expect(error?.reason == .connectionLost)
        }
    }
}
