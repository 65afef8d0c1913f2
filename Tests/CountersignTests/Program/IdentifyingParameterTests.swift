import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A method with a parameter that identifies its credential, and one that does not.
private struct HintedLogin: ProgramParameters {
    var client = "notes"
    var hint: String?
    var secret = "s3cret"

    static let program = MethodProgram(
        name: "Hinted", summary: "A token of a login with a hint.",
        slots: [
            .parameter("server"), .parameter("client"), .parameter("hint", identifies: false),
            .parameter("secret", isSecret: true), .credential("token", isSecret: true),
        ],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(fields: [.slot(4)], destinations: [0]),
        acquire: [
            .http(
                HTTPCall(
                    "POST", ProgramTemplate(.text("https://app.example/login")),
                    body: .form([
                        HTTPCall.Member("client", ProgramTemplate(.slot(1))), HTTPCall.Member("hint", ProgramTemplate(.slot(2))),
                        HTTPCall.Member("secret", ProgramTemplate(.slot(3))),
                    ]),
                    answers: [
                        HTTPCall.Answer(
                            ChallengePattern("answer 1", statuses: [200], captures: [.slot(4, from: .json(["/token"]))]))
                    ]))
        ],
        attach: [.header("Authorization", ProgramTemplate(.text("Token "), .slot(4)))], rejections: [RejectionRule(.acquire)])

    var slotValues: [ProgramValue] {
        [
            URL(string: ProgramBench.origin).map { .url($0) } ?? .absent, .text(client), hint.map { .text($0) } ?? .absent,
            .secret(secret),
        ]
    }
}

/// The parameters under which credentials are stored.
@Suite("Identifying parameters", .timeLimit(.minutes(10)))
struct IdentifyingParameterTests {
    private final class Server: Sendable {
        private let count = Mutex(0)

        var logins: Int { count.withLock { $0 } }

        func answer(_ sent: ScriptedTransport.Sent) -> Reply {
            guard sent.path == "/login" else { return sent["Authorization"] == nil ? Reply(401) : .text("data") }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .text(#"{"token":"t\#(number)"}"#)
        }
    }

    /// Sends a request from a session of its own, and returns the credential that it carried.
    private func carried(_ server: Server, _ store: any CredentialStore, _ parameters: HintedLogin) async throws -> String? {
        let bench = ProgramBench(ProgramObserver(parameters: parameters, prompter: nil, store: store)) { server.answer($0) }
        #expect(try await bench.get() == 200)
        return bench.transport.sent.last?["Authorization"]
    }

    @Test func `a stored credential is found with another hint or secret, and not with another client`() async throws {
        let (server, store) = (Server(), MemoryCredentialStore.patient())
        #expect(try await carried(server, store, HintedLogin()) == "Token t1")
        #expect(try await carried(server, store, HintedLogin(hint: "alice")) == "Token t1")
        #expect(try await carried(server, store, HintedLogin(hint: "alice@example.com", secret: "n3xt")) == "Token t1")
        #expect(server.logins == 1)
        #expect(try await carried(server, store, HintedLogin(client: "photos")) == "Token t2")
        #expect(server.logins == 2)
    }

    @Test func `a logout deletes what was stored with another hint`() async throws {
        let (server, store) = (Server(), MemoryCredentialStore.patient())
        #expect(try await carried(server, store, HintedLogin()) == "Token t1")
        let observer = ProgramObserver(parameters: HintedLogin(hint: "alice"), prompter: nil, store: store)
        let bench = ProgramBench(observer) { server.answer($0) }
        try await bench.session.logOut()
        #expect(try await carried(server, store, HintedLogin()) == "Token t2")
    }

    @Test func `only a parameter that is not a secret identifies a credential`() {
        #expect(HintedLogin.program.slots.map(\.identifiesCredential) == [true, true, false, false, false])
    }
}
