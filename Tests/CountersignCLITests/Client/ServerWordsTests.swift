import ArgumentParser
import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

@testable import CountersignCLI

/// The server's own explanation of a refused login, and the JSON of errors.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct ServerWordsTests {
    @Test func `the words are one line without control characters, and not too long`() {
        #expect(ServerWords("Locked\u{1B}[2J\u{9B}31m\n\u{202E}out").text == #"Locked\u{1B}[2J\u{9B}31m\u{A}\u{202E}out"#)
        #expect(ServerWords(String(repeating: "a", count: 300)).text.count == 300)
        #expect(ServerWords(String(repeating: "a", count: 301)).text == String(repeating: "a", count: 300) + "…")
        #expect(ServerWords(of: CountersignError(.refusedByServer, detail: "no")) == nil)
    }

    @Test func `the words are shown between the error and the remedy, and are a member of JSON`() throws {
        let recorded = RecordedConsole()
        let words = ServerWords("The account is locked.")
        recorded.console.report(problem: "the server refuses the login", help: "Call the desk.", said: words)
        #expect(
            recorded.messages == """
                error: the server refuses the login
                the server says: "The account is locked."
                help: Call the desk.

                """)
        let failure = FailureReport.Failure("refused\u{9B}", help: nil, said: words, exit: CommandExit.refused)
        let text = try JSONText.of(FailureReport(error: failure))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let error = try #require(object["error"] as? [String: Any])
        #expect(error["serverMessage"] as? String == "The account is locked." && error["exit"] as? Int == 77)
        #expect(error["message"] as? String == #"refused\u{9B}"#)
        #expect(error["help"] == nil && object["version"] as? Int == 1)
    }

    @Test func `a refused login has the words of its server`() async throws {
        let bench = try CommandBench()
        try await MockAuthorizationServer.run { server in
            let refused = await bench.run([
                "request", "-v", "--no-store", "--landscape", "OAuth", "--method", "ClientCredentials", "--set",
                "apis=\(server.baseURL)", "--set", "tokenURL=\(server.tokenEndpoint)", "--set", "clientID=nobody", "--set-file",
                "clientSecret=\(try bench.write("s3cret", to: "secret"))", server.baseURL.appending(path: "notes").absoluteString,
            ])
            #expect(refused.exit == CommandExit.refused)
            let lines = refused.messages.split(separator: "\n")
            let error = try #require(lines.firstIndex { $0.hasPrefix("error: ") })
            #expect(lines[error + 1].hasPrefix("the server says: \""), "\(refused.messages)")
            #expect(lines[error + 2].hasPrefix("help: "))
            // Neither the error nor the shown exchange has them.
            let words = lines[error + 1].dropFirst("the server says: \"".count).dropLast()
            #expect(!words.isEmpty && lines.count { $0.contains(words) } == 1)
        }
    }

    @Test func `denied access has a remedy for the user and the administrator`() async throws {
        let bench = try CommandBench()
        try await MockAuthorizationServer.run { server in
            server.inject(.error("access_denied", status: 400), for: .clientCredentials)
            let client = MockOAuth2Client.service
            let refused = await bench.run([
                "request", "--no-store", "--landscape", "OAuth", "--method", "ClientCredentials", "--set",
                "apis=\(server.baseURL)", "--set", "tokenURL=\(server.tokenEndpoint)", "--set", "clientID=\(client.id)",
                "--set-file",
                "clientSecret=\(try bench.write(client.secret ?? "", to: "secret"))",
                server.baseURL.appending(path: "notes").absoluteString,
            ])
            #expect(refused.exit == CommandExit.refused)
            #expect(refused.messages.contains("help: Log in again, and allow the access"), "\(refused.messages)")
            #expect(refused.messages.contains("an administrator"))
        }
    }

    @Test func `an error that a spec describes has the words of the server, and the exit status of its cause`() async throws {
        let bench = try CommandBench()
        var options = MockOptions()
        options.protection = "OAuth2"
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            let values = [
                "--no-store", "--landscape", "SAPMobileServices", "--method", "OAuth2", "--variant", "client-credentials", "--set",
                "backendURL=\(mock.baseURL)", "--set", "name=nobody", "--set-file",
                "secret=\(try bench.write("s3cret", to: "secret"))",
            ]
            let url = mock.baseURL.appending(path: "orders").absoluteString
            let refused = await bench.run(["request"] + values + [url])
            #expect(refused.exit == CommandExit.refused)
            let lines = refused.messages.split(separator: "\n")
            try #require(lines.count == 3, "\(refused.messages)")
            let reason = "The authorization server refused the request (invalid_client)."
            #expect(lines[0].hasPrefix("error: The authorization server returned an error. \(reason) "), "\(lines[0])")
            #expect(lines[0].hasSuffix(" [OAuth2.server]") && !lines[0].contains(". (") && !lines[0].contains(".."))
            #expect(lines[1].hasPrefix("the server says: \"The client is unknown"))

            let unreachable = await bench.run(["request", "--set", "tokenEndpointURL=http://127.0.0.1:9/token"] + values + [url])
            #expect(unreachable.exit == CommandExit.unavailable)
            #expect(unreachable.messages.contains("[OAuth2.http]"), "\(unreachable.messages)")
        }
    }

    @Test func `an error of generated code has them, too`() {
        let server = OAuth2ServerError(code: "invalid_grant", message: "The account is locked.", uri: nil, state: nil)
        let failure = OnboardFailure(OnboardingError.stepFailed(step: "Step", error: OAuth2Error.server(error: server)))
        #expect(failure.words?.text == "The account is locked." && failure.exit == CommandExit.refused)
        #expect(ServerWords(of: OAuth2Error.cancelled) == nil)
        let transport = TransportError(.connect, detail: "refused", requestMayHaveBeenProcessed: false)
        #expect(
            OnboardFailure(OAuth2Error.http(error: transport, statusCode: nil, response: nil)).exit == CommandExit.unavailable)
    }
}
