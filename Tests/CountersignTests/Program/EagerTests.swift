import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A key in the parameters, sent in a field that the parameters name.
private struct KeyParameters: ProgramParameters {
    var servers = ProtectedOrigins(origins: Set([URL(string: ProgramBench.origin).flatMap { Origin($0) }].compactMap(\.self)))
    var key = "key"
    var field = "X-Key"

    static let program = MethodProgram(
        name: "Key", summary: "A key.",
        slots: [
            .parameter("servers"), .parameter("key", isSecret: true), .parameter("field"),
            .credential("key", isSecret: true),
        ], challenges: [],
        credential: CredentialShape(
            fields: [.slot(3, from: ProgramTemplate(.slot(1)))], destinations: [0], isEager: true),
        attach: [.header(ProgramTemplate(.slot(2)), ProgramTemplate(.slot(3)))])

    var slotValues: [ProgramValue] {
        [
            .origins(servers),
            .secret(key),
            .text(field),
        ]
    }
}

/// A token that is requested from a server before the first request.
private struct ServiceParameters: ProgramParameters {
    var endpoint: URL

    static let program = MethodProgram(
        name: "Service", summary: "A token.",
        slots: [
            .parameter("endpoint"), .credential("token", isSecret: true),
            .credential("lifetime"),
        ], challenges: [ChallengePattern("refused", statuses: [401])],
        credential: CredentialShape(
            fields: [.slot(1), .slot(2)], lifetime: 2, destinations: [0], isEager: true),
        acquire: [
            .http(
                HTTPCall(
                    "POST", ProgramTemplate(.slot(0)),
                    answers: [
                        HTTPCall.Answer(
                            ChallengePattern(
                                "token", statuses: [200],
                                captures: [
                                    .slot(1, from: .json(["/token"])),
                                    .slot(2, from: .json(["/lifetime"]), as: .seconds),
                                ]))
                    ]))
        ], attach: [.header("Authorization", ProgramTemplate(.text("Bearer "), .slot(1)))], rejections: [RejectionRule(.acquire)])

    var slotValues: [ProgramValue] { [.url(endpoint)] }
}

/// Credentials that are attached to the first request.
@Suite("Credentials of the first request", .timeLimit(.minutes(10))) struct EagerTests {
    private func bench(
        _ parameters: KeyParameters, _ script: @escaping ScriptedTransport.Script = { _ in .text("data") }
    ) -> ProgramBench {
        ProgramBench(ProgramObserver(parameters: parameters, prompter: nil), script)
    }

    @Test func `a key is in each request to its server, and a refusal is the application's`() async throws {
        let bench = bench(KeyParameters(field: "Ocp-Apim-Subscription-Key")) { Reply($0.path == "/data" ? 200 : 403) }
        #expect(try await bench.get() == 200)
        #expect(try await bench.get("/secret") == 403)
        #expect(bench.transport.sent.map { $0["Ocp-Apim-Subscription-Key"] } == ["key", "key"])
    }

    @Test func `a key goes to no other server, also where a redirect leads there, and not in place of the caller's own`()
        async throws
    {
        let bench = bench(KeyParameters()) { sent in
            sent.path == "/away" ? Reply(302, [("Location", "https://other.example/data")]) : .text("data")
        }
        #expect(try await bench.get("https://other.example/data") == 200)
        #expect(try await bench.get("/away") == 200)
        #expect(try await bench.get(fields: [("X-Key", "own")]) == 200)
        #expect(bench.transport.sent.map { $0["X-Key"] } == [nil, "key", nil, "own"])
    }

    @Test func `a key is sent unencrypted to no other machine`() async throws {
        let url = try #require(URL(string: "http://app.example"))
        let bench = bench(KeyParameters(servers: try ProtectedOrigins([url])))
        #expect(try await bench.get("http://app.example/data") == 200)
        #expect(bench.transport.sent.map { $0["X-Key"] } == [nil])
    }

    @Test(arguments: ["Host", "content-length", "Proxy-Authorization", "X Key", ""])
    func `a field that no credential can be in is an error, and nothing is sent`(_ field: String) async throws {
        let bench = bench(KeyParameters(field: field))
        await expectError(.invalidRequest) { _ = try await bench.get() }
        #expect(bench.transport.sent.isEmpty)
    }

    @Test func `a key that ends the line is an error that does not show it`() async throws {
        let bench = bench(KeyParameters(key: "c4n4ry\r\nX-Admin: 1"))
        let error = await #expect(throws: CountersignError.self) { try await bench.get() }
        #expect(error?.code == .invalidRequest)
        #expect(error.map { !"\($0)".contains("c4n4ry") } == true)
        #expect(bench.transport.sent.isEmpty)
    }

    @Test func `twenty first requests wait for one token, and the next is there before it expires`() async throws {
        let endpoint = try #require(URL(string: ProgramBench.origin + "/token"))
        let tokens = Mutex(0)
        let observer = ProgramObserver(parameters: ServiceParameters(endpoint: endpoint), prompter: nil)
        let bench = ProgramBench(observer) { sent in
            guard sent.path == "/token" else { return Reply(sent["Authorization"] == nil ? 500 : 200) }
            let number = tokens.withLock { tokens in
                tokens += 1
                return tokens
            }
            return .text(#"{"token":"t\#(number)","lifetime":3600}"#)
        }
        #expect(try await bench.get(times: 20) == [200: 20])
        #expect(tokens.withLock { $0 } == 1)
        bench.clock.advance(by: .seconds(3601))
        #expect(try await bench.get(times: 20) == [200: 20])
        #expect(tokens.withLock { $0 } == 2)
        #expect(bench.events.count(.challenged(signature: "refused")) == 0)
    }

    @Test func `a token that is refused is replaced once, and the next request starts over`() async throws {
        let endpoint = try #require(URL(string: ProgramBench.origin + "/token"))
        let observer = ProgramObserver(parameters: ServiceParameters(endpoint: endpoint), prompter: nil)
        let isOver = Mutex(false)
        let bench = ProgramBench(observer) { sent in
            if sent.path == "/token" { return .text(#"{"token":"t","lifetime":3600}"#) }
            return Reply(isOver.withLock { $0 } ? 401 : 200)
        }
        #expect(try await bench.get() == 200)
        isOver.withLock { $0 = true }
        // The server issues the same token again, which it would refuse again.
        await expectError(.challengedAgain) { _ = try await bench.get() }
        isOver.withLock { $0 = false }
        #expect(try await bench.get() == 200)
        #expect(bench.transport.sent.map(\.path) == ["/token", "/data", "/data", "/token", "/token", "/data"])
    }
}
