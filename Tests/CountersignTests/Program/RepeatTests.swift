import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// Steps that are repeated, in a method that answers challenges.
@Suite("Steps that are repeated", .timeLimit(.minutes(10)))
struct RepeatTests {
    private enum Failure: String, AuthenticationError, Equatable {
        case refused, endless

        static var authenticationMethod: String { "Rounds" }
        var code: String { rawValue }
    }

    /// A token for as many passcodes as the server requires, each with a ticket of its own.
    private struct Parameters: ProgramParameters {
        static let program = MethodProgram(
            name: "Rounds", summary: "A token for several passcodes.",
            slots: [
                .parameter("server"), .credential("token", isSecret: true), .step("ticket"),
                .step("passcode", isSecret: true), .step("hint"), .step("note"),
            ],
            challenges: [ChallengePattern("unauthorized", statuses: [401])],
            credential: CredentialShape(fields: [.slot(1)], destinations: [0]),
            acquire: [
                .step(.http(call("/begin")), failures: [.status: 0]),
                .step(
                    .repeat(
                        .init(
                            while: [.present(2)], limit: 3,
                            [
                                .prompt(0, slots: [3]),
                                .when([.present(4)], .compute(slot: 5, .join([.text("saw "), .slot(4)]))),
                                .http(call("/next", ["ticket": .slot(2), "passcode": .slot(3), "note": .slot(5)])),
                            ])), failures: [.endless: 1, .status: 0]),
            ],
            attach: [.header("X-Token", .slot(1))])

        /// Makes a request whose response contains a ticket or the token.
        private static func call(_ path: String, _ form: NamedList<HTTPCall.Member> = []) -> HTTPCall {
            HTTPCall(
                "POST", ProgramTemplate(.slot(0), .text(path)), body: .form(form),
                answers: [
                    HTTPCall.Answer(
                        ChallengePattern(
                            "again", statuses: [202],
                            captures: [
                                .slot(2, from: .header("X-Ticket")),
                                .slot(4, from: .header("X-Hint"), isOptional: true),
                            ])),
                    HTTPCall.Answer(
                        ChallengePattern(
                            "end", statuses: [200],
                            captures: [.slot(1, from: .header("X-Token"))])),
                ])
        }

        var slotValues: [ProgramValue] { [URL(string: ProgramBench.origin).map { .url($0) } ?? .absent] }

        static func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? {
            number == 0 ? Failure.refused : Failure.endless
        }
    }

    /// A server that requires the given number of passcodes.
    private final class Server: Sendable {
        private let wanted: Int
        private let log = Mutex<[String]>([])

        init(wanting count: Int) { wanted = count }

        var sent: [String] { log.withLock { $0 } }

        func answer(_ sent: ScriptedTransport.Sent) async throws -> Reply {
            guard sent.method == .post else { return sent["X-Token"] == "t" ? .text("data") : Reply(401) }
            let body = String(decoding: try await sent.body(), as: UTF8.self)
            let count = log.withLock { log in
                log.append(sent.path + " " + body)
                return log.count
            }
            if body.contains("passcode=wrong") { return Reply(403) }
            if count > wanted { return Reply(200, [("X-Token", "t")]) }
            return Reply(202, [("X-Ticket", "\(count)")] + (count == 1 ? [("X-Hint", "h")] : []))
        }
    }

    private final class User: ProgramPrompting {
        private let passcodes: Mutex<[String]>

        init(_ passcodes: String...) { self.passcodes = Mutex(passcodes) }

