import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A passcode that a server requires for each change, together with a value of its challenge.
private struct ConfirmationParameters: ProgramParameters {
    static let program = MethodProgram(
        name: "Confirmation", summary: "A passcode for one request.",
        slots: [
            .parameter("servers"), .challenge("session"), .credential("session"), .credential("user"),
            .credential("code", isSecret: true),
        ],
        challenges: [
            ChallengePattern(
                "confirm", statuses: [401], headers: [ChallengePattern.Named("X-Session", .present)],
                captures: [.slot(1, from: .header("X-Session"))])
        ],
        credential: CredentialShape(
            fields: [.slot(2, from: ProgramTemplate(.slot(1))), .slot(3), .slot(4)], space: .request, destinations: [0]),
        acquire: [.prompt(0, slots: [3, 4])],
        attach: [
            .header("X-Session", ProgramTemplate(.slot(2))), .header("X-Code", ProgramTemplate(.slot(4))),
        ], rejections: [RejectionRule(.acquire, retries: 2)])

    var slotValues: [ProgramValue] {
        [.origins(ProtectedOrigins(origins: Set([URL(string: ProgramBench.origin).flatMap { Origin($0) }].compactMap(\.self))))]
    }
}

/// Credentials for one request alone.
@Suite("Credentials for one request", .timeLimit(.minutes(10))) struct OneRequestTests {
    /// A server that requires the passcode `123456` with a new session for each request.
    private final class Server: Sendable {
        private struct State {
            var last = 0
            var open: Set<String> = []
        }

        private let sessions = Mutex(State())

        /// - Returns: The response to a request.
        func answer(_ sent: ScriptedTransport.Sent) -> Reply {
            sessions.withLock { sessions in
                if let session = sent["X-Session"], sessions.open.remove(session) != nil, sent["X-Code"] == "123456" {
                    return .text("done")
                }
                sessions.last += 1
                sessions.open.insert("s\(sessions.last)")
                return Reply(401, [("X-Session", "s\(sessions.last)")])
            }
        }
    }

    private func bench(
        keptIn store: (any CredentialStore)? = nil, _ answer: @escaping StubPrompter.Answer
    ) -> (ProgramBench, StubPrompter, ProgramObserver<ConfirmationParameters>) {
        let prompter = StubPrompter(answer)
        let observer = ProgramObserver(parameters: ConfirmationParameters(), prompter: prompter, store: store)
        let server = Server()
        return (ProgramBench(observer) { server.answer($0) }, prompter, observer)
    }

    @Test func `each request is confirmed for itself, and no other request carries the passcode`() async throws {
        let (bench, prompter, observer) = bench { _, _ in ("alice", "123456") }
        for _ in 0..<3 { #expect(try await bench.get() == 200) }
        #expect(prompter.prompts.count == 3)
        #expect(bench.transport.sent.map { $0["X-Session"] } == [nil, "s1", nil, "s2", nil, "s3"])
        #expect(bench.transport.sent.map { $0["X-Code"] != nil } == [false, true, false, true, false, true])
        #expect(observer.heldSpaces == 0)
    }

    @Test func `requests at once have a passcode each, and the user is asked for one after the other`() async throws {
        let asked = Mutex((now: 0, most: 0))
        let (bench, prompter, observer) = bench { _, _ in
            asked.withLock { asked in
                asked.now += 1
                asked.most = max(asked.most, asked.now)
            }
            try await Task.sleep(for: .milliseconds(5))
            asked.withLock { $0.now -= 1 }
            return ("alice", "123456")
        }
        #expect(try await bench.get(times: 20) == [200: 20])
        #expect(prompter.prompts.count == 20)
        #expect(asked.withLock { $0.most } == 1)
        let carried = bench.transport.sent.compactMap { $0["X-Session"] }
        #expect(carried.count == 20 && Set(carried).count == 20)
        #expect(observer.heldSpaces == 0)
    }

    @Test func `a wrong passcode is asked for again with the session of the new challenge`() async throws {
        let (bench, prompter, _) = bench { number, _ in ("alice", number == 1 ? "000000" : "123456") }
        #expect(try await bench.get() == 200)
        #expect(prompter.prompts.map(\.refusals) == [0, 1])
        #expect(bench.transport.sent.map { $0["X-Session"] } == [nil, "s1", "s2"])
    }

    @Test func `passcodes that stay wrong end only their own request`() async throws {
        let (bench, prompter, observer) = bench { number, _ in ("alice", number <= 3 ? "\(number)" : "123456") }
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(prompter.prompts.count == 3)
        #expect(try await bench.get() == 200)
        #expect(observer.heldSpaces == 0)
    }

    @Test func `a cancelled prompt ends only its own request`() async throws {
        let (bench, _, observer) = bench { number, _ in number == 1 ? nil : ("alice", "123456") }
        await #expect(throws: (any Error).self) { try await bench.get() }
        #expect(try await bench.get() == 200)
        #expect(observer.heldSpaces == 0)
    }

    @Test func `a confirmed request stays confirmed if another method has to answer a challenge meanwhile`() async throws {
        let (bench, prompter, _) = bench { _, _ in ("alice", "123456") }
        let token = Mutex("old")
        let refused = Mutex(false)
        let other = SpyObserver(
            attach: { request, _ in
                request.headerFields[.authorization] = token.withLock { $0 }
                return .ready(Generation(token.withLock { $0 } == "old" ? 1 : 2))
            },
            classify: { response, _ in
                response.headerFields.contains(.wwwAuthenticate) ? .challenge(signature: "expired") : .pass
            }, recover: { _, _ in token.withLock { $0 = "new" } })
        let server = Server()
        let transport = ScriptedTransport { sent in
            // The token expires while the user enters the passcode.
            if sent["X-Code"] != nil, sent["Authorization"] == "old" {
                refused.withLock { $0 = true }
                return Reply(401, [("WWW-Authenticate", "Bearer")])
            }
            return server.answer(sent)
        }
        let session = Session(configuration: .test(events: bench.events) { _ in }, transport: transport)
        session.register(other)
        session.register(ProgramObserver(parameters: ConfirmationParameters(), prompter: prompter))
        #expect(try await session.send(.to("https://app.example/data")).head.status == .ok)
        #expect(refused.withLock { $0 })
        #expect(prompter.prompts.count == 1)
        #expect(transport.sent.map { $0["X-Session"] } == [nil, "s1", "s1"])
    }

    @Test func `a redirect makes it another request, which does not carry the passcode`() async throws {
        let prompter = StubPrompter { _, _ in ("alice", "123456") }
        let bench = ProgramBench(ProgramObserver(parameters: ConfirmationParameters(), prompter: prompter)) { sent in
            if sent.path == "/done" { return .text("done") }
            return sent["X-Code"] == nil ? Reply(401, [("X-Session", "s1")]) : Reply(303, [("Location", "/done")])
        }
        #expect(try await bench.get() == 200)
        #expect(bench.transport.sent.map { $0["X-Code"] } == [nil, "123456", nil])
    }

    @Test func `nothing of it reaches a store`() async throws {
        let store = MemoryCredentialStore.patient()
        let (bench, _, observer) = bench(keptIn: store) { _, _ in ("alice", "123456") }
        #expect(try await bench.get() == 200)
        #expect(observer.manager.store == nil)
        let (next, prompter, _) = self.bench(keptIn: store) { _, _ in ("alice", "123456") }
        #expect(try await next.get() == 200)
        #expect(prompter.prompts.count == 1)
    }
}

extension ProgramObserver {
    /// The number of credentials in memory.
    fileprivate var heldSpaces: Int { manager.spaces.withLock { $0.all.count } }
}
