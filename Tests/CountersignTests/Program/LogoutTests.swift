import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A method whose server issues a token for ten minutes, and revokes it.
private struct RevocableToken: ProgramParameters {
    static let program = MethodProgram(
        name: "Revocable", summary: "A token that is revoked.",
        slots: [.parameter("server"), .credential("token", isSecret: true), .credential("lifetime")],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(fields: [1, 2].map { .slot($0) }, space: .servers, lifetime: 2, destinations: [0]),
        acquire: [
            .http(
                HTTPCall(
                    "POST", ProgramTemplate(.text("https://login.example/login")),
                    answers: [
                        HTTPCall.Answer(
                            ChallengePattern(
                                "answer 1", statuses: [200],
                                captures: [
                                    .slot(1, from: .json(["/token"])), .slot(2, from: .json(["/lifetime"]), as: .seconds),
                                ]))
                    ]))
        ],
        attach: [.header("Authorization", ProgramTemplate(.text("Token "), .slot(1)))],
        rejections: [RejectionRule(.acquire)],
        end: [
            .http(
                HTTPCall(
                    "DELETE", ProgramTemplate(.text("https://login.example/token")),
                    headers: [HTTPCall.Member("X-Token", ProgramTemplate(.slot(1)))],
                    answers: [
                        HTTPCall.Answer(ChallengePattern("answer 1", statuses: [204])),
                        HTTPCall.Answer(ChallengePattern("answer 2", statuses: [400]), isRefusal: true),
                    ]))
        ])

    var slotValues: [ProgramValue] { [URL(string: ProgramBench.origin).map { .url($0) } ?? .absent] }
}

/// Logouts with a server that revokes a token only once, and only while it is valid.
@Suite("Logouts", .timeLimit(.minutes(10)))
struct LogoutTests {
    private final class Server: Sendable {
        private let valid = Mutex<Set<String>>([])

        func expire() { valid.withLock { $0 = [] } }

        func answer(_ sent: ScriptedTransport.Sent) -> Reply {
            switch sent.path {
            case "/login":
                valid.withLock { _ = $0.insert("t1") }
                return .text(#"{"token":"t1","lifetime":600}"#)
            case "/token":
                let isValid = sent["X-Token"].map { token in valid.withLock { $0.remove(token) != nil } } ?? false
                return Reply(isValid ? 204 : 400)
            default: return sent["Authorization"] == nil ? Reply(401) : .text("data")
            }
        }
    }

    private func bench(_ server: Server, _ store: (any CredentialStore)? = nil) -> ProgramBench {
        ProgramBench(ProgramObserver(parameters: RevocableToken(), prompter: nil, store: store)) { server.answer($0) }
    }

    private func revoked(_ bench: ProgramBench) -> [String] {
        bench.transport.sent.filter { $0.method == .delete }.compactMap { $0["X-Token"] }
    }

    @Test(arguments: [true, false]) func `of two logouts at once, one revokes a stored token`(_ isOnlyStored: Bool) async throws {
        let server = Server()
        let reads = Turnstile()
        defer { reads.open() }
        let store = MemoryCredentialStore.patient()
        let first = bench(server, store)
        #expect(try await first.get() == 200)
        // Both logouts read the store before one of them deletes the token.
        let gated = GatedStore(store, reads: reads)
        let session = isOnlyStored ? bench(server, gated) : first
        let logouts = (0..<2).map { _ in Task { try await session.session.logOut() } }
        if isOnlyStored { await reads.arrivals(2) }
        reads.open()
        for logout in logouts { try await logout.value }
        #expect(revoked(session) == ["t1"])
    }

    @Test func `a logout leaves only a digest of the stored token in memory`() async throws {
        let server = Server()
        let observer = ProgramObserver(parameters: RevocableToken(), prompter: nil, store: MemoryCredentialStore.patient())
        let bench = ProgramBench(observer) { server.answer($0) }
        #expect(try await bench.get() == 200)
        let credential = try #require(observer.manager.spaces.withLock { $0.all }.first)
        let saved: CredentialEntry.Digest? = credential.state.withLock { $0.revocable?.digest }
        try await bench.session.logOut()
        let kept: CredentialEntry.Digest? = credential.state.withLock { $0.revocable?.digest }
        #expect(kept != nil && kept == saved)
        #expect(MemoryLayout<CredentialEntry.Digest>.size == MemoryLayout<Int>.size)
    }

    @Test func `entries with other secrets have other digests`() {
        let entries = ["t1", "t2"].map { token in
            CredentialEntry(server: nil, separators: [], fields: ["token": token], cookies: nil, attached: [], expires: nil)
        }
        #expect(CredentialEntry.Digest(entries[0]) == CredentialEntry.Digest(entries[0]))
        #expect(CredentialEntry.Digest(entries[0]) != CredentialEntry.Digest(entries[1]))
    }

    @Test func `a token that is issued again is revoked again`() async throws {
        let bench = bench(Server(), MemoryCredentialStore.patient())
        for _ in 0..<2 {
            #expect(try await bench.get() == 200)
            try await bench.session.logOut()
        }
        #expect(revoked(bench) == ["t1", "t1"])
    }

    @Test(arguments: [0, 1200]) func `a server may refuse to revoke only what has expired`(_ age: Int) async throws {
        let server = Server()
        let bench = bench(server)
        #expect(try await bench.get() == 200)
        server.expire()
        bench.clock.advance(by: .seconds(age))
        if age == 0 {
            await expectError(.operationRefused) { try await bench.session.logOut() }
        } else {
            try await bench.session.logOut()
        }
        #expect(revoked(bench) == ["t1"])
    }
}
