import Foundation
import Testing

@testable import Countersign

/// The kind of value that the request of a login contains beside the name of the client.
private protocol LoginValue: Sendable {
    static var isSecret: Bool { get }
}

private enum PlainScopes: LoginValue {
    static var isSecret: Bool { false }
}

private enum SecretScopes: LoginValue {
    static var isSecret: Bool { true }
}

/// A method whose login sends the scopes of the application and of the challenge, as a device authorization request does (RFC
/// 8628, section 3.1).
private struct ScopedLogin<Value: LoginValue>: ProgramParameters {
    static var program: MethodProgram {
        MethodProgram(
            name: "Scoped", summary: "A token for scopes.",
            slots: [
                .parameter("server"), .parameter("client"), .parameter("scopes"), .challenge("scope"),
                .step("wanted", isSecret: Value.isSecret), .credential("token", isSecret: true),
            ],
            challenges: [
                ChallengePattern(
                    "token", statuses: [401], schemes: [ChallengePattern.Scheme("Bearer")],
                    captures: [.slot(3, from: .parameter("scope"), isOptional: true)])
            ],
            credential: CredentialShape(fields: [.slot(5)], destinations: [0]),
            acquire: [
                .compute(slot: 4, .scopes([ProgramTemplate(.slot(2)), ProgramTemplate(.slot(3))])),
                .http(
                    HTTPCall(
                        "POST", ProgramTemplate(.text("https://app.example/device")),
                        body: .form([
                            HTTPCall.Member("client_id", ProgramTemplate(.slot(1))),
                            HTTPCall.Member("scope", ProgramTemplate(.slot(4))),
                        ]),
                        answers: [
                            HTTPCall.Answer(
                                ChallengePattern("answer 1", statuses: [200], captures: [.slot(5, from: .json(["/token"]))])),
                            HTTPCall.Answer(ChallengePattern("answer 2", statuses: [400]), isRefusal: true),
                        ])),
            ],
            attach: [.header("Authorization", ProgramTemplate(.text("Bearer "), .slot(5)))],
            rejections: [RejectionRule(.acquire, retries: 1)])
    }

    var slotValues: [ProgramValue] {
        [URL(string: ProgramBench.origin).map { .url($0) } ?? .absent, .text("app"), .text("read")]
    }
}

/// A method whose login sends a copy of the password, which is a parameter or, if that is absent, an answer of the application.
private struct CopiedPassword: ProgramParameters {
    var client: String?
    var password: String?

    static let program = MethodProgram(
        name: "Copied", summary: "A token for a password from one of two sources.",
        slots: [
            .parameter("server"), .parameter("client", isSecret: true), .parameter("password", isSecret: true),
            .step("entered", isSecret: true), .step("secret", isSecret: true), .credential("token", isSecret: true),
        ],
        challenges: [ChallengePattern("token", statuses: [401])],
        credential: CredentialShape(fields: [.slot(5)], destinations: [0]),
        acquire: [
            .when([.present(2)], .compute(slot: 4, .value(2))),
            .when([.absent(2)], .prompt(0, slots: [3])),
            .when([.absent(2)], .compute(slot: 4, .value(3))),
            .http(
                HTTPCall(
                    "POST", ProgramTemplate(.text("https://app.example/login")),
                    body: .form(["client": .slot(1), "password": .slot(4)]),
                    answers: [
                        HTTPCall.Answer(statuses: [200], captures: [.slot(5, from: .header("X-Token"))]),
                        HTTPCall.Answer(statuses: [403], isRefusal: true),
                    ])),
        ],
        attach: [.header("Authorization", ProgramTemplate(.text("Bearer "), .slot(5)))],
        rejections: [RejectionRule(.acquire, retries: 1)])

    var slotValues: [ProgramValue] {
        [
            URL(string: ProgramBench.origin).map { .url($0) } ?? .absent, client.map { .secret($0) } ?? .absent,
            password.map { .secret($0) } ?? .absent,
        ]
    }
}

/// A method whose login is signed with a time.
private struct SignedLogin: ProgramParameters {
    static let program = MethodProgram(
        name: "Signed", summary: "A token for a signed request.",
        slots: [.parameter("server"), .credential("token", isSecret: true)],
        challenges: [ChallengePattern("token", statuses: [401])],
        credential: CredentialShape(fields: [.slot(1)], destinations: [0]),
        acquire: [
            .http(
                HTTPCall(
                    "POST", ProgramTemplate(.text("https://app.example/login")),
                    signature: SignatureVersion4(id: "AKID", key: "key", region: "eu", service: "sts"),
                    answers: [
                        HTTPCall.Answer(statuses: [200], captures: [.slot(1, from: .header("X-Token"))]),
                        HTTPCall.Answer(statuses: [403], isRefusal: true),
                    ]))
        ],
        attach: [.header("Authorization", ProgramTemplate(.text("Bearer "), .slot(1)))], rejections: [RejectionRule(.acquire)])

