import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

/// Bodies that stay unread keep their connections, and must not keep an authentication from its own.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct GateTests {
    private static let connections = 2

    /// Gets its key from the server that the key is for, as a token request does.
    private struct FetchedKeys: ProgramPrompting {
        let session: @Sendable () -> Session?
        let port: Int

        func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
            var request = SessionRequest.get(port: port, "/token")
            // For a test that fails: the request would wait for as long as the bodies stay unread.
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
        // Fires when the token is asked for, or the request that needs it has failed.
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
            // The request itself is an ordinary one, and has its turn when a body has ended.
            for body in bodies { body.cancel() }
            #expect(try await data.value == "data")
            try await transport.shutdown()
        }
    }
}