        func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
            passcodes.withLock { $0.isEmpty ? nil : [.secret($0.removeFirst())] }
        }
    }

    private func bench(_ server: Server, _ user: User) -> ProgramBench {
        ProgramBench(ProgramObserver(parameters: Parameters(), prompter: user)) { try await server.answer($0) }
    }

    @Test func `each round asks anew, and has nothing of the one before it, until an answer brings no ticket`() async throws {
        let server = Server(wanting: 3)
        #expect(try await bench(server, User("one", "two", "three")).get() == 200)
        #expect(
            server.sent == [
                "/begin ", "/next ticket=1&passcode=one&note=saw+h", "/next ticket=2&passcode=two", "/next ticket=3&passcode=three",
            ])
    }

    /// A token for a passcode, which another server receives after each check whether it is ready.
    private struct LaterParameters: ProgramParameters {
        static let program = MethodProgram(
            name: "Later", summary: "A token for a passcode that is sent later.",
            slots: [
                .parameter("server"), .parameter("tokens"), .credential("token", isSecret: true), .step("passcode", isSecret: true),
            ],
            challenges: [ChallengePattern("unauthorized", statuses: [401])],
            credential: CredentialShape(fields: [.slot(2)], destinations: [0]),
            acquire: [
                .prompt(0, slots: [3]),
                .repeat(
                    .init(
                        while: [.absent(2)], limit: 3,
                        [
                            .http(
                                HTTPCall(
                                    "POST", ProgramTemplate(.slot(0), .text("/ready")),
                                    answers: [HTTPCall.Answer(statuses: [204])])),
                            .http(
                                HTTPCall(
                                    "POST", ProgramTemplate(.slot(1), .text("/login")), body: .form(["passcode": .slot(3)]),
                                    answers: [HTTPCall.Answer(statuses: [200], captures: [.slot(2, from: .header("X-Token"))])])),
                        ])),
            ],
            attach: [.header("X-Token", .slot(2))])

        var slotValues: [ProgramValue] {
            [ProgramBench.origin, "https://tokens.example"].map { URL(string: $0).map { .url($0) } ?? .absent }
        }
    }

    @Test func `a prompt names the server that a later request of a round sends the answer to`() async throws {
        let prompter = StubPrompter { _, _ in ("123456", "") }
        let bench = ProgramBench(ProgramObserver(parameters: LaterParameters(), prompter: prompter)) { sent in
            switch sent.path {
            case "/ready": Reply(204)
            case "/login": Reply(200, [("X-Token", "t")])
            default: sent["X-Token"] == "t" ? .text("data") : Reply(401)
            }
        }
        #expect(try await bench.get() == 200)
        #expect(prompter.prompts.map { "\($0.origin)" } == ["https://tokens.example"])
    }

    /// A token of a server that never has enough requests: two of each round, of which there can be a hundred.
    private struct EndlessParameters: ProgramParameters {
        static let program = MethodProgram(
            name: "Endless", summary: "A token after some requests.",
            slots: [.parameter("server"), .credential("token", isSecret: true)],
            challenges: [ChallengePattern("unauthorized", statuses: [401])],
            credential: CredentialShape(fields: [.slot(1)], destinations: [0]),
            acquire: [.repeat(.init(while: [.absent(1)], limit: 100, [.http(call), .http(call)]))],
            attach: [.header("X-Token", .slot(1))])

        private static let call = HTTPCall(
            "POST", ProgramTemplate(.slot(0), .text("/next")),
            answers: [
                HTTPCall.Answer(statuses: [200], captures: [.slot(1, from: .header("X-Token"))]),
                HTTPCall.Answer(statuses: [204]),
            ])

        var slotValues: [ProgramValue] { [URL(string: ProgramBench.origin).map { .url($0) } ?? .absent] }
    }

    @Test func `a run sends no more than 128 requests in a row`() async throws {
        let counter = Counter()
        let bench = ProgramBench(ProgramObserver(parameters: EndlessParameters(), prompter: nil)) { sent in
            guard sent.method == .post else { return Reply(401) }
            counter.increment()
            return Reply(204)
        }
        let error = await #expect(throws: CountersignError.self) { try await bench.get() }
        #expect(error?.code == .tooManyExchanges && "\(error?.origin as Any)".contains("app.example"))
        #expect(counter.count == 128)
    }

    @Test func `there is no round where the first answer wants none`() async throws {
        let server = Server(wanting: 0)
        #expect(try await bench(server, User()).get() == 200)
        #expect(server.sent == ["/begin "])
    }

    @Test func `a server that goes on asking, and one that refuses, end in the errors of the method`() async throws {
        let endless = Server(wanting: 9)
        await #expect(throws: Failure.endless) { try await bench(endless, User("1", "2", "3", "4")).get() }
        #expect(endless.sent.count == 4)
        await #expect(throws: Failure.refused) { try await bench(Server(wanting: 2), User("one", "wrong")).get() }
    }
}
