import Foundation
import HTTPTypes
import Testing

@_spi(Generated) @testable import Countersign

/// A session in a header field of every request, and a token against cross-site requests that only writes carry.
private struct WriteTokenParameters: ProgramParameters {
    static let program = MethodProgram(
        name: "WriteToken", summary: "A session and a token.",
        slots: [.parameter("servers"), .credential("session"), .credential("token", isSecret: true)],
        challenges: [ChallengePattern("refused", statuses: [401])],
        credential: CredentialShape(fields: [.slot(1), .slot(2)], destinations: [0], isEager: true),
        acquire: [.prompt(0, slots: [1, 2])],
        attach: [
            .header("X-Session", ProgramTemplate(.slot(1))),
            .header("X-CSRF-Token", ProgramTemplate(.slot(2)), methods: ["POST", "PUT"]),
            .query("token", ProgramTemplate(.slot(2)), methods: ["PUT"]),
        ], rejections: [RejectionRule(.acquire, retries: 2)])

    var slotValues: [ProgramValue] { [.origins(LimitedPlacementTests.servers)] }
}

/// A key in the query of every request, and another parameter of the query that only PUT carries.
private struct QueryWriteParameters: ProgramParameters {
    static let program = MethodProgram(
        name: "QueryWrite", summary: "A key and a token.",
        slots: [.parameter("servers"), .credential("key", isSecret: true), .credential("token", isSecret: true)],
        challenges: [ChallengePattern("refused", statuses: [401])],
        credential: CredentialShape(fields: [.slot(1), .slot(2)], destinations: [0], isEager: true),
        acquire: [.prompt(0, slots: [1, 2])],
        attach: [
            .query("key", ProgramTemplate(.slot(1))), .query("token", ProgramTemplate(.slot(2)), methods: ["PUT"]),
        ], rejections: [RejectionRule(.acquire, retries: 2)])

    var slotValues: [ProgramValue] { [.origins(LimitedPlacementTests.servers)] }
}

/// A token that only writes carry, and no other part of a credential.
private struct OnlyWriteParameters: ProgramParameters {
    static let program = MethodProgram(
        name: "OnlyWrite", summary: "A token.",
        slots: [.parameter("servers"), .credential("user"), .credential("token", isSecret: true)],
        challenges: [ChallengePattern("refused", statuses: [401])],
        credential: CredentialShape(fields: [.slot(1), .slot(2)], destinations: [0]),
        acquire: [.prompt(0, slots: [1, 2])],
        attach: [.header("X-CSRF-Token", ProgramTemplate(.slot(2)), methods: ["POST"])],
        rejections: [RejectionRule(.acquire, retries: 2)])

    var slotValues: [ProgramValue] { [.origins(LimitedPlacementTests.servers)] }
}

/// A field of the credential, which has the name that the server chooses, for writes alone.
private struct NamedWriteParameters: ProgramParameters {
    static let program = MethodProgram(
        name: "NamedWrite", summary: "A token.",
        slots: [.parameter("servers"), .credential("name"), .credential("token", isSecret: true)],
        challenges: [ChallengePattern("refused", statuses: [401])],
        credential: CredentialShape(fields: [.slot(1), .slot(2)], destinations: [0], isEager: true),
        acquire: [.prompt(0, slots: [1, 2])],
        attach: [
            .header("X-Session", ProgramTemplate(.slot(2))),
            .header(ProgramTemplate(.slot(1)), ProgramTemplate(.slot(2)), methods: ["POST"]),
        ], rejections: [RejectionRule(.acquire, retries: 2)])

    var slotValues: [ProgramValue] { [.origins(LimitedPlacementTests.servers)] }
}

