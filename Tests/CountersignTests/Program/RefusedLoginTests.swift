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
}
