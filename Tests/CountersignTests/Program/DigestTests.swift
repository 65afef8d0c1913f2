import Crypto
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// Methods that sign requests by the Digest scheme. The server computes the expected values with code of its own.
@Suite("Digest in programs", .timeLimit(.minutes(10)))
struct DigestTests {
    struct Parameters: ProgramParameters {
        var server: URL

        static let program = MethodProgram(
            name: "Digest", summary: "A password by Digest.",
            slots: [
                .parameter("server"), .challenge("realm"), .credential("user"),
                .credential("password", isSecret: true),
            ],
            challenges: [
                ChallengePattern(
                    "digest", statuses: [401], schemes: [ChallengePattern.Scheme("Digest")],
                    captures: [.slot(1, from: .parameter("realm"), fallback: "")])
            ],
            credential: CredentialShape(
                fields: [.slot(2), .slot(3)],
                separators: [ProgramTemplate(.requestOrigin), ProgramTemplate(.slot(1))], space: .directory, destinations: [0]),
            acquire: [.prompt(0, slots: [2, 3])],
            attach: [.digest(user: ProgramTemplate(.slot(2)), password: ProgramTemplate(.slot(3)))],
            rejections: [RejectionRule(.acquire, retries: 2)])

        var slotValues: [ProgramValue] { [.url(server)] }
    }

    /// A server that issues nonces, each valid for a number of uses.
    private final class Server: Sendable {
        private struct State {
            var issued = 0
            var uses: [String: Int] = [:]
            var staleAnswers = 0
        }

        private let state = Mutex(State())
        let usesOfNonce: Int
        let password: String
        let givesNext: Bool

        init(usesOfNonce: Int = .max, password: String = "wonderland", givesNext: Bool = false) {
            self.usesOfNonce = usesOfNonce
            self.password = password
            self.givesNext = givesNext
        }

        var staleAnswers: Int { state.withLock { $0.staleAnswers } }

