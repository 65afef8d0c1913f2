import Countersign
import Foundation
import HTTPTypes
import Synchronization

@testable import CountersignIdentity

/// Answers requests in order with what a test wrote, and remembers them.
final class AnswerTransport: HTTPTransport {
    struct Received: Sendable {
        let head: HTTPRequest
        let body: String
    }

    private let answers: Mutex<[(status: Int, body: String)]>
    private let requests = Mutex<[Received]>([])

    init(_ answers: (status: Int, body: String)...) { self.answers = Mutex(answers) }

    var received: [Received] { requests.withLock { $0 } }

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        var body = ""
        if case .bytes(let bytes) = request.body.content { body = String(decoding: bytes, as: UTF8.self) }
        requests.withLock { $0.append(Received(head: request.head, body: body)) }
        guard let url = request.head.url, let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
            throw TransportError(.connectionLost, detail: "there is no answer", requestMayHaveBeenProcessed: false)
        }
        return SessionResponse(
            head: HTTPResponse(status: HTTPResponse.Status(code: answer.status)), url: url,
            body: ResponseBody(bytes: Array(answer.body.utf8)))
    }

    func shutdown() async throws {}
}

/// What the discoveries of these tests read and fill.
struct FixtureValues: DiscoveryValues {
    let parameters: URL
    var certificateRequest: CertificateRequest?
    var identity: ClientIdentity?
    var captured: [String: [String]] = [:]

    init(parameters: URL) { self.parameters = parameters }
}

/// An error for each failure, and nothing for the network.
enum FixtureError: AuthenticationError, Equatable {
    case status(Int, String), missing(String), refused, late, endless, name, key, certificate, mismatch, cancelled

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
        case .cancelled: "cancelled"
        }
    }

    static func map(_ failure: DiscoveryFailure) -> FixtureError? {
        switch failure {
        case .status(let status, let message): .status(status, message)
        case .network: nil
        case .missing(let detail): .missing(detail)
        case .refused: .refused
        case .late: .late
        case .endless: .endless
        case .name: .name
        case .key: .key
        case .certificate: .certificate
        case .mismatch: .mismatch
        }
    }
}

typealias FixtureStep = DiscoveryStep<FixtureValues, FixtureError>
typealias FixtureCall = CallStep<FixtureValues, FixtureError>

extension CallStep where Values == FixtureValues, Failure == FixtureError {
    /// A call at the address that the discovery is run with.
    static func fixture(
        _ method: String = "GET", _ body: Body = .nothing, statuses: [Int] = [200], capturing pointers: String...,
        optional: Bool = false, message: String? = nil,
        failure: @escaping @Sendable (DiscoveryFailure) -> FixtureError? = FixtureError.map
    ) -> FixtureCall {
        FixtureCall(
            method, url: Template("{server}") { $0.parameters }, body: body, statuses: statuses,
            captures: pointers.map { pointer in
                Capture(pointer, isOptional: optional) { $0.captured[pointer] = $1 }
            }, message: message, failure: failure)
    }
}

/// Answers rounds with what a test wrote.
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
