import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import TestServers
import TestTurns
import Testing

/// Servers that close a connection without notice when the next request arrives on it: a request on a reused connection is lost.
@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct IdleConnectionTests {
    /// A method whose own request for a token cannot be sent twice.
    private struct Parameters: ProgramParameters {
        let server: URL

        static let program = MethodProgram(
            name: "Token", summary: "A token.",
            slots: [.parameter("server"), .credential("token", isSecret: true)],
            challenges: [ChallengePattern("unauthorized", statuses: [401])],
            credential: CredentialShape(fields: [.slot(1)], destinations: [0]),
            acquire: [
                .http(
                    HTTPCall(
                        "POST", ProgramTemplate(.slot(0), .text("/token")),
                        answers: [
                            HTTPCall.Answer(
                                ChallengePattern(
                                    "answer 1", statuses: [201],
                                    captures: [.slot(1, from: .header("X-Token"))]))
                        ]))
            ],
            attach: [.header("X-Token", ProgramTemplate(.slot(1)))])

        var slotValues: [ProgramValue] { [.url(server)] }
    }

    /// Answers the first request of a connection, and closes it when a second one arrives.
    private static func serve(_ connection: inout RawConnection, logins: Counter) async throws {
        guard let head = try await connection.readHead() else { return }
        let answer: String
        if head.hasPrefix("POST /token ") {
            logins.add(1)
            answer = "201 Created\r\nX-Token: t"
        } else {
            answer = head.lowercased().contains("\r\nx-token: t") ? "200 OK" : "401 Unauthorized"
        }
        try await connection.write("HTTP/1.1 \(answer)\r\nContent-Length: 0\r\n\r\n")
        _ = try await connection.readHead()
    }

    @Test(arguments: [1, 20]) func `lose neither a login nor what waits for it`(count: Int) async throws {
        let logins = Counter()
        try await withRawServer(serve: { try await Self.serve(&$0, logins: logins) }) { port in
            let url = try #require(URL(string: "http://localhost:\(port)"))
            let session = Session(transport: AsyncHTTPClientTransport())
            session.register(ProgramObserver(parameters: Parameters(server: url), prompter: nil))
            for _ in 0..<2 {
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<count {
                        group.addTask {
                            let response = try await session.send(.get(port: port, "/"))
                            _ = try await response.text()
                            return response.head.status.code
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses == Array(repeating: 200, count: count))
            }
            await session.invalidate(cancelling: true)
        }
        #expect(logins.value == 1)
    }
}
