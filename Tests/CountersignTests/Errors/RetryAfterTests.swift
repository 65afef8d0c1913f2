import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// A method whose login is one request.
private struct PasswordLogin: ProgramParameters {
    static let program = MethodProgram(
        name: "Password", summary: "A password.",
        slots: [.parameter("server"), .parameter("password", isSecret: true), .credential("token", isSecret: true)],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(fields: [.slot(2)], destinations: [0]),
        acquire: [
            .http(
                HTTPCall(
                    "POST", ProgramTemplate(.text("https://login.example/login")),
                    body: .form([HTTPCall.Member("password", ProgramTemplate(.slot(1)))]),
                    answers: [
                        HTTPCall.Answer(
                            ChallengePattern("answer 1", statuses: [200], captures: [.slot(2, from: .json(["/token"]))])),
                        HTTPCall.Answer(ChallengePattern("answer 2", statuses: [403]), isRefusal: true),
                    ]))
        ],
        attach: [.header("Authorization", ProgramTemplate(.text("Token "), .slot(2)))],
        rejections: [RejectionRule(.acquire)])

    var slotValues: [ProgramValue] {
        [URL(string: ProgramBench.origin).map { .url($0) } ?? .absent, .secret("wonderland")]
    }
}

/// A grant of a service.
private struct ServiceGrant: ProgramParameters {
    static let program = MethodProgram(
        name: "Token", grant: "service", summary: "A token.", slots: [],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(destinations: [], isForRequested: true, token: CredentialShape.Token()),
        acquire: [
            .token(
                TokenCall(
                    ProgramTemplate(.text("https://login.example/token")),
                    form: [HTTPCall.Member("grant_type", "client_credentials")]))
        ],
        rejections: [RejectionRule(.acquire)])

    var slotValues: [ProgramValue] { [] }
}

/// Errors that say for how long a server asks to wait.
@Suite("Errors with Retry-After", .timeLimit(.minutes(10)))
struct RetryAfterTests {
    private static func reply(_ status: Int, _ body: String, _ seconds: Int?) -> Reply {
        Reply(status, seconds.map { [("Retry-After", "\($0)")] } ?? [], body: ResponseBody(bytes: Array(body.utf8)))
    }

    @Test(
        arguments: [
            (503, "", 3600, .unexpectedAnswer), (429, "", 0, .unexpectedAnswer), (429, "", nil, .unexpectedAnswer),
            (200, "{}", 5, .unexpectedAnswer), (403, #"{"error":"temporarily_unavailable"}"#, 600, .refusedByServer),
            (403, #"{"error":"slow_down"}"#, nil, .refusedByServer),
        ] as [(Int, String, Int?, CountersignError.Code)])
    func `the error of a login`(_ status: Int, _ body: String, _ seconds: Int?, _ code: CountersignError.Code) async throws {
        let bench = ProgramBench(ProgramObserver(parameters: PasswordLogin(), prompter: nil)) { sent in
            sent.path == "/login" ? Self.reply(status, body, seconds) : Reply(401)
        }
        let error = await #expect(throws: CountersignError.self) { _ = try await bench.get() }
        #expect(error?.code == code)
        #expect(error?.retryAfter == seconds.map { .seconds($0) })
    }

    @Test(
        arguments: [
            (503, "", 7200), (503, "", nil), (429, #"{"error":"temporarily_unavailable"}"#, 7200),
            (400, #"{"error":"slow_down"}"#, 5),
            (200, "<html>", 60),
        ] as [(Int, String, Int?)])
    func `the error of a token request`(_ status: Int, _ body: String, _ seconds: Int?) async throws {
        let session = Session(
            configuration: .test(), transport: ScriptedTransport { _ in Self.reply(status, body, seconds) })
        let authenticator = GrantAuthenticator(ServiceGrant(), session: session)
        let error = await #expect(throws: CountersignError.self) { _ = try await authenticator.authenticate() }
        #expect(error?.code == .tokenRequestFailed)
        #expect(error?.status == status)
        #expect(error?.retryAfter == seconds.map { .seconds($0) })
    }

    @Test func `the error response of an authorization server`() throws {
        let failure = TokenAnswer(#"{"error":"slow_down"}"#, status: 400, [.retryAfter: "7"]).failure()
        guard case .server(let error)? = failure?.completed(origin: nil).reason else {
            Issue.record("no error of the server")
            return
        }
        #expect(error.retryAfter == .seconds(7))
    }
}