        func answer(_ sent: ScriptedTransport.Sent) -> Reply {
            state.withLock { state in
                guard let field = sent["Authorization"],
                    let answer = AuthenticationChallengeParser.challenges(in: [field]).first, answer.hasScheme("Digest"),
                    let nonce = answer["nonce"]
                else { return challenge(&state, isStale: false) }
                let isRight = expected(answer, sent.method) == answer["response"]
                guard isRight else { return challenge(&state, isStale: false) }
                guard let uses = state.uses[nonce], uses < usesOfNonce else {
                    state.staleAnswers += 1
                    return challenge(&state, isStale: true)
                }
                state.uses[nonce] = uses + 1
                return givesNext ? Reply(200, [("Authentication-Info", #"nextnonce="\#(issue(&state))""#)]) : .text("data")
            }
        }

        private func issue(_ state: inout State) -> String {
            state.issued += 1
            state.uses["n\(state.issued)"] = 0
            return "n\(state.issued)"
        }

        private func challenge(_ state: inout State, isStale: Bool) -> Reply {
            let stale = isStale ? ", stale=true" : ""
            return Reply(
                401,
                [("WWW-Authenticate", #"Digest realm="Lab", nonce="\#(issue(&state))", algorithm=SHA-256, qop="auth"\#(stale)"#)])
        }

        private func expected(_ answer: AuthenticationChallenge, _ method: HTTPRequest.Method) -> String? {
            guard let nonce = answer["nonce"], let count = answer["nc"], let client = answer["cnonce"], let uri = answer["uri"]
            else {
                return nil
            }
            let secret = Self.hash("alice:Lab:\(password)")
            return Self.hash("\(secret):\(nonce):\(count):\(client):auth:\(Self.hash("\(method.rawValue):\(uri)"))")
        }

        private static func hash(_ text: String) -> String {
            SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
        }
    }

    private func bench(_ prompter: StubPrompter, _ script: @escaping ScriptedTransport.Script) throws -> ProgramBench {
        let server = try #require(URL(string: ProgramBench.origin))
        return ProgramBench(ProgramObserver(parameters: Parameters(server: server), prompter: prompter), script)
    }

    private let alice = StubPrompter { _, _ in ("alice", "wonderland") }

    @Test func `a request is signed, and later ones without being asked`() async throws {
        let server = Server()
        let bench = try bench(alice, server.answer)
        for path in ["/a?b=c&d", "/a/b", "/"] { #expect(try await bench.get(path) == 200) }
        #expect(bench.transport.sent.count == 4)
        #expect(alice.prompts.count == 1)
    }

    @Test func `an old nonce is replaced without asking for the password`() async throws {
        let server = Server(usesOfNonce: 2)
        let bench = try bench(alice, server.answer)
        for _ in 0..<6 { #expect(try await bench.get() == 200) }
        #expect(alice.prompts.count == 1)
        #expect(server.staleAnswers == 2)
    }

    @Test func `requests one after another pass a server that takes each nonce once`() async throws {
        let server = Server(usesOfNonce: 1)
        let bench = try bench(alice, server.answer)
        for _ in 0..<40 { #expect(try await bench.get() == 200) }
        #expect(alice.prompts.count == 1)
    }

    @Test(arguments: [100, 3_000])
    func `requests at once pass a server that takes each nonce once`(count: Int) async throws {
        let server = Server(usesOfNonce: 1)
        let arrived = Turnstile()
        let bench = try bench(alice) { sent in
            if sent.number == count { arrived.open() }
            if sent.number <= count { try await arrived.pass() }
            return server.answer(sent)
        }
        #expect(try await bench.get(times: count) == [200: count])
        #expect(bench.transport.sent.count == 2 * count)
        #expect(alice.prompts.count == 1)
    }

    @Test func `a redirect of a server that takes each nonce once is followed`() async throws {
        let server = Server(usesOfNonce: 1)
        let bench = try bench(alice) { sent in
            let reply = server.answer(sent)
            return sent.path == "/old" && reply.head.status == .ok ? .redirect(to: "/new") : reply
        }
        for _ in 0..<3 { #expect(try await bench.get("/old") == 200) }
        #expect(alice.prompts.count == 1)
    }

    @Test func `the next nonce is taken from the answer`() async throws {
        let server = Server(usesOfNonce: 1, givesNext: true)
        let bench = try bench(alice, server.answer)
        for _ in 0..<4 { #expect(try await bench.get() == 200) }
        #expect(server.staleAnswers == 0)
        #expect(bench.transport.sent.count == 5)
    }

    @Test func `requests at once that get the same new nonce count its uses together`() async throws {
        let count = 50
        let used = Mutex<Set<String>>([])
        let arrived = Turnstile()
        @Sendable func challenge(_ more: String) -> Reply {
            Reply(401, [("WWW-Authenticate", #"Digest realm="Lab", algorithm=SHA-256, qop="auth", \#(more)"#)])
        }
        let bench = try bench(alice) { sent in
            // The first two sends obtain the password. All requests that follow are sent with its nonce, and then again.
            if sent.number == 2 + count { arrived.open() }
            if sent.number > 2, sent.number <= 2 + count { try await arrived.pass() }
            guard let field = sent["Authorization"], let answer = AuthenticationChallengeParser.challenges(in: [field]).first,
                let nonce = answer["nonce"], let number = answer["nc"]
            else { return challenge(#"nonce="first""#) }
            guard sent.number <= 2 || nonce == "second" else { return challenge(#"nonce="second", stale=true"#) }
            let isNew = used.withLock { $0.insert("\(nonce) \(number)").inserted }
            return isNew ? .text("data") : challenge(#"nonce="third""#)
        }
        #expect(try await bench.get() == 200)
        #expect(try await bench.get(times: count) == [200: count])
        #expect(bench.transport.sent.count == 2 + 2 * count)
        #expect(alice.prompts.count == 1)
    }

    @Test func `a server whose nonce is always stale is given up`() async throws {
        let bench = try bench(alice) { sent in
            Reply(
                401,
                [("WWW-Authenticate", #"Digest realm="Lab", nonce="n\#(sent.number)", algorithm=SHA-256, qop="auth", stale=true"#)])
        }
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(bench.transport.sent.count <= 7)
        #expect(alice.prompts.count == 1)
    }

    @Test func `a wrong password is asked for again`() async throws {
        let server = Server()
        let prompter = StubPrompter { number, _ in ("alice", number == 2 ? "wonderland" : "wrong") }
        let bench = try bench(prompter, server.answer)
        #expect(try await bench.get() == 200)
        #expect(prompter.prompts.map(\.refusals) == [0, 1])
    }

    @Test func `a server that offers Basic, too, gets no password`() async throws {
        let bench = try bench(alice) { _ in
            Reply(
                401,
                [
                    ("WWW-Authenticate", #"Basic realm="Lab""#),
                    ("WWW-Authenticate", #"Digest realm="Lab", nonce="n", algorithm=MD5, qop="auth""#),
                ])
        }
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(bench.transport.sent.compactMap { $0["Authorization"] }.allSatisfy { $0.hasPrefix("Digest ") })
    }

    @Test func `an algorithm that nobody knows is an error`() async throws {
        let bench = try bench(alice) { _ in
            Reply(401, [("WWW-Authenticate", #"Digest realm="Lab", nonce="n", algorithm=TIGER, qop="auth""#)])
        }
        await expectError(.unusableChallenge) { _ = try await bench.get() }
        #expect(alice.prompts.isEmpty)
    }
}
