import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A method with a renewal and a revocation.
private struct RevocableParameters: ProgramParameters {
    static let program = MethodProgram(
        name: "Revocable", summary: "A token that is renewed and revoked.",
        slots: [.parameter("server"), .credential("token", isSecret: true), .credential("refresh", isSecret: true)],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(fields: [1, 2].map { .slot($0) }, space: .servers, destinations: [0]),
        acquire: [.http(call("login"))], renewal: CredentialRenewal(needs: [2], [.http(call("refresh"))]),
        attach: [.header("Authorization", ProgramTemplate(.text("Token "), .slot(1)))],
        rejections: [RejectionRule(.renew, .acquire)],
        end: [
            .http(
                HTTPCall(
                    "DELETE", ProgramTemplate(.text("https://login.example/token")),
                    headers: [HTTPCall.Member("X-Token", ProgramTemplate(.slot(1)))],
                    answers: [HTTPCall.Answer(ChallengePattern("answer 1", statuses: [204]))]))
        ])

    private static func call(_ name: String) -> HTTPCall {
        HTTPCall(
            "POST", ProgramTemplate(.text("https://login.example/\(name)")),
            answers: [
                HTTPCall.Answer(
                    ChallengePattern(
                        "answer 1", statuses: [200],
                        captures: [.slot(1, from: .json(["/token"])), .slot(2, from: .json(["/refresh"]))]))
            ])
    }

    var slotValues: [ProgramValue] { [URL(string: ProgramBench.origin).map(ProgramValue.url) ?? .absent] }
}

/// Renewals whose observer is unregistered before the server has answered, and registered again.
@Suite("Orphaned renewals", .timeLimit(.minutes(10)))
struct OrphanedRenewalTests {
    /// A server whose renewals wait at the gate. Only the latest token is valid, and only after its renewal.
    private final class Server: Sendable {
        let gate = Turnstile()
        let tokens = Mutex(0)
        let isFailing: Bool

        init(isFailing: Bool) { self.isFailing = isFailing }

        func answer(_ sent: ScriptedTransport.Sent) async throws -> Reply {
            switch sent.path {
            case "/login": return issue()
            case "/refresh":
                try await gate.pass()
                return isFailing ? Reply(503) : issue()
            case "/token": return Reply(204)
            case "/first": return .text("data")
            default: return sent["Authorization"] == "Token t2" ? .text("data") : Reply(401)
            }
        }

        private func issue() -> Reply {
            let number = tokens.withLock { tokens in
                tokens += 1
                return tokens
            }
            return .text(#"{"token":"t\#(number)","refresh":"r\#(number)"}"#)
        }
    }

    /// Registers an observer again while a renewal is running, logs out, and returns the tokens that were revoked.
    private func revoked(isFailing: Bool, isStored: Bool) async throws -> [String] {
        let server = Server(isFailing: isFailing)
        defer { server.gate.open() }
        let observer = ProgramObserver(
            parameters: RevocableParameters(), prompter: nil, store: isStored ? MemoryCredentialStore() : nil)
        let bench = ProgramBench(observer) { try await server.answer($0) }
        let url = try #require(URL(string: ProgramBench.origin))
        try await observer.authenticate(for: url, in: bench.session)
        // A server has accepted the token, so that a refused one is renewed.
        #expect(try await bench.get("/first") == 200)
        let request = Task { try await bench.get() }
        await server.gate.arrivals(1)
        bench.session.unregister(observer)
        await #expect(throws: (any Error).self) { try await request.value }
        bench.session.register(observer)
        let logout = Task { try await bench.session.logOut() }
        #expect(await comesTrue { bench.events.count(.ended) == 1 })
        server.gate.open()
        try await logout.value
        return bench.transport.sent.filter { $0.method == .delete }.compactMap { $0["X-Token"] }
    }

    @Test(arguments: [true, false]) func `the result of a renewal that is still running is revoked by the logout`(
        _ isStored: Bool
    ) async throws {
        #expect(try await revoked(isFailing: false, isStored: isStored) == ["t2"])
    }

    @Test func `the stored token is revoked if its renewal has failed`() async throws {
        #expect(try await revoked(isFailing: true, isStored: true) == ["t1"])
    }
}
