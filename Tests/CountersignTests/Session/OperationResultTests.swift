import Foundation
import HTTPTypes
import TestTurns
import Testing

@_spi(Generated) @testable import Countersign

/// The parameters of an operation, and its results.
@Suite(.takesTurns) struct `Results of operations` {
    private static let server = "https://login.example"

    /// Makes the introspection of a token at the URL that a document names.
    private static func operation(
        at server: String = Self.server, servers: ProtectedOrigins? = nil, token: String = "t0ken"
    ) throws -> LandscapeOperation {
        let url = try #require(URL(string: server))
        let captures: [ChallengePattern.Capture] = [
            .slot(3, from: .json(["/active"]), as: .truth), .slot(4, from: .json(["/sub"]), isOptional: true),
            .slot(5, from: .json(["/ticket"]), isOptional: true), .slot(6, from: .json(["/aud"]), as: .texts, isOptional: true),
            .slot(7, from: .json(["/exp"]), as: .moment, isOptional: true),
            .slot(8, from: .json(["/life"]), as: .seconds, isOptional: true),
            .slot(9, from: .json(["/page"]), as: .url(within: [.slot(0)]), isOptional: true),
            .slot(11, from: .json(["/wait"]), as: .duration(unit: .milliseconds(1)), isOptional: true),
        ]
        return LandscapeOperation(
            name: "introspect", version: "standard", summary: "Asks what a token is good for.",
            slots: [
                .parameter("issuer"), .parameter("servers"), .parameter("token", isSecret: true), .step("isActive"),
                .step("subject"), .step("ticket", isSecret: true), .step("audience"), .step("expiry"), .step("life"),
                .step("page"), .step("server.place"), .step("wait"),
            ], values: [.url(url), .given(servers), .secret(token)], results: [3, 4, 5, 6, 7, 8, 9, 11],
            documents: [
                ProgramDocument(
                    at: [.url(.slot(0, then: "/metadata"))], json: ["/issuer": .equals(.slot(0))],
                    captures: [.slot(10, from: .json(["/place"]), as: .url(within: [.slot(0), .slot(1)]))], for: .seconds(3600))
            ],
            steps: [
                .document(0),
                .http(
                    HTTPCall(
                        "POST", .slot(10), body: .form(["token": .slot(2)]),
                        answers: [.init(statuses: [200], captures: captures)], message: "/error_description")),
            ])
    }

    private static func json(_ text: String, _ status: Int = 200) -> Reply {
        Reply(status, [("Content-Type", "application/json")], body: ResponseBody(bytes: Array(text.utf8)))
    }

