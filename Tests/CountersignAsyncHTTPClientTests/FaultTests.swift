import Countersign
import CountersignAsyncHTTPClient
import HTTPTypes
import NIOCore
import TestServers
import TestTurns
import Testing

/// Faults of servers and networks, and the errors that report them.
@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct FaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: TransportError.Reason
        let serve: @Sendable (inout RawConnection) async throws -> Void
    }

    static let faults = [
        Fault(testDescription: "reset before the head", reason: .connectionLost) { connection in
            _ = try await connection.readHead()
            try await connection.reset()
        },
        Fault(testDescription: "closed before the head", reason: .connectionLost) { connection in
            _ = try await connection.readHead()
        },
        Fault(testDescription: "body cut short", reason: .connectionLost) { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc")
        },
        Fault(testDescription: "chunked body cut short", reason: .connectionLost) { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabc")
        },
        Fault(testDescription: "garbage", reason: .malformed) { connection in
            _ = try await connection.readHead()
            try await connection.write("SSH-2.0-OpenSSH_9.2\r\n\r\n")
            _ = await connection.drain()
        },
        Fault(testDescription: "a head of 65 KiB", reason: .malformed) { connection in
            _ = try await connection.readHead()
            var head = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n"
            for number in 0..<65 { head += "x-\(number): \(String(repeating: "y", count: 1024))\r\n" }
            try await connection.write(head + "\r\n")
            _ = await connection.drain()
        },
        Fault(testDescription: "a head without end", reason: .malformed) { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\n")
            while true { try await connection.write("x: \(String(repeating: "y", count: 4096))\r\n") }
        },
    ]

    @Test(arguments: faults)
    func `a server's fault has its reason and counts as processed`(fault: Fault) async throws {
        try await withRawServer(serve: fault.serve) { port in
            var request = SessionRequest.get(port: port, "/?code=canary-query")
            request.head.headerFields[.authorization] = "Bearer canary-token"
            let sent = request
            let error = await #expect(throws: TransportError.self) {
                _ = try await AsyncHTTPClientTransport().send(sent).text()
            }
            #expect(error?.reason == fault.reason)
            #expect(error?.requestMayHaveBeenProcessed == true)
            #expect(error.map { "\($0)".contains("canary") } == false)
        }
    }

    @Test(arguments: ["localhost", "127.0.0.1"]) func `a port where nobody listens is no connection`(host: String) async throws {
        try await withUnservedPort { port in
            let error = await #expect(throws: TransportError.self) {
                _ = try await AsyncHTTPClientTransport().send(.get(port: port, host: host, "/"))
            }
            #expect(error?.reason == .connect)
            #expect(error?.requestMayHaveBeenProcessed == false)
            #expect(error?.detail.hasSuffix("could be made: Connection refused") == true)
        }
    }

    @Test func `a name without an address is a name error`() async throws {
        let error = await #expect(throws: TransportError.self) {
            _ = try await AsyncHTTPClientTransport(configuration: .with { $0.connectTimeout = .seconds(300) })
                .send(.get(port: 80, host: "countersign.invalid", "/"))
        }
        #expect(error?.reason == .nameResolution)
        #expect(error?.requestMayHaveBeenProcessed == false)
    }

    @Test func `silence is a timeout`() async throws {
        try await withRawServer { connection in
            _ = await connection.drain()
        } body: { port in
            let transport = AsyncHTTPClientTransport(configuration: .with { $0.idleTimeout = .milliseconds(50) })
            let error = await #expect(throws: TransportError.self) { _ = try await transport.send(.get(port: port, "/")) }
            #expect(error?.reason == .timeout)
            #expect(error?.requestMayHaveBeenProcessed == true)
        }
    }

    @Test(arguments: [
        HTTPRequest(method: .get, scheme: "ftp", authority: "localhost", path: "/"),
        HTTPRequest(method: .get, scheme: "http+unix", authority: "%2Ftmp%2Fsocket", path: "/"),
        HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"),
        HTTPRequest(method: .get, scheme: "http", authority: "canary:canary@localhost", path: "/"),
        HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:65536", path: "/"),
        HTTPRequest(method: .get, scheme: "http", authority: "[::1]:99999999999999999999", path: "/"),
        HTTPRequest(method: .get, scheme: "http", authority: "localhost:65536", path: "/"),
    ])
    func `a request without a usable address is refused before anything is sent`(head: HTTPRequest) async throws {
        let error = await #expect(throws: TransportError.self) {
            _ = try await AsyncHTTPClientTransport().send(SessionRequest(head))
        }
        #expect(error?.reason == .other)
        #expect(error?.requestMayHaveBeenProcessed == false)
        #expect(error.map { "\($0)".contains("canary") } == false)
    }
}