/// Parts of a credential that only requests of some HTTP methods carry.
@Suite("Placements for some methods", .timeLimit(.minutes(10))) struct LimitedPlacementTests {
    static let servers = ProtectedOrigins(
        origins: Set([URL(string: ProgramBench.origin).flatMap { Origin($0) }].compactMap(\.self)))

    private func bench(
        _ parameters: some ProgramParameters, user: String = "app", tokens: [String] = ["c4n4ry"],
        _ script: @escaping ScriptedTransport.Script = { _ in .text("data") }
    ) -> ProgramBench {
        let prompter = StubPrompter { number, _ in (user, tokens[min(number, tokens.count) - 1]) }
        return ProgramBench(ProgramObserver(parameters: parameters, prompter: prompter), script)
    }

    private func send(
        _ method: HTTPRequest.Method, _ bench: ProgramBench, path: String = "/data", fields: [(String, String)] = []
    ) async throws -> Int {
        try await bench.session.send(.to(ProgramBench.origin + path, method, fields: fields)).head.status.code
    }

    /// The session, the token in the header field, and the target of the requests that were sent.
    private func sent(_ bench: ProgramBench) -> [[String?]] {
        bench.transport.sent.map { [$0["X-Session"], $0["X-CSRF-Token"], $0.request.head.path] }
    }

    @Test func `only requests with the methods carry a part`() async throws {
        let bench = bench(WriteTokenParameters())
        for method in [HTTPRequest.Method.get, .post, .put, .delete] { #expect(try await send(method, bench) == 200) }
        #expect(
            sent(bench) == [
                ["app", nil, "/data"], ["app", "c4n4ry", "/data"], ["app", "c4n4ry", "/data?token=c4n4ry"], ["app", nil, "/data"],
            ])
    }

    @Test func `methods are compared with their case`() async throws {
        let bench = bench(WriteTokenParameters())
        let lowerCase = try #require(HTTPRequest.Method("post"))
        #expect(try await send(lowerCase, bench) == 200)
        #expect(sent(bench) == [["app", nil, "/data"]])
    }

    @Test func `the application's own field stays in other requests, and they carry the rest`() async throws {
        let bench = bench(WriteTokenParameters())
        #expect(try await send(.get, bench, path: "/data?token=own", fields: [("X-CSRF-Token", "own")]) == 200)
        #expect(sent(bench) == [["app", "own", "/data?token=own"]])
    }

    @Test func `a request with its own field instead of a part carries no credential`() async throws {
        let bench = bench(WriteTokenParameters()) { _ in Reply(401) }
        #expect(try await send(.post, bench, fields: [("X-CSRF-Token", "own")]) == 401)
        #expect(try await send(.put, bench, path: "/data?token=own") == 401)
        #expect(sent(bench) == [[nil, "own", "/data"], [nil, nil, "/data?token=own"]])
    }

    @Test func `a request that is sent again follows the same rule, without parts of the former credential`() async throws {
        let bench = bench(WriteTokenParameters(), tokens: ["old", "new"]) { sent in
            sent.number == 1 ? Reply(401) : .text("data")
        }
        #expect(try await send(.put, bench) == 200)
        #expect(sent(bench) == [["app", "old", "/data?token=old"], ["app", "new", "/data?token=new"]])
        let reading = self.bench(WriteTokenParameters(), tokens: ["old", "new"]) { sent in
            sent.number == 1 ? Reply(401) : .text("data")
        }
        #expect(try await send(.get, reading, fields: [("X-CSRF-Token", "own")]) == 200)
        #expect(sent(reading) == [["app", "own", "/data"], ["app", "own", "/data"]])
    }

    @Test func `a redirect that changes the method changes the parts`() async throws {
        let bench = bench(WriteTokenParameters()) { sent in
            sent.path == "/data" ? Reply(303, [("Location", "/next")]) : .text("data")
        }
        #expect(try await send(.post, bench) == 200)
        #expect(sent(bench) == [["app", "c4n4ry", "/data"], ["app", nil, "/next"]])
    }

    @Test func `a redirect does not take a part of the query to a request without it, also if the server repeats it`() async throws
    {
        let bench = bench(WriteTokenParameters()) { sent in
            sent.path == "/data" ? Reply(303, [("Location", "/next?token=c4n4ry&a=1")]) : .text("data")
        }
        #expect(try await send(.put, bench) == 200)
        #expect(sent(bench) == [["app", "c4n4ry", "/data?token=c4n4ry"], ["app", nil, "/next?a=1"]])
    }

    @Test func `a redirect to another server has no part`() async throws {
        let bench = bench(WriteTokenParameters()) { sent in
            sent.path == "/data" ? Reply(307, [("Location", "https://other.example/next?token=c4n4ry")]) : .text("data")
        }
        #expect(try await send(.put, bench) == 200)
        #expect(sent(bench) == [["app", "c4n4ry", "/data?token=c4n4ry"], [nil, nil, "/next"]])
    }

    @Test func `the application's own parameter stays in a redirect if only other requests carry a part of this name`() async throws
    {
        let bench = bench(QueryWriteParameters()) { sent in
            sent.path == "/data" ? Reply(302, [("Location", "/next?token=own&key=app")]) : .text("data")
        }
        #expect(try await send(.get, bench, path: "/data?token=own") == 200)
        #expect(
            bench.transport.sent.map(\.request.head.path) == ["/data?token=own&key=app", "/next?token=own&key=app"])
    }

    @Test func `a credential replaces another observer's field only in requests that carry it`() async throws {
        let name = try #require(HTTPField.Name("X-CSRF-Token"))
        for (method, expected) in [
            (HTTPRequest.Method.get, [["app", "other", "/data"], ["app", "other", "/data"]]),
            (.post, [[nil, "other", "/data"], ["app", "old", "/data"]]),
        ] as [(HTTPRequest.Method, [[String?]])] {
            let other = SpyObserver(attach: { request, _ in
                request.headerFields[name] = "other"
                return .nothing
            })
            let bench = ProgramBench(other) { sent in sent.number == 1 ? Reply(401) : .text("data") }
            let prompter = StubPrompter { number, _ in ("app", number == 1 ? "old" : "new") }
            bench.session.register(ProgramObserver(parameters: WriteTokenParameters(), prompter: prompter))
            #expect(try await send(method, bench) == 200)
            #expect(sent(bench) == expected)
        }
    }

    @Test func `the names of all header fields with parts are known, to redact them`() async throws {
        let observer = ProgramObserver(
            parameters: NamedWriteParameters(), prompter: StubPrompter { _, _ in ("X-Crumb", "c4n4ry") })
        #expect(observer.manager.currentFieldNames.isEmpty)
        let bench = ProgramBench(observer) { _ in .text("data") }
        #expect(try await send(.get, bench) == 200)
        #expect(observer.manager.currentFieldNames.map(\.canonicalName).sorted() == ["x-crumb", "x-session"])
        let fixed = ProgramObserver(parameters: WriteTokenParameters(), prompter: nil)
        #expect(fixed.manager.currentFieldNames.map(\.canonicalName).sorted() == ["x-csrf-token", "x-session"])
    }

    @Test func `the description names the field that all requests carry`() {
        #expect(WriteTokenParameters.program.description().credentialField == "X-Session")
    }

    @Test func `if no part is for a request, its challenge is the application's`() async throws {
        let bench = bench(OnlyWriteParameters()) { sent in sent["X-CSRF-Token"] == "c4n4ry" ? .text("data") : Reply(401) }
        #expect(try await send(.get, bench) == 401)
        #expect(bench.transport.sent.count == 1)
        #expect(try await send(.post, bench) == 200)
        #expect(try await send(.get, bench) == 401)
        #expect(bench.transport.sent.map { $0["X-CSRF-Token"] } == [nil, nil, "c4n4ry", nil])
    }

    @Test func `the server can choose the name of a part's field`() async throws {
        let bench = bench(NamedWriteParameters(), user: "X-Crumb")
        #expect(try await send(.get, bench, fields: [("X-Crumb", "own")]) == 200)
        #expect(try await send(.post, bench) == 200)
        #expect(try await send(.post, bench, fields: [("X-Crumb", "own")]) == 200)
        #expect(bench.transport.sent.map { $0["X-Crumb"] } == ["own", "c4n4ry", "own"])
        #expect(bench.transport.sent.map { $0["X-Session"] } == ["c4n4ry", "c4n4ry", nil])
    }

    @Test func `a part is secret in descriptions`() throws {
        let name = try #require(HTTPField.Name("X-CSRF-Token"))
        let part = LimitedPart(.field(HTTPField(name: name, value: "c4n4ry")), of: [.post])
        #expect(!"\(part)".contains("c4n4ry") && !String(reflecting: part).contains("c4n4ry"))
    }
}
