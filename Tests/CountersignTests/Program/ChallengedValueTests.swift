import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// Methods whose credential is a value of the challenge.
@Suite("Values of challenges", .timeLimit(.minutes(10)))
struct ChallengedValueTests {
    /// A server that requires the ID from its challenge.
    private final class Server: Sendable {
        private struct State {
            var id = 1
            var challenges = 0
        }

        private let state = Mutex(State())
        let arrivals: Turnstile?
        private let wanted: Int

        /// - Parameter wanted: The number of requests that must arrive before the first is answered.
        init(wanted: Int = 0) {
            self.wanted = wanted
            arrivals = wanted > 0 ? Turnstile() : nil
        }

        var challenges: Int { state.withLock { $0.challenges } }
        func change() { state.withLock { $0.id += 1 } }

        func answer(_ sent: ScriptedTransport.Sent) async throws -> Reply {
            if sent.number == wanted { arrivals?.open() }
            if sent.number <= wanted { try await arrivals?.pass() }
            return state.withLock { state in
                guard sent["X-Id"] == "id\(state.id)" else {
                    state.challenges += 1
                    return Reply(409, [("X-Id", "id\(state.id)")])
                }
                return .text("data")
            }
        }
    }

    private func bench(_ script: @escaping ScriptedTransport.Script) throws -> ProgramBench {
        let server = try #require(URL(string: ProgramBench.origin))
        return ProgramBench(
            ProgramObserver(parameters: EchoParameters(server: try ProtectedOrigins([server])), prompter: nil), script)
    }

    @Test func `what a challenge says goes with the request sent again, and with all later ones`() async throws {
        let server = Server()
        let bench = try bench(server.answer)
        #expect(try await bench.get() == 200)
        #expect(try await bench.get("/other") == 200)
        #expect(bench.transport.sent.map { $0["X-Id"] } == [nil, "id1", "id1"])
    }

    @Test func `one value serves all that are challenged at once`() async throws {
        let server = Server(wanted: 100)
        let bench = try bench(server.answer)
        #expect(try await bench.get(times: 100) == [200: 100])
        #expect(server.challenges == 100)
        #expect(bench.transport.sent.count == 200)
        #expect(bench.events.kinds.count { if case .authenticated = $0 { true } else { false } } == 1)
    }

    @Test func `a value that the server has accepted is replaced as often as the server wants`() async throws {
        let server = Server()
        let bench = try bench(server.answer)
        for _ in 0..<4 {
            #expect(try await bench.get() == 200)
            server.change()
        }
        #expect(bench.transport.sent.count == 8)
    }

    @Test func `a server with another value each time gets two more, then the request ends`() async throws {
        let bench = try bench { Reply(409, [("X-Id", "id\($0.number)")]) }
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(bench.transport.sent.map { $0["X-Id"] } == [nil, "id1", "id2", "id3"])
    }

    @Test func `a value that is refused is not sent a second time`() async throws {
        let bench = try bench { _ in Reply(409, [("X-Id", "same")]) }
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(bench.transport.sent.map { $0["X-Id"] } == [nil, "same"])
    }

    @Test func `after a refusal for good the next request starts over`() async throws {
        let isHostile = Mutex(true)
        let bench = try bench { sent in
            if isHostile.withLock({ $0 }) { return Reply(409, [("X-Id", "same")]) }
            return sent["X-Id"] == "good" ? .text("data") : Reply(409, [("X-Id", "good")])
        }
        await expectError(.challengedAgain) { _ = try await bench.get() }
        isHostile.withLock { $0 = false }
        #expect(try await bench.get() == 200)
    }

    @Test func `another origin gets nothing, and its challenge is a response like any other`() async throws {
        let server = Server()
        let bench = try bench { sent in
            sent.url.host() == "app.example" ? try await server.answer(sent) : Reply(409, [("X-Id", "theirs")])
        }
        #expect(try await bench.get() == 200)
        #expect(try await bench.get("https://elsewhere.example/data") == 409)
        #expect(try await bench.get("https://elsewhere.example/data") == 409)
        #expect(bench.transport.sent.suffix(2).map { $0["X-Id"] } == [nil, nil])
        #expect(bench.events.count(.withheld) == 1)
    }

    @Test func `a redirect takes no value to another origin`() async throws {
        let server = Server()
        let bench = try bench { sent in
            if sent.url.host() != "app.example" { return .text("elsewhere") }
            return sent.path == "/away" && sent["X-Id"] != nil
                ? .redirect(to: "https://elsewhere.example/") : try await server.answer(sent)
        }
        #expect(try await bench.get("/away") == 200)
        #expect(bench.transport.sent.last?["X-Id"] == nil)
        #expect(bench.transport.sent.last?.url.host() == "elsewhere.example")
    }

    @Test func `a value of the greatest size that an update can have is captured`() async throws {
        let value = String(repeating: "x", count: CredentialUpdate.maximumSize)
        let bench = try bench { sent in sent["X-Id"] == value ? .text("data") : Reply(409, [("X-Id", value)]) }
        #expect(try await bench.get() == 200)
    }

    @Test(arguments: [String(repeating: "x", count: 8193), "tab\there"])
    func `a value that cannot be used ends the request`(_ value: String) async throws {
        let bench = try bench { _ in Reply(409, [("X-Id", value)]) }
        await expectError(.unusableChallenge) { _ = try await bench.get() }
        #expect(bench.transport.sent.count == 1)
    }

    @Test func `without a value it is no challenge`() async throws {
        let bench = try bench { _ in Reply(409, [("X-Id", "")]) }
        #expect(try await bench.get() == 409)
    }

    @Test func `the value of the user before goes with no request of the next`() async throws {
        let server = Server()
        let bench = try bench(server.answer)
        #expect(try await bench.get() == 200)
        bench.session.endSession()
        #expect(try await bench.get() == 200)
        #expect(bench.transport.sent.map { $0["X-Id"] } == [nil, "id1", nil, "id1"])
    }

    @Test func `a field of the caller's own stays, and its challenge is the caller's`() async throws {
        let server = Server()
        let bench = try bench(server.answer)
        #expect(try await bench.get() == 200)
        #expect(try await bench.get(fields: [("X-Id", "mine")]) == 409)
        #expect(bench.transport.sent.last?["X-Id"] == "mine")
    }

    @Test func `a secret value goes nowhere unencrypted`() async throws {
        let server = try #require(URL(string: "http://app.example"))
        let bench = ProgramBench(
            ProgramObserver(parameters: EchoParameters(server: try ProtectedOrigins([server])), prompter: nil)
        ) { _ in Reply(409, [("X-Id", "id")]) }
        await expectError(.insecureDestination) { _ = try await bench.get("http://app.example/data") }
        #expect(bench.transport.sent.count == 1)
    }
}
