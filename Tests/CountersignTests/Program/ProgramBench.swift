import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A method whose credential is a value of the challenge: a 409 with `X-Id`, as sent by a guard against forged requests.
struct EchoParameters: ProgramParameters {
    var server: ProtectedOrigins

    static let program = MethodProgram(
        name: "Echo", summary: "An id that goes back.",
        slots: [.parameter("server"), .challenge("id"), .credential("id", isSecret: true)],
        challenges: [
            ChallengePattern(
                "conflict", statuses: [409], headers: [ChallengePattern.Named("X-Id", .present)],
                captures: [.slot(1, from: .header("X-Id"))])
        ],
        credential: CredentialShape(
            fields: [.slot(2, from: ProgramTemplate(.slot(1)))], destinations: [0]),
        attach: [.header("X-Id", ProgramTemplate(.slot(2)))], rejections: [RejectionRule(.resend, retries: 2)])

    var slotValues: [ProgramValue] { [.origins(server)] }
}

/// A method that asks for a user name and a password for each realm.
struct PasswordParameters: ProgramParameters {
    var server: URL

    static let program = MethodProgram(
        name: "Password", summary: "A password.",
        slots: [
            .parameter("server"), .challenge("realm"), .credential("user"),
            .credential("password", isSecret: true),
        ],
        challenges: [
            ChallengePattern(
                "basic", statuses: [401], schemes: [ChallengePattern.Scheme("Basic")],
                captures: [.slot(1, from: .parameter("realm"), fallback: "")])
        ],
        credential: CredentialShape(
            fields: [.slot(2), .slot(3)],
            separators: [ProgramTemplate(.requestOrigin), ProgramTemplate(.slot(1))], space: .directory, destinations: [0]),
        acquire: [.prompt(0, slots: [2, 3])],
        attach: [.basic(user: ProgramTemplate(.slot(2)), password: ProgramTemplate(.slot(3)))],
        rejections: [RejectionRule(.acquire, retries: 2)])

    var slotValues: [ProgramValue] { [.url(server)] }
}

/// An application that answers prompts for passwords, and records them.
final class StubPrompter: ProgramPrompting {
    typealias Answer = @Sendable (_ number: Int, CredentialPrompt) async throws -> (user: String, password: String)?

    private let answer: Answer
    private let state = Mutex<[CredentialPrompt]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    var prompts: [CredentialPrompt] { state.withLock { $0 } }

    func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
        let count = state.withLock { prompts in
            prompts.append(prompt)
            return prompts.count
        }
        return try await answer(count, prompt).map { [.text($0.user), .secret($0.password)] }
    }
}

/// A session with an observer that executes a program, and servers defined by a script.
struct ProgramBench: Sendable {
    static let origin = "https://app.example"

    let clock = ManualClock()
    let events = EventRecorder()
    let transport: ScriptedTransport
    let session: Session

    /// - Parameters:
    ///   - observer: The observer that is registered.
    ///   - script: The servers.
    ///   - change: Changes the session's configuration.
    init(
        _ observer: any SessionObserver, _ script: @escaping ScriptedTransport.Script,
        configuring change: (inout SessionConfiguration) -> Void = { _ in }
    ) {
        transport = ScriptedTransport(script)
        var configuration = SessionConfiguration.test(events: events)
        configuration.clock = clock
        change(&configuration)
        session = Session(configuration: configuration, transport: transport)
        session.register(observer)
    }

    func get(_ path: String = "/data", fields: [(String, String)] = []) async throws -> Int {
        let url = path.hasPrefix("/") ? Self.origin + path : path
        return try await session.send(.to(url, fields: fields)).head.status.code
    }

    /// Sends the given number of requests at once, and counts the status codes of their responses.
    func get(times count: Int) async throws -> [Int: Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { try await get() } }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }
}

/// Expects an error of the runtime with this code.
func expectError(
    _ code: CountersignError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("no error", sourceLocation: sourceLocation)
    } catch let error as CountersignError {
        #expect(error.code == code, sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}
