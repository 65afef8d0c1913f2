import Foundation
import HTTPTypes
import TestTurns
import Testing

@_spi(Generated) @testable import Countersign

/// Operations of a session outside of challenges, as the steps of a spec describe them.
@Suite(.takesTurns) struct `Operations` {
    private static let server = "https://app.example/base/"

    /// Makes an operation of two requests. The second contains a value of the first response, and is sent only if a setting
    /// exists.
    private static func operation(
        at server: String = Self.server, hint: String? = "now", usesSession: Bool = false, ends: LandscapeOperation.End = .nothing
    ) throws -> LandscapeOperation {
        let url = try #require(URL(string: server))
        return LandscapeOperation(
            name: "forget", version: "v1", summary: "Forgets.",
            slots: [.parameter("settings.server"), .parameter("settings.hint", isSecret: true), .step("ticket")],
            values: [.url(url), .givenSecret(hint)],
            steps: [
                .http(
                    HTTPCall(
                        "GET", .slot(0, then: "/ticket"),
                        answers: [
                            .init(statuses: [200], captures: [.slot(2, from: .header("X-Ticket"))]),
                            .init(statuses: [410], isRefusal: true),
                        ], usesSession: usesSession, message: "/why")),
                .when(
                    [.present(1)],
                    .http(
                        HTTPCall(
                            "POST", .slot(0, then: "/forget"), query: ["hint": .slot(1)], headers: ["X-Ticket": .slot(2)],
                            answers: [.init(statuses: [204])], usesSession: usesSession))),
            ], ends: ends)
    }

    private static func ticket(_ text: String? = "t1") -> Reply { Reply(200, text.map { [("X-Ticket", $0)] } ?? []) }

    /// A server for both requests.
    private static var answering: ScriptedTransport {
        ScriptedTransport { sent in sent.path.hasSuffix("/ticket") ? ticket() : Reply(204) }
    }

    private static func failure(_ operation: LandscapeOperation, _ transport: ScriptedTransport) async throws -> CountersignError? {
        let session = Session(configuration: .test(), transport: transport)
        return await #expect(throws: CountersignError.self) { try await session.perform(operation) }
    }

    @Test func `steps run one after another, with what the ones before have found out`() async throws {
        let transport = Self.answering
        let session = Session(configuration: .test(), transport: transport)
        try await session.perform(try Self.operation())
        let sent = transport.sent
        #expect(sent.map(\.url.absoluteString) == ["https://app.example/base/ticket", "https://app.example/base/forget?hint=now"])
        #expect(sent.map { $0["X-Ticket"] } == [nil, "t1"])
        // Some servers refuse a POST without a length.
        guard case .none = sent[0].request.body.content, case .bytes([]) = sent[1].request.body.content else {
            Issue.record("the requests have bodies")
            return
        }
    }

    @Test func `a step whose condition does not hold is not run`() async throws {
        let transport = ScriptedTransport { _ in Self.ticket() }
        try await Session(configuration: .test(), transport: transport).perform(try Self.operation(hint: nil))
        #expect(transport.sent.count == 1)
    }

    @Test(arguments: [
        (Reply(500), CountersignError.Code.operationRefused, 500), (Reply(410), .operationRefused, 410),
        (Reply(302), .operationRefused, 302), (ticket(nil), .answerRefused, 200),
    ])
    func `an answer that is not expected ends it`(reply: Reply, code: CountersignError.Code, status: Int) async throws {
        let transport = ScriptedTransport { _ in reply }
        let error = try await Self.failure(try Self.operation(), transport)
        #expect(error?.code == code && error?.status == status && error?.requestMethod == "GET")
        #expect(error?.authenticationMethod == nil)
        #expect(transport.sent.count == 1)
    }

    @Test func `the server's reason for a refusal is shown without secrets`() async throws {
        let transport = ScriptedTransport { _ in Reply(400, body: ResponseBody(bytes: Array(#"{"why": "not now-ish"}"#.utf8))) }
        let error = try await Self.failure(try Self.operation(), transport)
        #expect(error?.detail == "not <redacted>-ish")
        let silent = try await Self.failure(try Self.operation(), ScriptedTransport { _ in Reply(400) })
        #expect(silent?.detail == "the server did not perform the operation 'forget'")
    }

    @Test(arguments: [
        ("http://app.example", CountersignError.Code.insecureDestination), ("https://user@app.example", .invalidRequest),
        ("ftp://app.example", .invalidRequest),
    ])
    func `nothing is sent to a server that must not have it`(server: String, code: CountersignError.Code) async throws {
        let transport = ScriptedTransport { _ in Self.ticket() }
        let error = try await Self.failure(try Self.operation(at: server), transport)
        #expect(error?.code == code && error?.authenticationMethod == nil)
        #expect(transport.sent.isEmpty)
    }

    @Test func `what was done is done, whatever comes behind the head of its answer`() async throws {
        let transport = ScriptedTransport { sent in
            sent.path.hasSuffix("/ticket")
                ? Self.ticket() : Reply(204, body: ResponseBody(bytes: Array(repeating: 32, count: (1 << 20) + 1)))
        }
        try await Session(configuration: .test(), transport: transport).perform(try Self.operation())
        #expect(transport.sent.count == 2)
    }

    @Test func `an operation names the servers of all its requests`() throws {
        let url = try #require(URL(string: Self.server))
        let other = try #require(URL(string: "https://tokens.example/revoke"))
        let operation = LandscapeOperation(
            name: "forget", version: "v1", summary: "Forgets.",
            slots: [.parameter("settings.server"), .parameter("settings.tokens")], values: [.url(url), .url(other)],
            steps: [
                .http(HTTPCall("POST", .slot(1), answers: [.init(statuses: [200])])),
                .repeat(
                    .init(while: [.present(0)], limit: 2, [.http(HTTPCall("GET", .slot(0), answers: [.init(statuses: [200])]))])),
            ])
        #expect(operation.origins == Set([Origin(url), Origin(other)].compactMap(\.self)))
    }

    @Test func `a refused operation ends the user's session all the same`() async throws {
        let transport = ScriptedTransport { _ in Reply(500) }
        let session = Session(configuration: .test(), transport: transport)
        let url = try #require(URL(string: Self.server))
        session.cookies.store(["a=b"], from: url)
        #expect(session.cookies.all.count == 1)
        await #expect(throws: CountersignError.self) { try await session.perform(try Self.operation(ends: .userSession)) }
        #expect(session.cookies.all.isEmpty)
    }

    @Test func `it goes through the observers only where the spec says so`() async throws {
        for usesSession in [false, true] {
            let observer = SpyObserver()
            let session = Session(configuration: .test(), transport: Self.answering)
            session.register(observer)
            try await session.perform(try Self.operation(usesSession: usesSession))
            #expect(observer.count("attach") == (usesSession ? 2 : 0))
        }
    }
}
