import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// Methods that send requests themselves.
@Suite("Requests of programs", .timeLimit(.minutes(10)))
struct CallTests {
    /// A resource server and a token server. Each token is valid for one scope.
    private final class Servers: Sendable {
        private struct State {
            var tokens: [String: String] = [:]
            var asked: [String] = []
        }

        static let realm = "https://tokens.example/token"

        private let state = Mutex(State())
        let lifetime: Int?
        let password: String?

        init(lifetime: Int? = nil, password: String? = nil) {
            self.lifetime = lifetime
            self.password = password
        }

        /// The scopes for which tokens were requested, in order.
        var asked: [String] { state.withLock { $0.asked } }
        /// Invalidates all tokens.
        func forget() { state.withLock { $0.tokens = [:] } }

        func answer(_ sent: ScriptedTransport.Sent) -> Reply {
            sent.url.host() == "tokens.example" ? issue(sent) : serve(sent)
        }

        private func serve(_ sent: ScriptedTransport.Sent) -> Reply {
            let scope = "\(sent.path.split(separator: "/").first ?? "") \(sent.method)"
            let token = sent["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
            if let token, state.withLock({ $0.tokens[token] }) == scope { return .text("data") }
            return Reply(401, [("WWW-Authenticate", #"Bearer realm="\#(Self.realm)",service="s",scope="\#(scope)""#)])
        }

        private func issue(_ sent: ScriptedTransport.Sent) -> Reply {
            let items = URLComponents(url: sent.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
            let scope = items.first { $0.name == "scope" }?.value ?? ""
            if let password, sent["Authorization"] != "Basic " + Data("alice:\(password)".utf8).base64EncodedString() {
                return Reply(401, [("WWW-Authenticate", #"Basic realm="tokens""#)])
            }
            let number = state.withLock { state in
                state.asked.append(scope)
                state.tokens["t\(state.asked.count)"] = scope
                return state.asked.count
            }
            let expiry = lifetime.map { #","expires_in":\#($0)"# } ?? ""
            return .text(#"{"token":"t\#(number)"\#(expiry)}"#)
        }
    }

    private func bench(
        password: String? = nil, tokenServers: [String] = ["https://tokens.example"], _ script: @escaping ScriptedTransport.Script
    ) throws -> ProgramBench {
        let parameters = TokenParameters(
            servers: try ProtectedOrigins([try #require(URL(string: ProgramBench.origin))]),
            tokenServers: try ProtectedOrigins(tokenServers.map { try #require(URL(string: $0)) }),
            user: password.map { _ in "alice" }, password: password)
        return ProgramBench(ProgramObserver(parameters: parameters, prompter: nil), script)
    }

    @Test func `a token is fetched where the challenge says, and goes with the request sent again`() async throws {
        let servers = Servers()
        let bench = try bench(servers.answer)
        #expect(try await bench.get("/a/1") == 200)
        #expect(try await bench.get("/a/2") == 200)
        #expect(
            bench.transport.sent.map { "\($0.url)" } == [
                "https://app.example/a/1", "https://tokens.example/token?service=s&scope=a%20GET", "https://app.example/a/1",
                "https://app.example/a/2",
            ])
        #expect(bench.transport.sent.map { $0["Authorization"] } == [nil, nil, "Bearer t1", "Bearer t1"])
    }

    @Test(arguments: [#""https://tokens.example/token""#, "https://tokens.example/token"])
    func `a challenge that names the token server alone, even without quotes, is answered`(realm: String) async throws {
        let bench = try bench { sent in
            if sent.url.host() == "tokens.example" { return .text(#"{"token":"t"}"#) }
            return sent["Authorization"] == "Bearer t" ? .text("data") : Reply(401, [("WWW-Authenticate", "Bearer realm=\(realm)")])
        }
        #expect(try await bench.get("/a/1") == 200)
        let addresses = bench.transport.sent.map { "\($0.url)" }
        #expect(addresses == ["https://app.example/a/1", "https://tokens.example/token", "https://app.example/a/1"])
    }

    @Test func `each scope has a token of its own, side by side`() async throws {
        let servers = Servers()
        let bench = try bench(servers.answer)
        for path in ["/a/1", "/b/1", "/a/2", "/b/2"] { #expect(try await bench.get(path) == 200) }
        let post = try await bench.session.send(.to(ProgramBench.origin + "/a/1", .post))
        #expect(post.head.status == .ok)
        #expect(servers.asked == ["a GET", "b GET", "a POST"])
    }

    @Test func `a hundred requests at once take one token`() async throws {
        let servers = Servers()
        let arrived = Turnstile()
        let bench = try bench { sent in
            if sent.number == 100 { arrived.open() }
            if sent.number <= 100 { try await arrived.pass() }
            return servers.answer(sent)
        }
        #expect(try await bench.get(times: 100) == [200: 100])
        #expect(servers.asked.count == 1)
        #expect(bench.transport.sent.count == 201)
    }

    @Test func `an expired token is not sent`() async throws {
        let servers = Servers(lifetime: 300)
        let bench = try bench(servers.answer)
        #expect(try await bench.get("/a/1") == 200)
        bench.clock.advance(by: .seconds(299))
        #expect(try await bench.get("/a/1") == 200)
        #expect(servers.asked.count == 1)
        bench.clock.advance(by: .seconds(2))
        #expect(try await bench.get("/a/1") == 200)
        #expect(servers.asked.count == 2)
        #expect(bench.transport.sent.suffix(3).map { $0["Authorization"] } == [nil, nil, "Bearer t2"])
    }

    @Test func `without a lifetime from the server a token lives for the spec's time`() async throws {
        let servers = Servers()
        let bench = try bench(servers.answer)
        #expect(try await bench.get("/a/1") == 200)
        bench.clock.advance(by: .seconds(61))
        #expect(try await bench.get("/a/1") == 200)
        #expect(servers.asked.count == 2)
    }

    @Test func `a token that the server forgot is replaced`() async throws {
        let servers = Servers()
        let bench = try bench(servers.answer)
        #expect(try await bench.get("/a/1") == 200)
        servers.forget()
        #expect(try await bench.get("/a/1") == 200)
        #expect(servers.asked.count == 2)
    }

    @Test func `a fresh token that is refused ends the request`() async throws {
        let servers = Servers()
        let bench = try bench { sent in
            let reply = servers.answer(sent)
            if sent.url.host() == "app.example" { servers.forget() }
            return sent["Authorization"] == nil
                ? reply : Reply(401, [("WWW-Authenticate", #"Bearer realm="\#(Servers.realm)",service="s",scope="a GET""#)])
        }
        await expectError(.challengedAgain) { _ = try await bench.get("/a/1") }
        #expect(servers.asked.count == 1)
    }

    @Test func `a login is shown to the token server alone`() async throws {
        let servers = Servers(password: "wonderland")
        let bench = try bench(password: "wonderland", servers.answer)
        #expect(try await bench.get("/a/1") == 200)
        let basic = bench.transport.sent.filter { $0["Authorization"]?.hasPrefix("Basic ") == true }
        #expect(basic.map { $0.url.host() } == ["tokens.example"])
    }

    @Test func `a wrong password ends all requests that wait, and is sent once`() async throws {
        let servers = Servers(password: "wonderland")
        let bench = try bench(password: "wrong", servers.answer)
        await expectError(.refusedByServer) { _ = try await bench.get("/a/1") }
        #expect(bench.transport.sent.count == 2)
    }

    @Test func `a refusal has the server's explanation, without the password and not in the description`() async throws {
        let servers = Servers(password: "wonderland")
        let bench = try bench(password: "wrong") { sent in
            guard sent.url.host() == "tokens.example" else { return servers.answer(sent) }
            let json = #"{"error":"invalid_grant","error_description":"AADSTS50126:\nwrong is no password of alice"}"#
            return Reply(401, [("Content-Type", "application/json")], body: ResponseBody(bytes: Array(json.utf8)))
        }
        let error = await #expect(throws: CountersignError.self) { try await bench.get("/a/1") }
        #expect(error?.serverErrorCode == "invalid_grant")
        #expect(error?.serverMessage == "AADSTS50126: <redacted> is no password of alice")
        #expect(error?.description.contains("alice") == false)
    }

    @Test func `a refused password of the parameters is repeated after a quarter of an hour, or for the next user`() async throws {
        let servers = Servers(password: "wonderland")
        let bench = try bench(password: "wrong", servers.answer)
        func logins() -> Int { bench.transport.sent.count { $0.url.host() == "tokens.example" } }
        for (pause, expected) in [(0, 1), (0, 1), (899, 1), (1, 2), (60, 2)] {
            bench.clock.advance(by: .seconds(pause))
            do {
                _ = try await bench.get("/a/1")
                Issue.record("no error")
            } catch let error as CountersignError {
                #expect(error.code == .refusedByServer)
                #expect(error.status == 401)
                #expect(error.origin?.host == "tokens.example")
            }
            #expect(logins() == expected)
        }
        bench.session.endSession()
        await expectError(.refusedByServer) { _ = try await bench.get("/a/1") }
        #expect(logins() == 3)
    }

    @Test func `a request that was begun before a refused login does not send the password again`() async throws {
        let servers = Servers(password: "wonderland")
        let (arrived, refused) = (Gate(), Turnstile())
        let bench = try bench(password: "wrong") { sent in
            if sent.path == "/a/late" {
                arrived.open()
                try await refused.pass()
            }
            return servers.answer(sent)
        }
        let late = Task { try await bench.get("/a/late") }
        await arrived.pass("the late request", sourceLocation: #_sourceLocation)
        await expectError(.refusedByServer) { _ = try await bench.get("/a/1") }
        refused.open()
        await expectError(.refusedByServer) { _ = try await late.value }
        #expect(bench.transport.sent.count { $0.url.host() == "tokens.example" } == 1)
    }

    @Test(arguments: [
        (200, "no JSON"), (200, "{}"), (200, #"{"token":""}"#), (200, #"{"token":null}"#), (200, #"{"token":{}}"#),
        (200, #"{"token":"a","token":"b"}"#), (200, #"{"token":"a","x":[{"y":1,"y":2}]}"#),
        (200, #"{"token":"a","t\u006Fken":"b"}"#), (200, #"{"token":"a""#), (302, ""), (500, ""), (204, ""),
    ]) func `an answer that the spec does not know is an error with its status`(_ status: Int, _ body: String) async throws {
        let servers = Servers()
        let bench = try bench { sent in
            guard sent.url.host() == "tokens.example" else { return servers.answer(sent) }
            return Reply(status, [("Location", "https://elsewhere.example/")], body: ResponseBody(bytes: Array(body.utf8)))
        }
        do {
            _ = try await bench.get("/a/1")
            Issue.record("no error")
        } catch let error as CountersignError {
            #expect(error.code == .unexpectedAnswer)
            #expect(error.status == status)
            #expect(error.authenticationMethod == "Token")
            #expect(error.origin?.host == "tokens.example")
        }
        #expect(bench.transport.sent.count == 2)
    }

    @Test(arguments: [(503, "Try again later"), (429, "Try again later"), (404, "Check the address")])
    func `a server in trouble has another remedy than a wrong address`(_ status: Int, _ remedy: String) async throws {
        let servers = Servers()
        let bench = try bench { sent in
            sent.url.host() == "tokens.example" ? Reply(status) : servers.answer(sent)
        }
        let error = await #expect(throws: CountersignError.self) { _ = try await bench.get("/a/1") }
        #expect(error?.code == .unexpectedAnswer && error?.status == status)
        #expect(error?.recoverySuggestion?.hasPrefix(remedy) == true)
    }

    @Test func `a prompt names the server that receives the answer, not the one that asks`() async throws {
        struct Parameters: ProgramParameters {
            static let program = MethodProgram(
                name: "Asked", summary: "A token for a password.",
                slots: [
                    .parameter("server"), .parameter("login"),
                    .credential("password", isSecret: true), .credential("token", isSecret: true),
                ],
                challenges: [ChallengePattern("unauthorized", statuses: [401])],
                credential: CredentialShape(
                    fields: [.slot(2), .slot(3)], destinations: [0]),
                acquire: [
                    .prompt(0, slots: [2]),
                    .http(
                        HTTPCall(
                            "POST", ProgramTemplate(.slot(1), .text("/token")),
                            body: .form([HTTPCall.Member("password", ProgramTemplate(.slot(2)))]),
                            answers: [
                                HTTPCall.Answer(
                                    ChallengePattern(
                                        "answer 1", statuses: [200],
                                        captures: [.slot(3, from: .json(["/token"]))])),
                                HTTPCall.Answer(ChallengePattern("answer 2", statuses: [403]), isRefusal: true),
                            ])),
                ],
                attach: [.header("Authorization", ProgramTemplate(.text("Bearer "), .slot(3)))],
                rejections: [RejectionRule(.acquire, retries: 1)])

            var slotValues: [ProgramValue] {
                [ProgramBench.origin, "https://tokens.example"].map { URL(string: $0).map { .url($0) } ?? .absent }
            }
        }
        final class Person: ProgramPrompting {
            let origins = Mutex<[String]>([])

            func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
                let count = origins.withLock { origins in
                    origins.append("\(prompt.origin) \(prompt.refusals)")
                    return origins.count
                }
                return [.secret(count == 1 ? "wrong" : "wonderland")]
            }
        }
        let person = Person()
        let bench = ProgramBench(ProgramObserver(parameters: Parameters(), prompter: person)) { sent in
            guard sent.url.host() == "tokens.example" else {
                return sent["Authorization"] == "Bearer t" ? .text("data") : Reply(401)
            }
            let form = String(decoding: try await sent.body(), as: UTF8.self)
            return form == "password=wonderland" ? .text(#"{"token":"t"}"#) : Reply(403)
        }
        #expect(try await bench.get() == 200)
        #expect(person.origins.withLock { $0 } == ["https://tokens.example 0", "https://tokens.example 1"])
    }

    @Test func `an empty value is treated as absent`() async throws {
        let bench = try bench { sent in
            if sent.url.host() == "tokens.example" { return .text(#"{"token":"","access_token":"t"}"#) }
            return sent["Authorization"] == "Bearer t"
                ? .text("data") : Reply(401, [("WWW-Authenticate", #"Bearer realm="\#(Servers.realm)""#)])
        }
        #expect(try await bench.get("/a/1") == 200)
    }

    @Test func `a token server that cannot be reached is an error that names it`() async throws {
        let servers = Servers()
        let bench = try bench { sent in
            guard sent.url.host() == "tokens.example" else { return servers.answer(sent) }
            throw TransportError(.connect, detail: "no route", requestMayHaveBeenProcessed: false)
        }
        await expectError(.unreachable) { _ = try await bench.get("/a/1") }
    }

    @Test func `a body without an end is cut off`() async throws {
        let servers = Servers()
        let bench = try bench { sent in
            guard sent.url.host() == "tokens.example" else { return servers.answer(sent) }
            let stream = AsyncThrowingStream<[UInt8], any Error> { Array(repeating: UInt8(ascii: " "), count: 65536) }
            return Reply(200, body: ResponseBody(stream))
        }
        await expectError(.responseTooLarge) { _ = try await bench.get("/a/1") }
    }

    @Test(arguments: ["soon", "1e400", "nan", "0x"]) func `a lifetime that is no number is treated as absent`(_ lifetime: String)
        async throws
    {
        let servers = Servers()
        let bench = try bench { sent in
            guard sent.url.host() == "tokens.example" else {
                return sent["Authorization"] == "Bearer t" ? .text("data") : servers.answer(sent)
            }
            return .text(#"{"token":"t","expires_in":"\#(lifetime)"}"#)
        }
        #expect(try await bench.get("/a/1") == 200)
    }

    @Test(arguments: [0, -1]) func `a lifetime of zero is treated as absent`(_ lifetime: Int) async throws {
        let servers = Servers(lifetime: lifetime)
        let bench = try bench(servers.answer)
        #expect(try await bench.get("/a/1") == 200)
        bench.clock.advance(by: .seconds(59))
        #expect(try await bench.get("/a/1") == 200)
        #expect(servers.asked.count == 1)
    }
}
