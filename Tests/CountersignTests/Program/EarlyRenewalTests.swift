import Foundation
import Synchronization
import Testing

@testable import Countersign

/// A method whose user confirms each login. A request may need a stronger token than the current one, which stays valid for others.
private struct StrongerToken: ProgramParameters {
    static let program = MethodProgram(
        name: "Stronger", summary: "A token that is renewed, and replaced by a stronger one.",
        slots: [
            .parameter("server"), .step("code", isSecret: true), .credential("token", isSecret: true), .credential("lifetime"),
        ],
        challenges: [
            ChallengePattern("unauthorized", statuses: [401]), ChallengePattern("stronger", statuses: [403]),
        ],
        credential: CredentialShape(fields: [2, 3].map { .slot($0) }, space: .servers, lifetime: 3, destinations: [0]),
        acquire: [.prompt(0, slots: [1]), .http(call("login", 1))],
        renewal: CredentialRenewal(needs: [2], [.http(call("renewal", 2))]),
        attach: [.header("Authorization", ProgramTemplate(.text("Token "), .slot(2)))],
        rejections: [
            RejectionRule(challenge: "stronger", .acquire, retries: 1, keepsCredential: true), RejectionRule(.renew, .acquire),
        ])

    private static func call(_ name: String, _ slot: Int) -> HTTPCall {
        HTTPCall(
            "POST", ProgramTemplate(.text("https://login.example/\(name)")),
            body: .form([HTTPCall.Member(ProgramTemplate(.text(name)), ProgramTemplate(.slot(slot)))]),
            answers: [
                HTTPCall.Answer(
                    ChallengePattern(
                        "answer 1", statuses: [200],
                        captures: [.slot(2, from: .json(["/token"])), .slot(3, from: .json(["/lifetime"]), as: .seconds)]))
            ])
    }

    var slotValues: [ProgramValue] { [URL(string: ProgramBench.origin).map { .url($0) } ?? .absent] }
}

/// A user who enters the first code at once, and later ones never.
private final class SlowUser: ProgramPrompting {
    private let prompts = Mutex(0)
    private let never = Turnstile()
    /// The number of later prompts that were closed.
    let closed = Counter()

    func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
        let count = prompts.withLock { prompts in
            prompts += 1
            return prompts
        }
        guard count > 1 else { return [.secret("123456")] }
        do {
            try await never.pass()
        } catch {
            closed.increment()
            throw error
        }
        return nil
    }

    /// Waits until there is a later prompt.
    func isAsked() async { await never.arrivals(1) }
}

@Suite("Early renewals beside logins", .timeLimit(.minutes(10)))
struct EarlyRenewalTests {
    @Test func `an early renewal does not keep a prompt open after the only request has left`() async throws {
        let user = SlowUser()
        let bench = ProgramBench(ProgramObserver(parameters: StrongerToken(), prompter: user)) { sent in
            guard sent.url.host() != "login.example" else { return .text(#"{"token":"t1","lifetime":100}"#) }
            guard sent["Authorization"] != nil else { return Reply(401) }
            return sent.path == "/vault" ? Reply(403) : .text("data")
        }
        #expect(try await bench.get() == 200)
        let vault = Task { try await bench.get("/vault") }
        await user.isAsked()
        // The current token is still sent, and expires soon.
        bench.clock.advance(by: .seconds(95))
        #expect(try await bench.get() == 200)
        #expect(await comesTrue { bench.session.state.withLock { $0.savesUnderWay } == 0 })
        vault.cancel()
        await #expect(throws: (any Error).self) { try await vault.value }
        #expect(await comesTrue { user.closed.count == 1 })
    }
}