    var slotValues: [ProgramValue] { [URL(string: ProgramBench.origin).map { .url($0) } ?? .absent] }
}

/// Logins that a server has refused.
@Suite("Refused logins", .timeLimit(.minutes(10)))
struct RefusedLoginTests {
    /// Returns the bodies of the logins of two requests, which the server refuses.
    private func logins<Value: LoginValue>(with value: Value.Type) async throws -> [String] {
        let bench = ProgramBench(ProgramObserver(parameters: ScopedLogin<Value>(), prompter: nil)) { sent in
            sent.path == "/device" ? Reply(400) : Reply(401, [("WWW-Authenticate", #"Bearer scope="write""#)])
        }
        for _ in 1...2 { await expectError(.refusedByServer) { _ = try await bench.get() } }
        var bodies: [String] = []
        for sent in bench.transport.sent where sent.path == "/device" {
            bodies.append(String(decoding: try await sent.body(), as: UTF8.self))
        }
        return bodies
    }

    @Test func `a refused login without a secret is sent again, also with the scopes of a challenge`() async throws {
        let bodies = try await logins(with: PlainScopes.self)
        #expect(bodies.count == 2)
        #expect(bodies.allSatisfy { $0 == "client_id=app&scope=read+write" || $0 == "client_id=app&scope=read%20write" })
    }

    @Test func `a refused login with a secret that was computed is not sent again`() async throws {
        #expect(try await logins(with: SecretScopes.self).count == 1)
    }

    /// Returns a session with a server that accepts one password.
    private func bench(_ parameters: CopiedPassword, _ prompter: StubPrompter?, accepting password: String) -> ProgramBench {
        ProgramBench(ProgramObserver(parameters: parameters, prompter: prompter)) { sent in
            guard sent.path == "/login" else { return sent["Authorization"] == "Bearer t" ? .text("data") : Reply(401) }
            let body = String(decoding: try await sent.body(), as: UTF8.self)
            return body.hasSuffix("password=\(password)") ? Reply(200, [("X-Token", "t")]) : Reply(403)
        }
    }

    @Test func `an answer that a step copies is asked for again, and a later answer is sent`() async throws {
        let prompter = StubPrompter { number, _ in ("guess\(number)", "") }
        let bench = bench(CopiedPassword(client: "secret"), prompter, accepting: "guess3")
        await expectError(.refusedByServer) { _ = try await bench.get() }
        #expect(try await bench.get() == 200)
        #expect(prompter.prompts.map(\.refusals) == [0, 1, 0])
    }

    @Test func `a refused login with a copy of a secret parameter is not sent again`() async throws {
        let bench = bench(CopiedPassword(password: "wrong"), nil, accepting: "right")
        for _ in 1...2 { await expectError(.refusedByServer) { _ = try await bench.get() } }
        #expect(bench.transport.sent.filter { $0.path == "/login" }.count == 1)
    }

    @Test(arguments: [("temporarily_unavailable", 3), ("server_error", 3), ("slow_down", 3), ("invalid_client", 1)])
    func `a login on which the server could not decide is sent again`(code: String, count: Int) async throws {
        let bench = ProgramBench(ProgramObserver(parameters: CopiedPassword(password: "right"), prompter: nil)) { sent in
            sent.path == "/login" ? Reply(403, body: ResponseBody(bytes: Array(#"{"error":"\#(code)"}"#.utf8))) : Reply(401)
        }
        for _ in 1...3 {
            let error = await #expect(throws: CountersignError.self) { _ = try await bench.get() }
            #expect(error?.code == .refusedByServer && error?.serverErrorCode == code)
            #expect(error?.recoverySuggestion?.hasPrefix("Try again later") == (count > 1))
        }
        #expect(bench.transport.sent.count { $0.path == "/login" } == count)
    }

    @Test(arguments: [
        ("Thu, 01 Jan 2015 00:00:00 GMT", " seconds ahead of the server's"),
        ("Fri, 01 Jan 2100 00:00:00 GMT", " seconds behind the server's"),
    ])
    func `the refusal of a signed login names a clock that is wrong`(_ date: String, _ words: String) async throws {
        let bench = ProgramBench(ProgramObserver(parameters: SignedLogin(), prompter: nil)) { sent in
            sent.path == "/login" ? Reply(403, [("Date", date)]) : Reply(401)
        }
        let error = await #expect(throws: CountersignError.self) { _ = try await bench.get() }
        #expect(error?.code == .refusedByServer)
        #expect(error?.detail.hasPrefix("the server refuses the login; this machine's clock is ") == true)
        #expect(error?.detail.hasSuffix(words) == true)
    }

    @Test func `the refusal of a login without a time says nothing about clocks`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: CopiedPassword(password: "wrong"), prompter: nil)) { sent in
            sent.path == "/login" ? Reply(403, [("Date", "Thu, 01 Jan 2015 00:00:00 GMT")]) : Reply(401)
        }
        let error = await #expect(throws: CountersignError.self) { _ = try await bench.get() }
        #expect(error?.detail == "the server refuses the login")
    }
}
