import Foundation
import Synchronization
import Testing

@testable import Countersign

/// Renewals by an application itself that fail after the server has replaced the refresh token.
@Suite("Interrupted renewals of an application", .timeLimit(.minutes(10))) struct InterruptedDirectRenewalTests {
    private struct Grant: ProgramParameters {
        static let program = MethodProgram(
            name: "Token", grant: "code", summary: "A token that is checked after its renewal.",
            slots: [.parameter("url"), .credential("refresh", isSecret: true)],
            challenges: [ChallengePattern("unauthorized", statuses: [401])],
            credential: CredentialShape(destinations: [], isForRequested: true, token: CredentialShape.Token(refresh: 1)),
            renewal: CredentialRenewal(
                needs: [1],
                [
                    .token(
                        TokenCall(
                            ProgramTemplate(.slot(0)),
                            form: [HTTPCall.Member("refresh_token", ProgramTemplate(.slot(1)))])),
                    .http(
                        HTTPCall(
                            "GET", ProgramTemplate(.text("https://login.example/keys")),
                            answers: [HTTPCall.Answer(ChallengePattern("answer 1", statuses: [200]))])),
                ]))
        let url: URL

        var slotValues: [ProgramValue] { [.url(url)] }
    }

    /// A server that replaces each refresh token.
    private final class RotatingServer: Sendable {
        struct State {
            /// The bodies of the token requests.
            var forms: [String] = []
            /// Whether the step after the token request fails.
            var isFailing = true
        }

        let state = Mutex(State())
        var forms: [String] { state.withLock { $0.forms } }

        func answer(_ sent: ScriptedTransport.Sent) async throws -> Reply {
            guard sent.path == "/token" else { return state.withLock { $0.isFailing } ? Reply(503) : .text("keys") }
            let form = String(decoding: try await sent.body(), as: UTF8.self)
            let number = state.withLock { state in
                state.forms.append(form)
                return state.forms.count
            }
            let token = #"{"access_token":"a\#(number)","token_type":"Bearer","expires_in":3600,"refresh_token":"r\#(number)"}"#
            return Reply(200, [("Content-Type", "application/json")], body: ResponseBody(bytes: Array(token.utf8)))
        }
    }

    @Test func `the next renewal of the same token sends the refresh token that the server has issued`() async throws {
        let server = RotatingServer()
        let session = Session(configuration: .test(), transport: ScriptedTransport { try await server.answer($0) })
        let authenticator = GrantAuthenticator(
            Grant(url: try #require(URL(string: "https://login.example/token"))), session: session)
        let token = OAuth2Token(accessToken: "a0", tokenType: "Bearer", refreshToken: "r0")
        for _ in 1...2 {
            await #expect(throws: (any Error).self) { try await authenticator.refresh(token) }
        }
        server.state.withLock { $0.isFailing = false }
        let renewed = try await authenticator.refresh(token)
        #expect(renewed.refreshToken == "r3")
        #expect(try await authenticator.refresh(renewed).refreshToken == "r4")
        #expect(server.forms == ["r0", "r1", "r2", "r3"].map { "refresh_token=\($0)" })
    }
}