    private static func metadata(_ place: String = "https://login.example/introspect") -> Reply {
        json(#"{"issuer": "https://login.example", "place": "\#(place)"}"#)
    }

    /// Makes a server that answers each question in the same way.
    private static func answering(_ answer: @autoclosure @escaping @Sendable () -> Reply) -> ScriptedTransport {
        ScriptedTransport { sent in sent.path == "/metadata" ? metadata() : answer() }
    }

    private static func results(_ answer: Reply) async throws -> OperationResults {
        try await Session(configuration: .test(), transport: answering(answer)).perform(try operation())
    }

    @Test func `results are the values of their slots, in their order`() async throws {
        let results = try await Self.results(
            Self.json(
                #"{"active": true, "sub": "alice", "ticket": "s3cret", "aud": ["a", "b"], "exp": 1700000000, "life": 60, "page": "https://login.example/p", "wait": 1500}"#
            ))
        #expect(results.flag(0))
        #expect(results.text(1) == "alice")
        #expect(results.text(2) == "s3cret")
        #expect(results.texts(3) == ["a", "b"])
        #expect(results.date(4) == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(results.duration(5) == .seconds(60))
        #expect(results.url(6)?.absoluteString == "https://login.example/p")
        #expect(results.duration(7) == .milliseconds(1500))
        #expect(results.values.count == 8)
        #expect(results.values[2] == .secret("s3cret"))
    }

    @Test func `what the server does not say is absent, and false is no reason to fail`() async throws {
        let results = try await Self.results(Self.json(#"{"active": false}"#))
        #expect(!results.flag(0))
        #expect(results.text(1) == nil && results.texts(3) == nil && results.date(4) == nil && results.url(6) == nil)
        #expect(throws: CountersignError.self) { try results.required(results.text(1)) }
        #expect(results.text(8) == nil)
    }

    @Test func `a secret among results is in no description`() async throws {
        let results = try await Self.results(Self.json(#"{"active": true, "ticket": "s3cret"}"#))
        var text = "\(results) \(String(reflecting: results))"
        dump(results, to: &text)
        #expect(!text.contains("s3cret"))
    }

    @Test(arguments: [
        "no JSON", "", "[]", "{}", #"{"active": "true"}"#, #"{"active": 1}"#, #"{"active": null}"#, #"{"active": ["true"]}"#,
        #"{"active": true, "active": false}"#, #"{"active": true, "exp": "soon"}"#, #"{"active": true, "exp": 1e300}"#,
        #"{"active": true, "sub": "a\u0000b"}"#,
    ])
    func `an answer without what has to be in it is refused`(body: String) async throws {
        let error = await #expect(throws: CountersignError.self) { try await Self.results(Self.json(body)) }
        #expect(error?.code == .answerRefused)
        #expect(error?.status == 200 && error?.requestMethod == "POST")
    }

    @Test func `an address elsewhere is no result`() async throws {
        let error = await #expect(throws: CountersignError.self) {
            try await Self.results(Self.json(#"{"active": true, "page": "https://evil.example/p"}"#))
        }
        #expect(error?.code == .addressRefused)
    }

    @Test(arguments: [401, 403, 404, 500, 302])
    func `another status refuses the operation, and its reason is shown without the token`(status: Int) async throws {
        let error = await #expect(throws: CountersignError.self) {
            try await Self.results(Self.json(#"{"error_description": "no t0ken here"}"#, status))
        }
        #expect(error?.code == .operationRefused && error?.status == status)
        #expect(error?.detail == "no <redacted> here")
    }

    @Test func `what a server publishes is kept for the operations of a session`() async throws {
        let transport = Self.answering(Self.json(#"{"active": true}"#))
        let session = Session(configuration: .test(), transport: transport)
        for token in ["a", "b", "c"] { try await session.perform(try Self.operation(token: token)) }
        #expect(transport.sent.map(\.path) == ["/metadata", "/introspect", "/introspect", "/introspect"])
        let bodies = try await transport.sent.last?.body()
        #expect(bodies.map { String(decoding: $0, as: UTF8.self) } == "token=c")
    }

    @Test func `what was taken for other servers is judged anew`() async throws {
        let transport = ScriptedTransport { sent in
            sent.path == "/metadata" ? Self.metadata("https://other.example/introspect") : Self.json(#"{"active": true}"#)
        }
        let session = Session(configuration: .test(), transport: transport)
        let other: ProtectedOrigins = [try #require(URL(string: "https://other.example"))]
        try await session.perform(try Self.operation(servers: other))
        let error = await #expect(throws: CountersignError.self) { try await session.perform(try Self.operation()) }
        #expect(error?.code == .addressRefused)
        #expect(transport.sent.map(\.path) == ["/metadata", "/introspect", "/metadata"])
    }

    @Test func `a server that does not publish the address cannot do the operation`() async throws {
        let transport = ScriptedTransport { _ in Self.json(#"{"issuer": "https://login.example"}"#) }
        let session = Session(configuration: .test(), transport: transport)
        let error = await #expect(throws: CountersignError.self) { try await session.perform(try Self.operation()) }
        #expect(error?.code == .answerRefused)
        #expect(transport.sent.count == 1)
    }

    @Test func `an operation that ends the session does so whatever it has found out`() async throws {
        let transport = ScriptedTransport { _ in Self.json(#"{"over": true}"#) }
        let session = Session(configuration: .test(), transport: transport)
        let url = try #require(URL(string: Self.server))
        session.cookies.store(["a=b"], from: url)
        let results = try await session.perform(
            LandscapeOperation(
                name: "leave", version: "v1", summary: "Leaves.", slots: [.parameter("server"), .step("isOver")],
                values: [.url(url)], results: [1],
                steps: [
                    .http(
                        HTTPCall(
                            "POST", .slot(0),
                            answers: [.init(statuses: [200], captures: [.slot(1, from: .json(["/over"]), as: .truth)])]))
                ], ends: .userSession))
        #expect(results.flag(0))
        #expect(session.cookies.all.isEmpty)
    }
}
