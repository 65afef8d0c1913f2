import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A token in the JSON object of the body, in several members.
private struct JSONBodyParameters: ProgramParameters {
    var servers = ProtectedOrigins(origins: Set([URL(string: ProgramBench.origin).flatMap { Origin($0) }].compactMap(\.self)))

    static let program = MethodProgram(
        name: "JSONBody", summary: "A token.",
        slots: [.parameter("servers"), .credential("user"), .credential("token", isSecret: true)],
        challenges: [ChallengePattern("refused", statuses: [401])],
        credential: CredentialShape(fields: [.slot(1), .slot(2)], destinations: [0]),
        acquire: [.prompt(0, slots: [1, 2])],
        attach: [
            .json("auth", ["user": .text(ProgramTemplate(.slot(1))), "token": .text(ProgramTemplate(.slot(2)))]),
            .json("v", .number("2")),
            .computed([.join([ProgramTemplate(.request(.body))])], headers: ["X-Signed": ProgramTemplate(.computed(0))]),
        ], rejections: [RejectionRule(.acquire, retries: 2)])

    var slotValues: [ProgramValue] { [.origins(servers)] }
}

/// A token in a field of the body's form, whose name is a parameter, from the first request on.
private struct FormBodyParameters: ProgramParameters {
    var name = "access_token"

    static let program = MethodProgram(
        name: "FormBody", summary: "A token.",
        slots: [
            .parameter("servers"), .parameter("name"), .credential("user"), .credential("token", isSecret: true),
        ], challenges: [ChallengePattern("refused", statuses: [401])],
        credential: CredentialShape(fields: [.slot(2), .slot(3)], destinations: [0], isEager: true),
        acquire: [.prompt(0, slots: [2, 3])], attach: [.form(ProgramTemplate(.slot(1)), ProgramTemplate(.slot(3)))],
        rejections: [RejectionRule(.acquire, retries: 2)])

    var slotValues: [ProgramValue] { [.origins(JSONBodyParameters().servers), .text(name)] }
}

/// An observer that adds a member after another one.
private final class SecondMember: SessionObserver {
    let name = "SecondMember"
    private let sizes = Mutex<[Int]>([])

    /// The sizes of the bodies that it was called for.
    var seen: [Int] { sizes.withLock { $0 } }

    func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Countersign.Attachment {
        if let bytes = exchange.body.bytesInMemory { sizes.withLock { $0.append(bytes.count) } }
        return .body(BodyMembers(format: .json, members: [.init(name: "second", value: "true")]), .nothing)
    }
}

