import Foundation
import Synchronization
import Testing

@testable import Countersign

/// Texts of several values, and a method's own errors.
@Suite("Joined texts and own errors of programs", .timeLimit(.minutes(10)))
struct JoinTests {
    /// A token for a name that can have a suffix.
    private struct Parameters: ProgramParameters {
        var suffix: String?

        static let program = MethodProgram(
            name: "Join", summary: "A token for a name.",
            slots: [
                .parameter("server"), .parameter("suffix"), .step("name"),
                .credential("token", isSecret: true),
            ],
            challenges: [ChallengePattern("unauthorized", statuses: [401])],
            credential: CredentialShape(fields: [.slot(3)], destinations: [0]),
            acquire: [
                .compute(slot: 2, .join([ProgramTemplate(.text("n-")), ProgramTemplate(.slot(1)), ProgramTemplate(.text("."))])),
                .http(
                    HTTPCall(
                        "POST", ProgramTemplate(.slot(0), .text("/login")),
                        headers: [HTTPCall.Member("X-Name", ProgramTemplate(.slot(2)))],
                        answers: [
                            HTTPCall.Answer(
                                ChallengePattern(
                                    "answer 1", statuses: [200],
                                    captures: [.slot(3, from: .header("X-Token"))]))
                        ])),
            ],
            attach: [.header("X-Token", ProgramTemplate(.slot(3)))], rejections: [RejectionRule(.acquire, error: 0)],
            errors: [ErrorTable("Join", [ErrorDescription(type: "JoinError", code: "refused", summary: "It was refused.")])])

        var slotValues: [ProgramValue] {
            [
                URL(string: ProgramBench.origin).map { .url($0) } ?? .absent,
                suffix.map { .text($0) } ?? .absent,
            ]
        }

        static func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? {
            number == 0 ? Refused() : nil
        }
    }

    private struct Refused: AuthenticationError {
        static let authenticationMethod = "Join"
        let code = "refused"
    }

    @Test(arguments: [(nil, "n-."), ("x", "n-x.")] as [(String?, String)])
    func `what is absent of a joined text is left out`(suffix: String?, name: String) async throws {
        let names = Mutex<[String]>([])
        let bench = ProgramBench(ProgramObserver(parameters: Parameters(suffix: suffix), prompter: nil)) { sent in
            guard sent.path == "/login" else { return sent["X-Token"] == "t" ? .text("data") : Reply(401) }
            names.withLock { $0.append(sent["X-Name"] ?? "") }
            return Reply(200, [("X-Token", "t")])
        }
        #expect(try await bench.get() == 200)
        #expect(names.withLock { $0 } == [name])
    }

    @Test func `a credential that is refused as soon as it is used ends in the error of the rule`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: Parameters(), prompter: nil)) { sent in
            sent.path == "/login" ? Reply(200, [("X-Token", "t")]) : Reply(401)
        }
        await #expect(throws: Refused.self) { _ = try await bench.get() }
    }
}
