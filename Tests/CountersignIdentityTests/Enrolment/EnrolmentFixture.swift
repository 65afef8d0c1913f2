import Countersign
import Foundation
import HTTPTypes
import Synchronization

@testable import CountersignIdentity

/// A transport that returns a test's responses in order, and records the requests.
final class AnswerTransport: HTTPTransport {
    struct Received: Sendable {
        let head: HTTPRequest
        let body: String
    }

    private let answers: Mutex<[(status: Int, body: [UInt8])]>
    private let requests = Mutex<[Received]>([])

    init(_ answers: (status: Int, body: String)...) { self.answers = Mutex(answers.map { ($0.status, Array($0.body.utf8)) }) }

    init(bytes: [UInt8]) { answers = Mutex([(200, bytes)]) }

    var received: [Received] { requests.withLock { $0 } }

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        var body = ""
        if case .bytes(let bytes) = request.body.content { body = String(decoding: bytes, as: UTF8.self) }
        requests.withLock { $0.append(Received(head: request.head, body: body)) }
        guard let url = request.head.url, let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
            throw TransportError(.connectionLost, detail: "there is no answer", requestMayHaveBeenProcessed: false)
        }
        return SessionResponse(
            head: HTTPResponse(status: HTTPResponse.Status(code: answer.status)), url: url, body: ResponseBody(bytes: answer.body))
    }

    func shutdown() async throws {}
}

/// The program of these tests, without steps. A test writes the steps, and runs them with the program's slots and errors.
struct FixtureParameters: ProgramParameters {
    /// The indices of the slots.
    enum Slot {
        static let server = 0
        static let token = 1
        static let answer = 2
        static let given = 3
        static let key = 4
        static let request = 5
        static let identity = 6
        /// The first of eight slots for values captured from responses, and for values of a test.
        static let captured = 7
    }

    static let program = MethodProgram(
        name: "Fixture", summary: "An authority.",
        slots: [
            .parameter("server"), .parameter("token", isSecret: true), .step("answer"),
            .step("given", isSecret: true), .step("key", isSecret: true), .step("request"),
            .credential("identity", isSecret: true),
        ] + (1...8).map { .step("captured.\($0)") },
        challenges: [], credential: CredentialShape(fields: [.slot(Slot.identity)], destinations: []))

    let server: URL

    var slotValues: [ProgramValue] { [.url(server)] }

    static func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? {
        let status = (cause as? CountersignError)?.status
        return FixtureError(ProgramStep.Failure.allCases[number], detail, status: status)
    }
}

/// An error case for each failure, and none for network errors.
enum FixtureError: AuthenticationError, Equatable {
    case status(Int, String), missing(String), refused, late, endless, name, key, certificate, mismatch

    static var authenticationMethod: String { "Fixture" }
    var code: String {
        switch self {
        case .status: "status"
        case .missing: "missing"
        case .refused: "refused"
        case .late: "late"
        case .endless: "endless"
        case .name: "name"
        case .key: "key"
        case .certificate: "certificate"
        case .mismatch: "mismatch"
        }
    }

    init?(_ failure: ProgramStep.Failure, _ detail: String, status: Int?) {
        switch failure {
        case .status: self = .status(status ?? 0, detail)
        case .network: return nil
        case .missing: self = .missing(detail)
        case .refused: self = .refused
        case .late: self = .late
        case .endless: self = .endless
        case .name: self = .name
        case .key: self = .key
        case .certificate: self = .certificate
        case .untrusted: return nil
        case .mismatch: self = .mismatch
        }
    }
}

extension ProgramStep {
    typealias Slot = FixtureParameters.Slot

    /// Makes a step whose failures are errors of the fixture.
    static func failing(_ step: ProgramStep) -> ProgramStep {
        let numbers = ProgramStep.Failure.allCases.enumerated().map { ($1, $0) }
        return .step(step, failures: Dictionary(numbers) { first, _ in first })
    }

    /// Makes a call at the address that the program is run with.
    ///
    /// - Parameters:
    ///   - pointers: The pointers to the values that are captured into the slots from ``Slot/captured`` on.
    ///   - question: The pointer to a request for input in a response. Such a response is kept whole, and no value of it is
    ///     captured.
    static func call(
        _ method: String = "GET", _ body: HTTPCall.Body? = nil, statuses: [Int] = [200], capturing pointers: String...,
        optional: Bool = false, asking question: String? = nil, message: String? = nil
    ) -> ProgramStep {
        let captures = pointers.enumerated().map { index, pointer in
            ChallengePattern.Capture.slot(
                Slot.captured + index, from: pointer == "body" ? .body : .json([pointer]), as: .texts, isOptional: optional)
        }
        let needsJSON = pointers.contains { $0 != "body" }
        let asking = question.map { question in
            ChallengePattern(
                "question", statuses: statuses, json: [.init(ProgramTemplate(.text(question)), .present)],
                captures: [.slot(Slot.answer, from: .body, as: .json)])
        }
        let pattern = ChallengePattern(
            "answer", statuses: statuses, json: needsJSON ? [.init("", .present)] : [], captures: captures)
        return .http(
            HTTPCall(
                method, ProgramTemplate(.slot(Slot.server)),
                headers: [.init("Authorization", ProgramTemplate(.text("Bearer "), .slot(Slot.token)))], body: body,
                answers: [asking, pattern].compactMap(\.self).map { HTTPCall.Answer($0) }, usesSession: true, message: message))
    }

    static func key(_ kind: ProgramTemplate = "p256") -> ProgramStep {
        .failing(.compute(slot: Slot.key, .certificate(.key(kind))))
    }

    static func request(subject: ProgramTemplate? = nil, dns: ProgramTemplate? = nil) -> ProgramStep {
        .failing(.compute(slot: Slot.request, .certificate(.request(key: Slot.key, subject: subject, dns: dns, email: nil))))
    }
}

/// Answers rounds with a test's input.
final class FixtureInput: LoginInputSource {
    private let answers: Mutex<[@Sendable () async throws -> [LoginInputFieldValue]?]>
    private let inputs = Mutex<[LoginInput]>([])
    private let endings = Mutex(0)

    init(_ answers: @Sendable () async throws -> [LoginInputFieldValue]?...) { self.answers = Mutex(answers) }

    var asked: [LoginInput] { inputs.withLock { $0 } }
    var finishedCount: Int { endings.withLock { $0 } }

    func values(for input: LoginInput) async throws -> [LoginInputFieldValue]? {
        inputs.withLock { $0.append(input) }
        let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
        return try await answer?()
    }

    func finished() async { endings.withLock { $0 += 1 } }
}
