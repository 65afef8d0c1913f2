import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// Methods that prompt the application.
@Suite("Prompts of programs", .timeLimit(.minutes(10)))
struct PromptTests {
    /// Returns the user name and the password of a request.
    private static func pair(_ sent: ScriptedTransport.Sent) -> String? {
        sent["Authorization"].flatMap { Data(base64Encoded: String($0.dropFirst("Basic ".count))) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private static func challenge(_ realm: String = "Stub") -> Reply {
        Reply(401, [("WWW-Authenticate", #"Basic realm="\#(realm)""#)])
    }

    private func bench(_ prompter: StubPrompter?, _ script: @escaping ScriptedTransport.Script) throws -> ProgramBench {
        let server = try #require(URL(string: ProgramBench.origin))
        return ProgramBench(ProgramObserver(parameters: PasswordParameters(server: server), prompter: prompter), script)
    }

    @Test func `one question serves all that are challenged at once`() async throws {
        let prompter = StubPrompter { _, _ in ("alice", "wonderland") }
        let arrived = Turnstile()
        let bench = try bench(prompter) { sent in
            if sent.number == 100 { arrived.open() }
            if sent.number <= 100 { try await arrived.pass() }
            return Self.pair(sent) == "alice:wonderland" ? .text("data") : Self.challenge()
        }
        #expect(try await bench.get(times: 100) == [200: 100])
        #expect(prompter.prompts.count == 1)
        #expect(bench.transport.sent.count == 200)
        #expect(bench.events.count(.ran(step: "prompt")) == 1)
    }

    @Test func `as many authentications as an integer counts are no limit`() async throws {
        let transport = ScriptedTransport { Self.pair($0) == "alice:guess3" ? .text("data") : Self.challenge() }
        let session = Session(configuration: .test { $0.maximumAuthentications = .max }, transport: transport)
        let server = try #require(URL(string: ProgramBench.origin))
        let prompter = StubPrompter { number, _ in ("alice", "guess\(number)") }
        session.register(ProgramObserver(parameters: PasswordParameters(server: server), prompter: prompter))
        #expect(try await session.send(.to(ProgramBench.origin + "/data")).head.status == .ok)
    }

    @Test func `the question names the server, the realm and the refusals`() async throws {
        let prompter = StubPrompter { number, _ in ("alice", "guess\(number)") }
        let bench = try bench(prompter) { Self.pair($0) == "alice:guess3" ? .text("data") : Self.challenge("Vault") }
        #expect(try await bench.get() == 200)
        #expect(prompter.prompts.map(\.refusals) == [0, 1, 2])
        #expect(prompter.prompts.allSatisfy { $0.challenge == ["realm": "Vault"] && "\($0.origin)" == ProgramBench.origin })
    }

    @Test func `after as many refusals as the spec bears the request ends, and the next one starts over`() async throws {
        let prompter = StubPrompter { number, _ in ("alice", "guess\(number)") }
        let bench = try bench(prompter) { _ in Self.challenge() }
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(bench.transport.sent.map(Self.pair) == [nil, "alice:guess1", "alice:guess2", "alice:guess3"])
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(prompter.prompts.map(\.refusals) == [0, 1, 2, 0, 1, 2])
    }

    @Test func `a request that was begun before a refusal for good gets its error, however late its challenge comes`() async throws
    {
        let prompter = StubPrompter { number, _ in ("alice", "guess\(number)") }
        let (arrived, refused) = (Gate(), Turnstile())
        let bench = try bench(prompter) { sent in
            if sent.path == "/late", sent["Authorization"] == nil {
                arrived.open()
                try await refused.pass()
            }
            return Self.challenge()
        }
        let late = Task { try await bench.get("/late") }
        await arrived.pass("the late request", sourceLocation: #_sourceLocation)
        await expectError(.challengedAgain) { _ = try await bench.get() }
        refused.open()
        await expectError(.challengedAgain) { _ = try await late.value }
        #expect(prompter.prompts.count == 3)
    }

    @Test func `a password that was refused just now is not sent again`() async throws {
        let prompter = StubPrompter { _, _ in ("alice", "always") }
        let bench = try bench(prompter) { _ in Self.challenge() }
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(bench.transport.sent.map(Self.pair) == [nil, "alice:always"])
        #expect(prompter.prompts.map(\.refusals) == [0, 1, 2])
    }

    @Test func `a password that was good before is asked for anew`() async throws {
        let good = Mutex("guess1")
        let prompter = StubPrompter { number, _ in ("alice", "guess\(number)") }
        let bench = try bench(prompter) { sent in
            Self.pair(sent) == "alice:\(good.withLock { $0 })" ? .text("data") : Self.challenge()
        }
        #expect(try await bench.get() == 200)
        good.withLock { $0 = "guess2" }
        #expect(try await bench.get() == 200)
        bench.clock.advance(by: .seconds(31))
        good.withLock { $0 = "guess3" }
        #expect(try await bench.get() == 200)
        // A recently accepted password does not count as accepted, because the page may have been open to all.
        #expect(prompter.prompts.map(\.refusals) == [0, 1, 0])
    }

    @Test func `an error of the server does not make a password good`() async throws {
        let prompter = StubPrompter { number, _ in ("alice", "guess\(number)") }
        let bench = try bench(prompter) { sent in
            switch sent.number {
            case 2: Reply(503)
            default: Self.challenge()
            }
        }
        #expect(try await bench.get() == 503)
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(prompter.prompts.map(\.refusals) == [0, 1, 2])
    }

    @Test func `each realm has its own password, sent without a challenge below the paths that were challenged`() async throws {
        let prompter = StubPrompter { _, prompt in ("alice", prompt.challenge["realm"] ?? "") }
        let bench = try bench(prompter) { sent in
            let realm = sent.path.hasPrefix("/a/") ? "a" : "b"
            return Self.pair(sent) == "alice:\(realm)" ? .text("data") : Self.challenge(realm)
        }
        for path in ["/a/1", "/b/1", "/a/2", "/a/deep/3", "/b/2"] { #expect(try await bench.get(path) == 200) }
        #expect(bench.transport.sent.map(Self.pair) == [nil, "alice:a", nil, "alice:b", "alice:a", "alice:a", "alice:b"])
        #expect(prompter.prompts.count == 2)
    }

    @Test(arguments: [("a", 1), ("b", 2)])
    func `a redirect to a path that was not challenged yet is challenged and answered there`(_ realm: String, _ prompts: Int)
        async throws
    {
        let prompter = StubPrompter { _, prompt in ("alice", prompt.challenge["realm"] ?? "") }
        let bench = try bench(prompter) { sent in
            let own = sent.path.hasPrefix("/b/") ? realm : "a"
            guard Self.pair(sent) == "alice:\(own)" else { return Self.challenge(own) }
            return sent.path == "/a/1" ? .redirect(to: "/b/2") : .text("data")
        }
        #expect(try await bench.get("/a/1") == 200)
        #expect(bench.transport.sent.map(Self.pair) == [nil, "alice:a", nil, "alice:\(realm)"])
        #expect(prompter.prompts.count == prompts)
    }

    @Test func `two challenges of one request are two readings: each realm is asked for its own password`() async throws {
        let prompter = StubPrompter { _, prompt in ("alice", prompt.challenge["realm"] ?? "") }
        let bench = try bench(prompter) { sent in
            switch Self.pair(sent) {
            case "alice:b": .text("data")
            case "alice:a": Self.challenge("b")
            default: Self.challenge("a")
            }
        }
        #expect(try await bench.get() == 200)
        #expect(bench.transport.sent.map(Self.pair) == [nil, "alice:a", "alice:b"])
        #expect(prompter.prompts.map(\.challenge) == [["realm": "a"], ["realm": "b"]])
    }

    @Test(arguments: [1, 3, 1_100])
    func `of many folders, the longest that holds a path decides which password is sent`(_ count: Int) async throws {
        let prompter = StubPrompter { _, prompt in ("alice", prompt.challenge["realm"] ?? "") }
        let bench = try bench(prompter) { sent in
            let realm = sent.path.split(separator: "/").dropLast().joined(separator: ".")
            return Self.pair(sent) == "alice:\(realm)" ? .text("data") : Self.challenge(realm)
        }
        let paths = (0..<count).map { "/f\($0)/x" } + ["/f0/a/b/x", "/f0/a/x", "/x"]
        // The root contains all paths, and was challenged last.
        for path in paths { #expect(try await bench.get(path) == 200) }
        #expect(prompter.prompts.count == count + 3)
        let before = bench.transport.sent.count
        for path in paths { #expect(try await bench.get(path) == 200) }
        #expect(bench.transport.sent.count == before + paths.count)
        // A new path has the password of the longest folder that contains it.
        for (path, password) in [("/f0/a/b", "f0.a"), ("/f0/y", "f0"), ("/y", "")] {
            #expect(try await bench.get(path) == 200)
            #expect(bench.transport.sent.last.map(Self.pair) == "alice:\(password)")
        }
        #expect(prompter.prompts.count == count + 3)
    }

    @Test func `one password serves as many folders as a server challenges`() async throws {
        let prompter = StubPrompter { _, _ in ("alice", "wonderland") }
        let bench = try bench(prompter) { Self.pair($0) == "alice:wonderland" ? .text("data") : Self.challenge() }
        for number in 0..<70 { #expect(try await bench.get("/items/\(number)/x") == 200) }
        #expect(prompter.prompts.count == 1)
    }

    @Test func `a refusal without a challenge does not make a password good`() async throws {
        let prompter = StubPrompter { number, _ in ("alice", "guess\(number)") }
        let bench = try bench(prompter) { $0.number.isMultiple(of: 2) ? Reply(401) : Self.challenge() }
        #expect(try await bench.get() == 401)
        for _ in 0..<2 { _ = try? await bench.get() }
        await expectError(.challengedAgain) { _ = try await bench.get() }
        #expect(prompter.prompts.map(\.refusals) == [0, 1, 2])
    }

    @Test func `a password goes nowhere unencrypted, whatever the spec calls it`() async throws {
        let server = try #require(URL(string: "http://app.example"))
        let prompter = StubPrompter { _, _ in ("alice", "wonderland") }
        let bench = ProgramBench(ProgramObserver(parameters: PasswordParameters(server: server), prompter: prompter)) { _ in
            Self.challenge()
        }
        await expectError(.insecureDestination) { _ = try await bench.get("http://app.example/data") }
        #expect(prompter.prompts.isEmpty)
    }

    @Test func `a user who cancels ends all requests that wait`() async throws {
        let prompter = StubPrompter { _, _ in throw CancellationError() }
        let bench = try bench(prompter) { _ in Self.challenge() }
        await expectError(.cancelled) { _ = try await bench.get() }
        #expect(bench.transport.sent.count == 1)
    }

    @Test func `no answer, and nobody to ask, are a missing credential`() async throws {
        for prompter in [StubPrompter { _, _ in nil }, nil] {
            let bench = try bench(prompter) { _ in Self.challenge() }
            await expectError(.credentialMissing) { _ = try await bench.get() }
        }
    }

    @Test(arguments: ["colon:user", "line\nend"]) func `what Basic cannot carry is not sent`(_ user: String) async throws {
        let bench = try bench(StubPrompter { _, _ in (user, "x") }) { _ in Self.challenge() }
        await expectError(.invalidRequest) { _ = try await bench.get() }
        #expect(bench.transport.sent.count == 1)
    }

    @Test func `an answer that comes after the session's end is for nobody`() async throws {
        let asked = Gate()
        let ended = Turnstile()
        let prompter = StubPrompter { _, _ in
            asked.open()
            try await ended.pass()
            return ("alice", "wonderland")
        }
        let bench = try bench(prompter) { Self.pair($0) == "alice:wonderland" ? .text("data") : Self.challenge() }
        let request = Task { try await bench.get() }
        await asked.pass("the question", sourceLocation: #_sourceLocation)
        bench.session.endSession()
        ended.open()
        await expectError(.sessionEnded) { _ = try await request.value }
        #expect(bench.transport.sent.count == 1)
    }

    @Test func `a request that the application sends to answer a question is not answered by the question`() async throws {
        let session = Mutex<Session?>(nil)
        let prompter = StubPrompter { _, _ in
            let inner = try await session.withLock { $0 }?.send(.to(ProgramBench.origin + "/hint"))
            return ("alice", "\(inner?.head.status.code ?? 0)")
        }
        let bench = try bench(prompter) { Self.pair($0) == "alice:401" ? .text("data") : Self.challenge() }
        session.withLock { $0 = bench.session }
        #expect(try await bench.get() == 200)
        #expect(prompter.prompts.count == 1)
    }

    @Test func `nothing prints a value`() throws {
        let server = try #require(URL(string: ProgramBench.origin))
        for value in [ProgramValue.secret("hunter2"), .text("hunter2"), .url(server)] {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            #expect(!text.contains("hunter2") && !text.contains("app.example"))
        }
    }
}
