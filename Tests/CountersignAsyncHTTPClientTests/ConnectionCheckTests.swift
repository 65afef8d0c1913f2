import Countersign
import CountersignAsyncHTTPClient
import NIOCore
import NIOSSL
import TestServers
import TestTurns
import Testing

/// HTTP/2 connections that are dead are closed, and no others.
@Suite(.sleeps, .timeLimit(.minutes(10))) struct ConnectionCheckTests {
    /// A connection is checked after a third of it, and again after twice that time. Each third is longer than a busy machine stops a
    /// server of these tests.
    private static let limit = Duration.seconds(18)

    private func transport(idleTimeout: Duration? = Self.limit) throws -> AsyncHTTPClientTransport {
        let authority = try TestCertificates.shared.get().authority
        return AsyncHTTPClientTransport(
            configuration: .with {
                $0.trustRoots = .pem(authority)
                $0.connectTimeout = .seconds(300)
                $0.idleTimeout = idleTimeout
            })
    }

    private func http2() throws -> TLSConfiguration {
        var tls = try TestCertificates.shared.get().server
        tls.applicationProtocols = ["h2"]
        return tls
    }

    private func expectLost(_ send: () async throws -> Void) async {
        let error = await #expect(throws: TransportError.self) { try await send() }
        #expect(error?.reason == .connectionLost)
        #expect(error?.requestMayHaveBeenProcessed == true)
    }

    // MARK: Dead connections

    @Test(arguments: [false, true])
    func `a server that falls silent loses its connection, and the next request has a new one`(isPinned: Bool) async throws {
        let (connections, pings) = (Counter(), Counter())
        try await withRawServer(tls: http2()) { connection in
            connections.add()
            guard try await connection.readHTTP2Request() else { return }
            try await connection.write(HTTP2Response.head(status: "200") + HTTP2Response.end(of: "ok"))
            while try await connection.readHTTP2Head(answers: false, pings: pings) {}
        } body: { port in
            let transport = try transport()
            var request = SessionRequest.get("https", port: port, "/")
            if isPinned { request = try request.pinned(TestCertificates.shared.get().pin) }
            let sent = request
            #expect(try await transport.send(sent).text() == "ok")
            // The limit of the request itself would be a timeout.
            await expectLost { _ = try await transport.send(sent).text() }
            #expect(pings.value == 1)
            #expect(try await transport.send(sent).text() == "ok")
        }
        #expect(connections.value == 2)
    }

    @Test(arguments: [nil, Duration.seconds(300)])
    func `the request after a lost connection has a new one`(idleTimeout: Duration?) async throws {
        let connections = Counter()
        try await withRawServer(tls: http2()) { connection in
            connections.add()
            guard try await connection.readHTTP2Request() else { return }
            try await connection.write(HTTP2Response.head(status: "200") + HTTP2Response.end(of: "ok"))
            _ = try await connection.readHTTP2Head()
        } body: { port in
            let transport = try transport(idleTimeout: idleTimeout)
            // By chance, the client's pool could forget a connection in time, but not each time.
            for _ in 1...50 {
                #expect(try await transport.send(.get("https", port: port, "/")).text() == "ok")
                await expectLost { _ = try await transport.send(.get("https", port: port, "/")) }
            }
        }
        #expect(connections.value == 50)
    }

    @Test func `a connection whose frames cannot be read is closed at once, although the server keeps it`() async throws {
        let (connections, closed) = (Counter(), Signal())
        try await withRawServer(tls: http2()) { connection in
            let isFirst = connections.add() == 1
            guard try await connection.readHTTP2Request() else { return }
            if isFirst {
                // A frame that is larger than all that are allowed (RFC 9113, section 4.2).
                try await connection.write([0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1])
                _ = await connection.drain()
                closed.fire()
            } else {
                try await connection.write(HTTP2Response.head(status: "200") + HTTP2Response.end(of: "ok"))
                _ = await connection.drain()
            }
        } body: { port in
            let transport = try transport(idleTimeout: .seconds(300))
            await expectLost { _ = try await transport.send(.get("https", port: port, "/")) }
            try await within("the connection is closed") { await closed.wait() }
            #expect(try await transport.send(.get("https", port: port, "/")).text() == "ok")
        }
        #expect(connections.value == 2)
    }

    // MARK: Others

    @Test func `a slow server that answers is asked and not disturbed, and not asked without a request`() async throws {
        let (connections, pings) = (Counter(), Counter())
        try await withRawServer(tls: http2()) { connection in
            connections.add()
            guard try await connection.readHTTP2Request() else { return }
            let outbound = connection.outbound
            let response = Task {
                try await Task.sleep(for: Self.limit / 2)
                try await outbound.write(
                    ByteBuffer(bytes: HTTP2Response.head(status: "200") + HTTP2Response.end(of: "ok")))
            }
            defer { response.cancel() }
            guard try await connection.readHTTP2Head(pings: pings) else { return }
            try await connection.write(HTTP2Response.head(status: "200", stream: 3) + HTTP2Response.end(of: "ok", stream: 3))
            _ = await connection.drain()
        } body: { port in
            let transport = try transport()
            #expect(try await transport.send(.get("https", port: port, "/")).text() == "ok")
            let asked = pings.value
            #expect(asked > 0)
            try await Task.sleep(for: Self.limit / 2)
            #expect(pings.value == asked)
            #expect(try await transport.send(.get("https", port: port, "/")).text() == "ok")
        }
        #expect(connections.value == 1)
    }

    @Test func `a reader that pauses for longer than the limit gets the whole body if the server answers`() async throws {
        let (pings, mayEnd) = (Counter(), Signal())
        try await withRawServer(tls: http2()) { connection in
            guard try await connection.readHTTP2Request() else { return }
            try await connection.write(HTTP2Response.head(status: "200") + HTTP2Response.part("start"))
            let outbound = connection.outbound
            let rest = Task {
                await mayEnd.wait()
                try await outbound.write(ByteBuffer(bytes: HTTP2Response.end(of: " and end")))
            }
            defer { rest.cancel() }
            _ = try await connection.readHTTP2Head(pings: pings)
        } body: { port in
            defer { mayEnd.fire() }
            let response = try await transport().send(.get("https", port: port, "/"))
            try await Task.sleep(for: Self.limit * 4 / 3)
            // After one third, and after three. Others would follow after five.
            #expect((1...2).contains(pings.value))
            mayEnd.fire()
            #expect(try await response.text() == "start and end")
        }
    }
}
