import Foundation
import Testing

@testable import Countersign

/// The first of two grants, whose parameters are released after their use.
@Suite(.timeLimit(.minutes(10))) struct `Parameters that are good for one use` {
    /// Stands for a passcode, so that its release can be observed.
    private final class Passcode: Sendable {}

    private static func program(_ grant: String) -> MethodProgram {
        MethodProgram(
            name: "Token", grant: grant, summary: "A token.", slots: [.parameter("url")], challenges: [],
            credential: CredentialShape(destinations: [], token: CredentialShape.Token()),
            acquire: [
                .token(TokenCall(ProgramTemplate(.slot(0)), form: [HTTPCall.Member("grant_type", ProgramTemplate(.text(grant)))]))
            ])
    }

    private struct Once: OneTimeParameters {
        static let program = `Parameters that are good for one use`.program("once")
        static let life: Duration? = nil
        let passcode: Passcode
        let url: URL
        var next: Later { Later(url: url) }

        var slotValues: [ProgramValue] { [.url(url)] }
        func preparation(at slot: Int) -> RequestPreparation? { { [passcode] _, _ in withExtendedLifetime(passcode) {} } }
    }

    private struct Later: ProgramParameters {
        static let program = `Parameters that are good for one use`.program("later")
        let url: URL

        var slotValues: [ProgramValue] { [.url(url)] }
    }

    @Test(arguments: [200, 400]) func `nothing is kept of them once they were sent, and the next grant takes over`(
        status: Int
    ) async throws {
        let transport = ScriptedTransport { _ in
            let body = status == 200 ? #"{"access_token":"a","token_type":"Bearer"}"# : #"{"error":"invalid_grant"}"#
            return Reply(
                status, [("Content-Type", "application/json")],
                body: ResponseBody(bytes: Array(body.utf8)))
        }
        weak var kept: Passcode?
        let authenticator: GrantAuthenticator
        do {
            let passcode = Passcode()
            kept = passcode
            authenticator = GrantAuthenticator(
                Once(passcode: passcode, url: try #require(URL(string: "https://login.example/token"))),
                session: Session(configuration: .test(), transport: transport))
        }
        #expect(kept != nil)
        _ = try? await authenticator.authenticate()
        #expect(kept == nil)
        _ = try? await authenticator.authenticate()
        var grants: [String] = []
        for sent in transport.sent { grants.append(String(decoding: try await sent.body(), as: UTF8.self)) }
        #expect(grants == ["grant_type=once", "grant_type=later"])
    }
}