/// Credentials in the body of requests.
@Suite("Credentials in the body", .timeLimit(.minutes(10))) struct BodyCredentialTests {
    private static let secret = "c4n4ry"
    private static let added = #""auth":{"user":"app","token":"c4n4ry"},"v":2"#

    /// A request of the application.
    private struct Sample: Sendable {
        var method = HTTPRequest.Method.post
        var type: String? = "application/json"
        var body: RequestBody = .text("{}")
        var fields: [(String, String)] = []

        var request: SessionRequest {
            get throws {
                let types = type.map { [("Content-Type", $0)] } ?? []
                return try .to("https://app.example/data", method, fields: types + fields, body: body)
            }
        }
    }

    private func bench<Parameters: ProgramParameters>(
        _ parameters: Parameters, tokens: [String] = [Self.secret],
        _ script: @escaping ScriptedTransport.Script
    ) -> ProgramBench {
        let prompter = StubPrompter { number, _ in ("app", tokens[min(number, tokens.count) - 1]) }
        return ProgramBench(ProgramObserver(parameters: parameters, prompter: prompter), script)
    }

    private static func text(of sent: ScriptedTransport.Sent) async throws -> String {
        String(decoding: try await sent.body(), as: UTF8.self)
    }

    /// Requires the token in the body of requests.
    private static let server: ScriptedTransport.Script = { sent in
        Reply(try await text(of: sent).contains(secret) ? 200 : 401)
    }

    /// Returns the bodies of the requests that are sent.
    private func bodies(
        _ sample: Sample, _ parameters: some ProgramParameters = JSONBodyParameters(), status: Int = 200
    ) async throws -> [String] {
        let bench = bench(parameters, Self.server)
        #expect(try await bench.session.send(try sample.request).head.status.code == status)
        var bodies: [String] = []
        for sent in bench.transport.sent { bodies.append(try await Self.text(of: sent)) }
        return bodies
    }

    @Test(arguments: [
        ("{}", "{\(Self.added)}"), (" {\n} \n", " {\n\(Self.added)} \n"), (#"{"a":1}"#, #"{"a":1,\#(Self.added)}"#),
        (#"{ "a": {"auth": 1}, "Auth": [{}] }"#, #"{ "a": {"auth": 1}, "Auth": [{}] ,\#(Self.added)}"#),
        (#"{"a":"}","b":"{"}"#, #"{"a":"}","b":"{",\#(Self.added)}"#),
    ])
    func `members are added to a JSON object, and the rest stays as it is written`(body: String, sent: String) async throws {
        #expect(try await bodies(Sample(body: .text(body))) == [body, sent])
        let data = Sample(type: "Application/Problem+JSON; charset=utf-8", body: .bytes(Data(body.utf8)))
        #expect(try await bodies(data) == [body, sent])
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .delete, .patch])
    func `a request without a body gets one`(method: HTTPRequest.Method) async throws {
        let bench = bench(JSONBodyParameters(), Self.server)
        let sample = Sample(method: method, type: nil, body: .none, fields: [("Content-Length", "0")])
        #expect(try await bench.session.send(try sample.request).head.status == .ok)
        let last = try #require(bench.transport.sent.last)
        #expect(try await Self.text(of: last) == "{\(Self.added)}")
        #expect(last["Content-Type"] == "application/json")
        #expect(last["Content-Length"] == nil)
        #expect(bench.transport.sent.first?["Content-Type"] == nil)
    }

    private static let withoutPlace: [Sample] = [
        Sample(method: .get, type: nil, body: .none), Sample(method: .head, type: nil, body: .none),
        Sample(type: nil), Sample(type: "text/plain"), Sample(type: "application/x-www-form-urlencoded", body: .text("a=1")),
        Sample(body: .text("[{}]")), Sample(body: .text("{")), Sample(body: .text(#"{"a":1"#)), Sample(body: .text("nonsense")),
        Sample(body: .text(#"{"auth":{}}"#)), Sample(body: .text(#"{"a":1,"\u0061uth":null}"#)), Sample(body: .text(#"{"v":1}"#)),
        Sample(body: .bytes([0x7B, 0x00, 0x7D])), Sample(fields: [("Content-Encoding", "gzip")]),
        Sample(fields: [("Content-Digest", "sha-256=:AA==:")]), Sample(body: .restartable { AsyncThrowingStream { $0.finish() } }),
    ]

    @Test(arguments: withoutPlace.indices)
    func `a body without a place stays as it is, and its refusal is the application's`(index: Int) async throws {
        #expect(try await bodies(Self.withoutPlace[index], status: 401).count == 1)
    }

    @Test(arguments: [
        ("", "access_token=c4n4ry"), ("a=1", "a=1&access_token=c4n4ry"), ("a=1&", "a=1&access_token=c4n4ry"),
        ("a=%2F+b&&Access_token", "a=%2F+b&&Access_token&access_token=c4n4ry"),
    ])
    func `a field is added to a form`(body: String, sent: String) async throws {
        let form = Sample(type: "application/x-www-form-urlencoded", body: .text(body))
        #expect(try await bodies(form, FormBodyParameters()) == [sent])
    }

    @Test(arguments: ["access_token", "a=1&access_token=own", "%61ccess_token=own"])
    func `a form that has the field is the caller's`(body: String) async throws {
        let form = Sample(type: "application/x-www-form-urlencoded", body: .text(body))
        #expect(try await bodies(form, FormBodyParameters(), status: 401) == [body])
    }

    @Test func `names and values of a form are encoded, and an empty name is an error without the token`() async throws {
        let bench = bench(FormBodyParameters(name: "a b&"), tokens: ["ü=+ &"]) { _ in Reply(200) }
        let form = Sample(type: nil, body: .none)
        #expect(try await bench.session.send(try form.request).head.status == .ok)
        #expect(try await Self.text(of: try #require(bench.transport.sent.first)) == "a+b%26=%C3%BC%3D%2B+%26")
        #expect(bench.transport.sent.first?["Content-Type"] == "application/x-www-form-urlencoded")

        let nameless = self.bench(FormBodyParameters(name: "")) { _ in Reply(200) }
        let error = await #expect(throws: CountersignError.self) { try await nameless.session.send(try form.request) }
        #expect(error.map { !String(reflecting: $0).contains(Self.secret) } == true)
        #expect(nameless.transport.sent.isEmpty)
    }

    @Test func `a refused token is replaced in the caller's own body`() async throws {
        let bench = bench(JSONBodyParameters(), tokens: ["old", "new"]) { sent in
            Reply(try await Self.text(of: sent).contains(#""token":"new""#) ? 200 : 401)
        }
        #expect(try await bench.session.send(try Sample(body: .text(#"{"a":1}"#)).request).head.status == .ok)
        let last = try #require(bench.transport.sent.last)
        #expect(try await Self.text(of: last) == #"{"a":1,"auth":{"user":"app","token":"new"},"v":2}"#)
        #expect(bench.transport.sent.count == 3)
    }

    @Test func `computed values cover the body as it is sent`() async throws {
        let bench = bench(JSONBodyParameters(), Self.server)
        #expect(try await bench.session.send(try Sample(body: .text(#"{"a":1}"#)).request).head.status == .ok)
        let last = try #require(bench.transport.sent.last)
        #expect(last["X-Signed"] == #"{"a":1,\#(Self.added)}"#)
    }

    @Test func `two methods can add members to one body`() async throws {
        let bench = bench(JSONBodyParameters(), Self.server)
        let second = SecondMember()
        bench.session.register(second)
        #expect(try await bench.session.send(try Sample().request).head.status == .ok)
        let last = try #require(bench.transport.sent.last)
        #expect(try await Self.text(of: last) == #"{\#(Self.added),"second":true}"#)
        #expect(second.seen == [2, 2 + Self.added.utf8.count])
    }

    @Test func `a redirect to another server gets the caller's body`() async throws {
        let bench = bench(JSONBodyParameters()) { sent in
            if sent.url.host() == "other.example" { return .text("data") }
            guard try await Self.text(of: sent).contains(Self.secret) else { return Reply(401) }
            return Reply(307, [("Location", "https://other.example/data")])
        }
        #expect(try await bench.session.send(try Sample(body: .text(#"{"a":1}"#)).request).head.status == .ok)
        let last = try #require(bench.transport.sent.last)
        #expect(last.url.host() == "other.example")
        #expect(try await Self.text(of: last) == #"{"a":1}"#)
    }

    @Test func `a request that something else sends cannot carry it, and descriptions do not show it`() async throws {
        let bench = bench(FormBodyParameters(), Self.server)
        let form = Sample(type: nil, body: .none)
        let (head, body) = try (form.request.head, form.request.body)
        await expectError(.invalidRequest) { _ = try await bench.session.authorized(head, body: body) }
        let members = BodyMembers(format: .form, members: [.init(name: "token", value: Self.secret)])
        #expect(!String(reflecting: members).contains(Self.secret) && !"\(members)".contains(Self.secret))
    }
}
