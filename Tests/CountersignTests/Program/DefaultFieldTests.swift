import Foundation
import HTTPTypes
import Testing

@_spi(Generated) @testable import Countersign

/// The default fields of a session in the requests of logins.
@Suite(.timeLimit(.minutes(10))) struct DefaultFieldTests {
    /// A grant whose first server names the token endpoint.
    private struct Grant: ProgramParameters {
        static let program = MethodProgram(
            name: "Named", grant: "named", summary: "A token of a server that another one names.",
            slots: [.parameter("server"), .parameter("issuers"), .step("endpoint")], challenges: [],
            credential: CredentialShape(destinations: [], token: CredentialShape.Token()),
            acquire: [
                .http(
                    HTTPCall(
                        "GET", ProgramTemplate(.slot(0), .text("/start")),
                        answers: [
                            HTTPCall.Answer(
                                ChallengePattern(
                                    "answer 1", statuses: [200],
                                    captures: [.slot(2, from: .json(["/endpoint"]), as: .url(within: [.slot(1)]))]))
                        ])),
                .token(TokenCall(ProgramTemplate(.slot(2)), form: [HTTPCall.Member("a", "b")])),
            ])
        let server: URL
        let issuers: ProtectedOrigins

        var slotValues: [ProgramValue] { [.url(server), .origins(issuers)] }
    }

    /// Sets a field with a secret, and one that may go anywhere.
    private static func setFields(of configuration: inout SessionConfiguration) {
        configuration.defaultFields[.userAgent] = "notes"
        if let name = HTTPField.Name("X-API-Key") { configuration.defaultFields[name] = "key" }
    }

    private static func origins(isNamed: Bool) throws -> ProtectedOrigins {
        guard isNamed else { return .anywhere }
        return try ProtectedOrigins([try #require(URL(string: "https://tokens.example"))])
    }

    @Test(arguments: [true, false])
    func `a server that a challenge names gets the secret default fields only if a parameter names it, too`(
        isNamed: Bool
    ) async throws {
        let parameters = TokenParameters(
            servers: try ProtectedOrigins([try #require(URL(string: ProgramBench.origin))]),
            tokenServers: try Self.origins(isNamed: isNamed))
        let bench = ProgramBench(ProgramObserver(parameters: parameters, prompter: nil)) { sent in
            if sent.url.host() == "tokens.example" { return .text(#"{"token":"t"}"#) }
            return sent["Authorization"] == "Bearer t"
                ? .text("data") : Reply(401, [("WWW-Authenticate", #"Bearer realm="https://tokens.example/token""#)])
        } configuring: {
            Self.setFields(of: &$0)
        }
        #expect(try await bench.get() == 200)
        #expect(bench.transport.sent.map { $0.url.host() } == ["app.example", "tokens.example", "app.example"])
        let key = isNamed ? "key" : nil
        #expect(bench.transport.sent.map { $0["X-API-Key"] } == ["key", key, "key"])
        #expect(bench.transport.sent.map { $0["User-Agent"] } == ["notes", "notes", "notes"])
    }

    @Test(arguments: [true, false])
    func `a token endpoint that a server names gets them only if a parameter names it, too`(isNamed: Bool) async throws {
        let transport = ScriptedTransport { sent in
            let body =
                sent.path == "/start"
                ? #"{"endpoint":"https://tokens.example/token"}"# : #"{"access_token":"a","token_type":"Bearer"}"#
            return Reply(200, [("Content-Type", "application/json")], body: ResponseBody(bytes: Array(body.utf8)))
        }
        let grant = Grant(
            server: try #require(URL(string: "https://login.example")), issuers: try Self.origins(isNamed: isNamed))
        let session = Session(configuration: .test { Self.setFields(of: &$0) }, transport: transport)
        _ = try await GrantAuthenticator(grant, session: session).authenticate()
        #expect(transport.sent.map { $0.url.host() } == ["login.example", "tokens.example"])
        let key = isNamed ? "key" : nil
        #expect(transport.sent.map { $0["X-API-Key"] } == ["key", key])
        #expect(transport.sent.map { $0["User-Agent"] } == ["notes", "notes"])
    }
}
