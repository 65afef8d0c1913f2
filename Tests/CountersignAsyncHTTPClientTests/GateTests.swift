import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization
import TestServers
import TestTurns
import Testing

/// Unread bodies keep their connections, and must not block the requests of an authentication.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct GateTests {
    private static let connections = 2

    /// Requests the key from the server that the key is for, as a token request does.
    private struct FetchedKeys: ProgramPrompting {
        let session: @Sendable () -> Session?
        let port: Int

        func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
            var request = SessionRequest.get(port: port, "/token")
            // Only for a test that fails: otherwise the request would wait for as long as the bodies stay unread.
            request.timeout = .seconds(30)
            return try await session()?.send(request).text().isEmpty == false ? [.secret("key")] : nil
        }
    }

    private struct Parameters: ProgramParameters {
        var servers: ProtectedOrigins

        static let program = MethodProgram(
            name: "Key", summary: "A key.",
            slots: [.parameter("servers"), .credential("key", isSecret: true)], challenges: [],
            credential: CredentialShape(fields: [.slot(1)], destinations: [0], isEager: true),
            acquire: [.prompt(0, slots: [1])], attach: [.header("Authorization", ProgramTemplate(.slot(1)))])

        var slotValues: [ProgramValue] { [.origins(servers)] }
    }

    private final class Place: Sendable {
        private let held = Mutex<Session?>(nil)
        var session: Session? {
            get { held.withLock { $0 } }
            set { held.withLock { $0 = newValue } }
        }
    }

    @Test func `a request of an authentication does not wait behind bodies that nothing reads`() async throws {
        let tokens = Counter()
        // Fires when the token is requested, or when the request that needs it has failed.
        let isOver = Signal()
        try await withRawServer { connection in
            while let head = try await connection.readHead() {
                if head.hasPrefix("GET /stream") {
                    try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nbeginning")
                    _ = await connection.drain()
                } else {
                    if head.hasPrefix("GET /token") {
                        tokens.add()
                        isOver.fire()
                    }
                    let isSigned = head.lowercased().contains("authorization: key")
                    let text = isSigned ? "data" : "open"
                    try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: \(text.utf8.count)\r\n\r\n\(text)")
                }
            }
        } body: { port in
            let transport = AsyncHTTPClientTransport(
                configuration: .with { $0.maximumConnectionsPerHost = Self.connections })
            let session = Session(transport: transport)
            var bodies: [Countersign.ResponseBody] = []
            for _ in 0..<Self.connections { bodies.append(try await session.send(.get(port: port, "/stream")).body) }

            let place = Place()
            place.session = session
            defer { place.session = nil }
            let origin = try #require(URL(string: "http://localhost:\(port)/").flatMap { Origin($0) })
            session.register(
                ProgramObserver(
                    parameters: Parameters(servers: ProtectedOrigins(origins: [origin])),
                    prompter: FetchedKeys(session: { place.session }, port: port)))
            let data = Task {
                defer { isOver.fire() }
                return try await session.send(.get(port: port, "/data")).text()
            }
            await isOver.wait()
            #expect(tokens.value == 1)
            // The request itself is an ordinary one, and is sent when a body has ended.
            for body in bodies { body.cancel() }
            #expect(try await data.value == "data")
            try await transport.shutdown()
        }
    }

    @Test func `exchanges that last leave their room to others`() async throws {
        try await withRawServer { connection in
            while let head = try await connection.readHead() {
                guard head.hasPrefix("GET /stream") else {
                    try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ndata")
                    continue
                }
                try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nbeginning")
                _ = await connection.drain()
            }
        } body: { port in
            let transport = AsyncHTTPClientTransport(
                configuration: .with { $0.maximumConnectionsPerHost = Self.connections })
            var bodies: [Countersign.ResponseBody] = []
            // More exchanges than the limit allows, so the last one waits until the first has taken long enough not to count any
            // longer.
            for _ in 0..<Self.connections { bodies.append(try await transport.send(.get(port: port, "/stream")).body) }
            var request = SessionRequest.get(port: port, "/data")
            request.timeout = .seconds(30)
            let data = try await transport.send(request).text()
            #expect(data == "data")
            // Exchanges that have taken long do not count any longer, so another stream need not wait.
            bodies.append(try await transport.send(.get(port: port, "/stream")).body)
            for body in bodies { body.cancel() }
            let again = try await transport.send(request).text()
            #expect(again == "data")
            try await transport.shutdown()
        }
    }

    @Test func `a shutdown ends the wait for bodies that nothing reads`() async throws {
        try await withRawServer { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nbeginning")
            _ = await connection.drain()
        } body: { port in
            let transport = AsyncHTTPClientTransport(configuration: .with { $0.maximumConnectionsPerHost = 1 })
            var bodies: [Countersign.ResponseBody] = []
            // One exchange has the only place, and three have lasted for so long that they do not count: there is no room for more.
            for _ in 0..<4 { bodies.append(try await transport.send(.get(port: port, "/stream")).body) }
            let last = Task {
                var request = SessionRequest.get(port: port, "/stream")
                // Only for a test that fails: otherwise the request would wait for as long as the bodies stay unread.
                request.timeout = .seconds(30)
                _ = try await transport.send(request)
            }
            try await transport.shutdown()
            let error = await #expect(throws: TransportError.self) { try await last.value }
            #expect(error?.reason == .shutDown)
            #expect(error?.requestMayHaveBeenProcessed == false)
            withExtendedLifetime(bodies) {}
        }
    }

    @Test func `the number of exchanges can be unlimited`() async throws {
        try await withRawServer { connection in
            while try await connection.readHead() != nil {
                try await connection.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
            }
        } body: { port in
            let transport = AsyncHTTPClientTransport(configuration: .with { $0.maximumConnectionsPerHost = .max })
            let text = try await transport.send(.get(port: port, "/")).text()
            #expect(text == "ok")
            try await transport.shutdown()
        }
    }

    @Test func `over HTTP 2 there is room for as many as servers are asked to allow`() async throws {
        let certificates = try TestCertificates.shared.get()
        let arrived = Counter()
        let allAreThere = Signal()
        try await withServer(.http2(certificates.server)) { router in
            router.get("/") { _, _ in "ok" }
            router.get("/held") { _, _ in
                if arrived.add() == 100 { allAreThere.fire() }
                await allAreThere.wait()
                return "ok"
            }
        } body: { port in
            let transport = AsyncHTTPClientTransport(
                configuration: .with {
                    $0.trustRoots = .pem(certificates.authority)
                    $0.maximumConnectionsPerHost = Self.connections
                    $0.connectTimeout = .seconds(300)
                })
            // The first response shows which protocol the server speaks.
            let first = try await transport.send(.get("https", port: port, "/")).text()
            #expect(first == "ok")
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        var request = SessionRequest.get("https", port: port, "/held")
                        request.timeout = .seconds(60)
                        return try await transport.send(request).text()
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(answers == ["ok": 100])
            try await transport.shutdown()
        }
    }
}
