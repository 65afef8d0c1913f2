import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// Codes that a user types on another device, in a handwritten method.
@Suite(.timeLimit(.minutes(10))) struct UserCodeTests {
    private enum Failure: String, AuthenticationError, Equatable {
        case closed

        static var authenticationMethod: String { "Device" }
        var code: String { rawValue }
    }

    private struct Parameters: ProgramParameters {
        static let program = MethodProgram(
            name: "Device", summary: "A token for a device.",
            slots: [
                .parameter("server"), .credential("token", isSecret: true), .step("code"), .step("device", isSecret: true),
            ],
            challenges: [ChallengePattern("unauthorized", statuses: [401])],
            credential: CredentialShape(fields: [.slot(1)], destinations: [0]),
            acquire: [
                .http(
                    HTTPCall(
                        "POST", ProgramTemplate(.slot(0), .text("/device")), body: .form([:]),
                        answers: [
                            .init(
                                statuses: [200],
                                captures: [.slot(2, from: .json(["/code"]), isOptional: true), .slot(3, from: .json(["/device"]))])
                        ])),
                .when([.present(2)], .present(LoginPage(.slot(0), code: .init(.slot(2)), failures: [.dismissed: 0]))),
                .repeat(
                    .init(
                        while: [.absent(1)], limit: 9, every: .fixed(.seconds(1)), within: .fixed(.milliseconds(2500)),
                        [
                            .http(
                                HTTPCall(
                                    "POST", ProgramTemplate(.slot(0), .text("/token")), body: .form(["device": .slot(3)]),
                                    answers: [
                                        .init(statuses: [200], captures: [.slot(1, from: .json(["/token"]))]),
                                        .init(statuses: [202]),
                                    ]))
                        ])),
            ],
            attach: [.header("X-Token", .slot(1))])

        var slotValues: [ProgramValue] { [URL(string: ProgramBench.origin).map { .url($0) } ?? .absent] }

        static func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? { Failure.closed }
    }

    /// A login on a page that needs no code.
    private struct PolledParameters: ProgramParameters {
        static let program = MethodProgram(
            name: "Polled", summary: "A token for a page.", slots: [.parameter("server"), .credential("token", isSecret: true)],
            challenges: [ChallengePattern("unauthorized", statuses: [401])],
            credential: CredentialShape(fields: [.slot(1)], destinations: [0]),
            acquire: [
                .present(LoginPage(.slot(0, then: "/login"), code: .init(nil, lifetime: .fixed(.seconds(60))))),
                .repeat(
                    .init(
                        while: [.absent(1)], limit: 9, every: .fixed(.seconds(1)), within: .fixed(.seconds(9)),
                        [
                            .http(
                                HTTPCall(
                                    "POST", .slot(0, then: "/token"), body: .form([:]),
                                    answers: [.init(statuses: [200], captures: [.slot(1, from: .json(["/token"]))])]))
                        ])),
            ],
            attach: [.header("X-Token", .slot(1))])

        var slotValues: [ProgramValue] { Parameters().slotValues }
    }

    private struct Screen: UserCodePresenter {
        let show: @Sendable (UserCodePresentation) async throws -> Void

        func present(_ presentation: UserCodePresentation) async throws { try await show(presentation) }
    }

    /// - Parameters:
    ///   - code: The code from the server; `nil` for none.
    ///   - answer: Answers the question whether the user has typed the code.
    ///   - clock: The clock of the pauses between the questions.
    ///   - show: Shows the code.
    /// - Returns: The status code, the number of questions, and the codes that were shown.
    private func run(
        code: String?, answer: @escaping @Sendable () throws -> Reply = { .text(#"{"token":"t"}"#) },
        clock: any Clock<Duration> = LeapingClock(),
        show: @escaping @Sendable (UserCodePresentation) async throws -> Void = { _ in }
    ) async -> (result: Result<Int, any Error>, questions: Int, shown: [String]) {
        let questions = Mutex(0)
        let shown = Mutex<[String]>([])
        let isShown = Gate()
        var configuration = SessionConfiguration.test(events: EventRecorder()) { $0.clock = clock }
        configuration.userCodePresenter = Screen { presentation in
            shown.withLock { $0.append(presentation.userCode) }
            isShown.open()
            try await show(presentation)
        }
        let transport = ScriptedTransport { sent in
            switch sent.path {
            case "/device":
                let members = ["device": "d"].merging(code.map { ["code": $0] } ?? [:]) { $1 }
                return .text(String(decoding: try JSONEncoder().encode(members), as: UTF8.self))
            case "/token":
                // A login that ends before the code is shown does not show it.
                if code != nil { await isShown.pass("the code is shown", sourceLocation: #_sourceLocation) }
                questions.withLock { $0 += 1 }
                return try answer()
            default: return sent["X-Token"] == "t" ? .text("data") : Reply(401)
            }
        }
        let session = Session(configuration: configuration, transport: transport)
        session.register(ProgramObserver(parameters: Parameters(), prompter: nil))
        var result: Result<Int, any Error>
        do {
            result = .success(try await session.send(.to(ProgramBench.origin + "/data")).head.status.code)
        } catch {
            result = .failure(error)
        }
        return (result, questions.withLock { $0 }, shown.withLock { $0 })
    }

    @Test func `a code is shown while the next step runs, and where there is none the step runs without`() async throws {
        let typed = await run(code: "WDJB-MJHT")
        #expect(try typed.result.get() == 200)
        #expect(typed.shown == ["WDJB-MJHT"])
        let none = await run(code: nil)
        #expect(try none.result.get() == 200)
        #expect(none.shown.isEmpty && none.questions == 1)
    }

    @Test func `a page without a code is shown while the next step runs`() async throws {
        let shown = Mutex<[UserCodePresentation]>([])
        var configuration = SessionConfiguration.test(events: EventRecorder()) { $0.clock = LeapingClock() }
        configuration.userCodePresenter = Screen { presentation in shown.withLock { $0.append(presentation) } }
        let transport = ScriptedTransport { sent in
            guard sent.path != "/token" else { return .text(#"{"token":"t"}"#) }
            return sent["X-Token"] == "t" ? .text("data") : Reply(401)
        }
        let session = Session(configuration: configuration, transport: transport)
        session.register(ProgramObserver(parameters: PolledParameters(), prompter: nil))
        #expect(try await session.send(.to(ProgramBench.origin + "/data")).head.status.code == 200)
        let presentations = shown.withLock { $0 }
        #expect(presentations.map(\.userCode) == [""])
        #expect(presentations.map(\.verificationURL.absoluteString) == [ProgramBench.origin + "/login"])
        #expect(presentations.map(\.lifetime) == [.seconds(60)])
    }

    @Test(arguments: [String(repeating: "A", count: 65), "WDJB\u{202E}MJHT", "WDJB\u{85}MJHT"])
    func `a code that is long, or that a screen obeys, is not shown`(code: String) async {
        let outcome = await run(code: code)
        #expect(throws: CountersignError.self) { try outcome.result.get() }
        #expect(outcome.shown.isEmpty && outcome.questions == 0)
    }

    @Test func `a user who closes it ends the login with the method's error`() async {
        // No pause ends, so that the time of the code cannot end before the user has closed it.
        let outcome = await run(code: "A", clock: ManualClock(), show: { _ in throw PresentationFailure.dismissed })
        #expect(throws: Failure.closed) { try outcome.result.get() }
    }

    @Test func `a server that cannot be trusted is asked once`() async {
        let outcome = await run(code: "A", answer: { throw TransportError(.tls, detail: "no", requestMayHaveBeenProcessed: false) })
        let error = #expect(throws: CountersignError.self) { try outcome.result.get() }
        #expect(error?.code == .unreachable)
        #expect(outcome.questions == 1)
    }

    @Test func `a server that is silent to the end is the reason`() async {
        let outcome = await run(
            code: "A", answer: { throw TransportError(.connectionLost, detail: "gone", requestMayHaveBeenProcessed: true) })
        let error = #expect(throws: CountersignError.self) { try outcome.result.get() }
        #expect(error?.code == .unreachable && error?.detail.contains("gone") == true)
        #expect(outcome.questions == 2)
    }
}
