import Countersign
import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestTurns
import Testing

@testable import CountersignBrowser

/// The limits of connections, and the cost of connections.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Connections to the loopback port` {
    @Test func `connections that say nothing keep nobody out`() async throws {
        try await Login.run { login in
            let silent = [try await login.connect(), try await login.connect()]
            try await login.expectToGoOn()
            for connection in silent { #expect(try await connection.answer().text.isEmpty) }
        }
    }

    @Test func `one connection too many closes the one that has been silent for longest`() async throws {
        var limits = ConnectionLimits()
        limits.connections = 3
        try await Login.run(limits: limits) { login in
            var silent: [RawConnection] = []
            for _ in 0..<5 { silent.append(try await login.connect()) }
            for connection in silent.prefix(2) { #expect(try await connection.answer().text.isEmpty) }
            try await login.expectToGoOn()
        }
    }

    @Test func `hundreds of connections at once keep nobody out either`() async throws {
        try await Login.run { login in
            let connections = try await withThrowingTaskGroup(of: RawConnection.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        let connection = try await login.connect()
                        if number.isMultiple(of: 2) { await connection.send("GET /callback?code=c0de") }
                        return connection
                    }
                }
                return try await group.reduce(into: [RawConnection]()) { $0.append($1) }
            }
            // While the others still arrive, this connection may be the silent one that is closed.
            try await login.expectToGoOn(attempts: 20)
            // The system may not have reported connections for which it had no room.
            for connection in connections { await connection.close() }
        }
    }

    @Test func `a head of a megabyte is refused`() async throws {
        var limits = ConnectionLimits()
        // A slow machine needs long to send the rest of a head that is refused.
        limits.closingTime = .hours(1)
        try await Login.run(limits: limits) { login in
            let field = "Cookie: \(String(repeating: "x", count: 1 << 20))\r\n"
            #expect(try await login.ask("GET", Login.answer, more: field).status == 431)
            #expect(try await login.ask("GET", Login.answer + String(repeating: "x", count: 1 << 20)).status == 431)
            let fields = (0..<40_000).map { "X-\($0): y\r\n" }.joined()
            #expect(try await login.ask("GET", Login.answer, more: fields).status == 431)
            try await login.expectToGoOn()
        }
    }

    @Test func `a head with many cookies of other ports is not`() async throws {
        try await Login.run { login in
            let field = "Cookie: \(String(repeating: "x", count: 24 << 10))\r\n"
            #expect(try await login.ask("GET", Login.answer, more: field).status == 303)
            _ = try await login.result()
        }
    }

    @Test func `a head that never ends is cut off after its time`() async throws {
        var limits = ConnectionLimits()
        limits.headTime = .milliseconds(100)
        try await Login.run(limits: limits) { login in
            let slow = try await login.connect()
            await slow.send("GET \(Login.answer) HTTP/1.1\r\nHost: \(login.authority)\r\nX-Slow: ")
            #expect(try await slow.answer().text.isEmpty)
            // On a busy machine this client may be too slow as well, and tries again like a browser.
            while try await login.ask(Login.answer).status == nil {}
            #expect(try await login.result().finishURL.query() == "code=c0de&state=s3cret")
        }
    }

    @Test func `bytes that trickle in do not lengthen the time of a head`() throws {
        let channel = EmbeddedChannel()
        let receiver = RedirectReceiver(limits: ConnectionLimits())
        try CallbackConnection.add(to: channel.pipeline.syncOperations, for: receiver)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeInbound(ByteBuffer(string: "GET /callback?x HTTP/1.1\r\nX: "))
        for _ in 0..<9 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            try channel.writeInbound(ByteBuffer(string: "y"))
            #expect(channel.isActive)
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `a client that keeps its side open after its page is left after a while`() async throws {
        var limits = ConnectionLimits()
        limits.closingTime = .milliseconds(100)
        limits.pageTime = .hours(1)
        try await Login.run(limits: limits) { login in
            try await login.ask(Login.answer)
            let connection = try await login.connect()
            await connection.send(login.request("GET", "/callback"))
            // The client neither closes the connection nor reads further, but the login has its result.
            #expect(try await login.resultWithoutReading().finishURL.query() == "code=c0de&state=s3cret")
            await connection.close()
        }
    }

    @Test func `a request that comes byte by byte, or whose client has closed its side, gets its page`() async throws {
        var limits = ConnectionLimits()
        // Sending byte by byte takes long on a busy machine.
        limits.headTime = .hours(1)
        try await Login.run(limits: limits) { login in
            let connection = try await login.connect()
            for byte in login.request("GET", Login.answer) { await connection.send(String(byte)) }
            await connection.endSending()
            let answer = try await connection.answer()
            #expect(answer.status == 303)
            #expect(answer.body.hasSuffix("</html>\n"))
            _ = try await login.result()
        }
    }

    @Test func `one request of a connection counts`() async throws {
        try await Login.run { login in
            let connection = try await login.connect()
            await connection.send(login.request("GET", "/favicon.ico") + login.request("GET", Login.answer))
            let answer = try await connection.answer()
            #expect(answer.status == 404)
            #expect(answer.text.components(separatedBy: "HTTP/1.1 ").count == 2)
            try await login.expectToGoOn()
        }
    }

    @Test(arguments: [
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{FC}\u{3}\u{3}\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "hello\r\n\r\n",
        "GET  /callback?code=1\r\n\r\n", "GET /callback?code=1 HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n",
    ]) func `what is no request is refused`(_ bytes: String) async throws {
        try await Login.run { login in
            let connection = try await login.connect()
            await connection.send(bytes)
            #expect(try await connection.answer().status == 400)
            try await login.expectToGoOn()
        }
    }
}
