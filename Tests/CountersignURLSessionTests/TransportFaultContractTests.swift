import Countersign
import HTTPTypes
import TestServers
import TestTurns
import Testing

/// Faults of servers and networks, and the errors that report them, for each transport of this package.
@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct TransportFaultContractTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: TransportError.Reason
        let bytes: String

        static let all = [
            Fault(testDescription: "closed before the head", reason: .connectionLost, bytes: ""),
            Fault(
                testDescription: "body cut short", reason: .connectionLost,
                bytes: "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc"),
            Fault(
                testDescription: "chunked body cut short", reason: .connectionLost,
                bytes: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabc"),
            Fault(testDescription: "garbage", reason: .malformed, bytes: "SSH-2.0-OpenSSH_9.2\r\n\r\n"),
            Fault(
                testDescription: "a field of 200 KiB", reason: .malformed,
                bytes: "HTTP/1.1 200 OK\r\n\(field(length: 200 << 10))content-length: 0\r\n\r\n"),
            Fault(
                testDescription: "a head of 400 KiB", reason: .malformed,
                bytes: "HTTP/1.1 200 OK\r\n\(String(repeating: field(length: 1 << 10), count: 400))content-length: 0\r\n\r\n"),
        ]

        private static func field(length: Int) -> String { "x: \(String(repeating: "y", count: length))\r\n" }
    }

    @Test(arguments: TransportKind.all, Fault.all)
    func `a server's fault has its reason, counts as processed, and contains no secret`(
        kind: TransportKind, fault: Fault
    ) async throws {
        try await withRawServer { (connection) async throws in
            _ = try await connection.readHead()
            try await connection.write(fault.bytes)
        } body: { (port) async throws in
            var request = SessionRequest.get(port: port, "/?code=canary-query")
            request.head.headerFields[.authorization] = "Bearer canary-token"
            let sent = request
            let error = await #expect(throws: TransportError.self) { _ = try await kind.make().send(sent).text() }
            #expect(error?.reason == fault.reason)
            #expect(error?.requestMayHaveBeenProcessed == true)
            #expect(!String(reflecting: error).contains("canary"))
        }
    }

    @Test(arguments: TransportKind.all)
    func `a refused connection has sent nothing`(kind: TransportKind) async throws {
        try await withUnservedPort { (port) async throws in
            let error = await #expect(throws: TransportError.self) { _ = try await kind.make().send(.get(port: port)) }
            #expect(error?.reason == .connect)
            #expect(error?.requestMayHaveBeenProcessed == false)
        }
    }

    @Test(arguments: TransportKind.all)
    func `a head that does not arrive in time is a timeout`(kind: TransportKind) async throws {
        let arrived = Counter()
        try await withRawServer { (connection) async throws in
            if try await connection.readHead() != nil { arrived.add() }
            await connection.drain()
        } body: { (port) async throws in
            var request = SessionRequest.get(port: port)
            request.timeout = .milliseconds(200)
            let sent = request
            let error = await #expect(throws: TransportError.self) { _ = try await kind.make().send(sent) }
            #expect(error?.reason == .timeout)
            // On a busy machine, the time may be over before there is a connection.
            #expect(error?.requestMayHaveBeenProcessed == true || arrived.value == 0)
        }
    }
}
