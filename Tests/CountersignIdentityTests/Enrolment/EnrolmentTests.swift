@_spi(Generated) import Countersign
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

@testable @_spi(Generated) import CountersignIdentity

/// The steps to a certificate, one by one, against responses that a test writes.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct EnrolmentTests {
    private typealias Slot = FixtureParameters.Slot

    private static let server = "https://service.example/begin"

    /// Runs steps, and returns the values of the slots.
    private func run(
        _ steps: [ProgramStep], at server: String = server, _ transport: AnswerTransport, input: (any LoginInputSource)? = nil,
        given: [Int: ProgramValue] = [:], configuration: SessionConfiguration = SessionConfiguration()
    ) async throws -> [ProgramValue] {
        var runner = StepRunner(
            FixtureParameters(server: try #require(URL(string: server))), given: given, input: input,
            certificates: CertificateMaker(), in: Session(configuration: configuration, transport: transport))
        try await runner.run(steps)
        return runner.values
    }

    private func failure(
        _ steps: [ProgramStep], at server: String = server, _ transport: AnswerTransport, input: (any LoginInputSource)? = nil,
        given: [Int: ProgramValue] = [:]
    ) async -> (any Error)? {
        do {
            _ = try await run(steps, at: server, transport, input: input, given: given)
            return nil
        } catch {
            return error
        }
    }

    private static let page = PromptPage(
        fields: "/ask/fields", name: "/id", prompt: "/label", preset: "/value", type: "/kind", hidden: "secret", confirms: "/same",
        message: "/say", messageType: "/tone", disclaimer: "/small print")

    /// Makes steps that ask for input as long as the server does, and send it. `/done` of the last response is stored in the
    /// first slot.
    private static func rounds(
        _ body: HTTPCall.Body = .json(["given": .slot(Slot.given), "step": .text("2")]), limit: Int = 3,
        within: Duration = .seconds(60), message: String? = nil, captures: Bool = true
    ) -> [ProgramStep] {
        var answer: ProgramStep {
            captures
                ? .call("POST", body, capturing: "/done", asking: page.fields, message: message)
                : .call("POST", body, asking: page.fields, message: message)
        }
        let again = ProgramStep.repeat(
            .init(
                while: [.present(Slot.answer)], limit: limit,
                [.ask(page, of: Slot.answer, into: Slot.given, within: within), answer]))
        return [.failing(.call(asking: page.fields)), .failing(again)]
    }

    @Test func `values are found by JSON Pointers, lists and numbers too`() async throws {
        let answer = #"{"a/b":{"~":["x","y"],"n":7,"t":true,"z":null},"l":[{"k":"v"}],"":"empty name"}"#
        let values = try await run(
            [.failing(.call(capturing: "/a~1b/~0", "/a~1b/n", "/a~1b/t", "/l/0/k", "/"))], AnswerTransport((200, answer)))
        #expect(
            values[Slot.captured..<(Slot.captured + 5)] == [
                .texts(["x", "y"]), .texts(["7"]), .texts(["true"]), .texts(["v"]), .texts(["empty name"]),
            ])
    }

    @Test(arguments: ["/absent", "/a/z", "/a", "/l/1", "/l/00", "/l/-", "/mixed", "/blank"])
    func `what is not there, or is no text, is missing`(pointer: String) async {
        let answer = #"{"a":{"z":null},"l":["v"],"mixed":["a",{}],"blank":""}"#
        let missing = FixtureError.missing("the response has no text at '\(pointer)'")
        let error = await failure([.failing(.call(capturing: pointer))], AnswerTransport((200, answer)))
        #expect(error as? FixtureError == missing)
    }

    @Test func `what can be absent is empty then, but not where the answer is no JSON`() async throws {
        let values = try await run([.failing(.call(capturing: "/a", optional: true))], AnswerTransport((200, "{}")))
        #expect(values[Slot.captured].texts.isEmpty)
        let error = await failure([.failing(.call(capturing: "/a", optional: true))], AnswerTransport((200, "<html>")))
        #expect(error as? FixtureError == .missing("the response is not JSON"))
    }

    @Test func `a whole body is taken as it is, or in base64 if it is not text`() async throws {
        func body(_ transport: AnswerTransport) async throws -> ProgramValue {
            try await run([.failing(.call(capturing: "body"))], transport)[Slot.captured]
        }
        #expect(try await body(AnswerTransport((200, "-----BEGIN\nx"))) == .texts(["-----BEGIN\nx"]))
        #expect(try await body(AnswerTransport(bytes: [0x30, 0x00, 0xFF])) == .texts(["MAD/"]))
        #expect(try await body(AnswerTransport((200, "subject=CN=Müller\n"))) == .texts(["subject=CN=Müller\n"]))
        let error = await failure([.failing(.call(capturing: "body"))], AnswerTransport((200, "")))
        #expect(error as? FixtureError == .missing("the response has no text at 'body'"))
    }

    @Test func `JSON and forms are sent as such, and a token with them`() async throws {
        let transport = AnswerTransport((200, "{}"), (200, "{}"))
        let (absent, empty, list) = (Slot.captured, Slot.captured + 1, Slot.captured + 2)
        let text = ProgramTemplate(.text("a&b=\"c\""))
        let json: HTTPCall.Body = .json([
            "na me": .text(text), "absent": .text(ProgramTemplate(.slot(absent))), "empty": .text(ProgramTemplate(.slot(empty))),
            "list": .text(ProgramTemplate(.slot(list))),
        ])
        let form: HTTPCall.Body = .form([
            .init("na me", text), .init("absent", ProgramTemplate(.slot(absent))), .init("empty", ProgramTemplate(.slot(empty))),
            .init("list", ProgramTemplate(.slot(list))),
        ])
        _ = try await run(
            [.failing(.call("POST", json)), .failing(.call("PUT", form))], transport,
            given: [Slot.token: .secret("token-1"), empty: .nonempty(""), list: .texts(["x", "y"])])
        let (first, second) = (transport.received[0], transport.received[1])
        #expect(first.body == #"{"na me":"a&b=\"c\"","list":"x,y"}"#)
        #expect(first.head.headerFields[.contentType] == "application/json")
        #expect(second.body == "na+me=a%26b%3D%22c%22&list=x%2Cy")
        #expect(second.head.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(transport.received.allSatisfy { $0.head.headerFields[.authorization] == "Bearer token-1" })
    }

    @Test func `values in an address are encoded, each for its place`() async throws {
        let transport = AnswerTransport((200, ""))
        let url = ProgramTemplate(
            .slot(Slot.server), .text("/certificates/"), .slot(Slot.captured), .text("?by="), .slot(Slot.captured))
        let call = HTTPCall("DELETE", url, answers: [HTTPCall.Answer(ChallengePattern("answer", statuses: [200]))])
        _ = try await run(
            [.http(call)], at: "https://service.example/base/?tenant=1", transport, given: [Slot.captured: .text("a/b&c")])
        #expect(transport.received.first?.head.path == "/base/certificates/a%2Fb%26c?tenant=1&by=a%2Fb%26c")
        // A segment that would lead elsewhere is refused.
        for segment in ["..", "."] {
            let error = await failure([.http(call)], transport, given: [Slot.captured: .text(segment)]) as? CountersignError
            #expect(error?.code == .invalidRequest)
        }
        #expect(transport.received.count == 1)
    }

    @Test(arguments: ["http://service.example/begin", "ftp://service.example/"])
    func `nothing is sent where it would not be encrypted`(server: String) async {
        let transport = AnswerTransport((200, "{}"))
        let error = await failure([.failing(.call())], at: server, transport) as? CountersignError
        #expect(error?.code == (server.hasPrefix("http:") ? .insecureDestination : .invalidRequest))
        #expect(error?.authenticationMethod == "Fixture")
        #expect(transport.received.isEmpty)
    }

    @Test func `another status carries what the server says, on one line and of limited length`() async {
        let long = String(repeating: "word ", count: 200)
        let transport = AnswerTransport((403, #"{"why":"a\nb\u0000\#(long)"}"#))
        let error = await failure([.failing(.call(statuses: [200, 201], message: "/why"))], transport) as? FixtureError
        guard case .status(403, let message)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.hasPrefix("a b word"))
        #expect(message.count <= 300)
    }

    @Test func `without an error of the method's own it is the runtime's, with method, origin and status`() async {
        let error = await failure([.call()], AnswerTransport((500, "{}"))) as? CountersignError
        #expect(error?.code == .operationRefused)
        #expect(error?.status == 500)
        #expect(error?.origin?.description == "https://service.example")
        #expect(error?.authenticationMethod == "Fixture")
        #expect(await failure([.failing(.call())], AnswerTransport()) is TransportError)
        let large = await failure([.failing(.call())], AnswerTransport((200, String(repeating: " ", count: (1 << 20) + 1))))
        #expect((large as? FixtureError)?.code == "missing")
        let missing = await failure([.call(capturing: "/a")], AnswerTransport((200, "{}"))) as? CountersignError
        #expect(missing?.code == .answerRefused)
    }

    @Test func `a redirect is another status, and nothing goes where it leads`() async {
        let transport = AnswerTransport((302, ""), (200, "{}"))
        #expect(await failure([.failing(.call())], transport) as? FixtureError == .status(302, ""))
        #expect(transport.received.count == 1)
    }

    // MARK: Rounds

    private static let question = #"""
        {"say":"Who?","tone":"warning","small print":"Mind.","ask":{"fields":[
        {"id":"user","label":"Name","value":"ada","kind":"open"},{"id":"pin","kind":"secret"}]}}
        """#

    @Test func `rounds go on while the server asks, and end in what its last answer has`() async throws {
        let transport = AnswerTransport((200, Self.question), (200, #"{"ask":{"fields":[]}}"#), (200, #"{"done":"yes"}"#))
        let input = FixtureInput(
            { [LoginInputFieldValue(fieldName: "pin", value: "1"), LoginInputFieldValue(fieldName: "other", value: "2")] }, { [] })
        let values = try await run(Self.rounds(), transport, input: input)
        #expect(values[Slot.captured] == .texts(["yes"]))
        let service = Origin(try #require(URL(string: Self.server)))
        let asked = LoginInput(
            clientMessage: "Who?", disclaimer: "Mind.", messageType: .warning,
            inputFields: [
                LoginInputField(fieldName: "user", preset: "ada", prompt: "Name"), LoginInputField(fieldName: "pin", type: .hidden),
            ], origin: service)
        #expect(input.asked == [asked, LoginInput(origin: service)])
        #expect(input.finishedCount == 1)
        // Input for which the server did not ask is not sent.
        #expect(transport.received.map(\.body) == ["", #"{"given":{"pin":"1"},"step":"2"}"#, #"{"given":{},"step":"2"}"#])
    }

    @Test func `a server that goes on asking, and an application that takes too long, are errors`() async {
        let endless = AnswerTransport((200, Self.question), (200, Self.question), (200, Self.question))
        #expect(await failure(Self.rounds(limit: 2), endless, input: FixtureInput { [] }) as? FixtureError == .endless)
        #expect(endless.received.count == 3)
        let slow = FixtureInput {
            try await Task.sleep(for: .seconds(3600))
            return []
        }
        let late = await failure(Self.rounds(within: .milliseconds(1)), AnswerTransport((200, Self.question)), input: slow)
        #expect(late as? FixtureError == .late)
        #expect(slow.finishedCount == 1)
        // An application that also ignores cancellation.
        let (never, continuation) = AsyncStream<Void>.makeStream()
        let deaf = FixtureInput {
            await Task.detached { for await _ in never {} }.value
            return []
        }
        let left = await failure(Self.rounds(within: .milliseconds(1)), AnswerTransport((200, Self.question)), input: deaf)
        #expect(left as? FixtureError == .late)
        continuation.finish()
    }

    @Test func `an application that cancels or fails ends the rounds`() async {
        let gone = FixtureInput { nil }
        #expect(await failure(Self.rounds(), AnswerTransport((200, Self.question)), input: gone) is CancellationError)
        let failing = FixtureInput { throw URLError(.unknown) }
        #expect(await failure(Self.rounds(), AnswerTransport((200, Self.question)), input: failing) as? FixtureError == .refused)
        #expect(gone.finishedCount == 1 && failing.finishedCount == 1)
        let nobody = await failure(Self.rounds(), AnswerTransport((200, Self.question))) as? CountersignError
        #expect(nobody?.code == .credentialMissing)
    }

    @Test(arguments: [
        #"{"ask":{"fields":[{"label":"No name"}]}}"#, #"{"ask":{"fields":[{"id":"a"},{"id":"a"}]}}"#,
        #"{"ask":{"fields":[{"id":"a","same":"b"}]}}"#, #"{"ask":{"fields":"none"}}"#,
    ])
    func `fields that cannot be distinguished are no question`(answer: String) async {
        let input = FixtureInput { [] }
        #expect((await failure(Self.rounds(), AnswerTransport((200, answer)), input: input) as? FixtureError)?.code == "missing")
        #expect(input.asked.isEmpty)
    }

    @Test func `what the user typed is not in a refusal that quotes it`() async {
        let transport = AnswerTransport((200, Self.question), (401, #"{"why":"'c4n4ry' is not your pin"}"#))
        let form = HTTPCall.Body.form([.all(of: Slot.given)])
        let input = FixtureInput { [LoginInputFieldValue(fieldName: "pin", value: "c4n4ry")] }
        let error = await failure(Self.rounds(form, message: "/why"), transport, input: input) as? FixtureError
        #expect(error == .status(401, "'<redacted>' is not your pin"))
        #expect(transport.received.last?.body == "pin=c4n4ry")
        // The value is also redacted in the message of a later call, and where a long message is truncated.
        let later = Self.rounds(form, captures: false) + [.failing(.call("POST", message: "/why"))]
        let long = String(repeating: "x", count: 297) + "c4n4ry"
        let next = AnswerTransport((200, Self.question), (200, "{}"), (403, #"{"why":"\#(long)"}"#))
        let other = await failure(later, next, input: input) as? FixtureError
        #expect(other == .status(403, String(repeating: "x", count: 297) + "<re"))
        // The token is redacted, too.
        let quoting = AnswerTransport((403, #"{"why":"no token t0k3n"}"#))
        let third = await failure([.failing(.call(message: "/why"))], quoting, given: [Slot.token: .secret("t0k3n")])
        #expect(third as? FixtureError == .status(403, "no token <redacted>"))
    }

    // MARK: Keys and certificates

    @Test(arguments: [
        (ProgramValue.absent, false), (.text("p256"), true), (.text("rsa2048"), true), (.text("ed25519"), false),
    ])
    func `a kind of key that is not known is an error`(value: ProgramValue, isKnown: Bool) async {
        let error = await failure(
            [.key(ProgramTemplate(.slot(Slot.captured)))], AnswerTransport(), given: [Slot.captured: value])
        #expect((error as? FixtureError) == (isKnown ? nil : .key))
    }

    @Test(arguments: [
        ("CN=a", "", true), ("", "a.example", true), ("", "", true), ("no name", "", false), ("CN=a", "\u{E9}", false),
    ])
    func `a name that is none makes no request`(subject: String, dns: String, isName: Bool) async throws {
        let request = ProgramStep.request(
            subject: ProgramTemplate(.text(subject)), dns: ProgramTemplate(.text("\(dns), b.example , c.example ")))
        let error = await failure([.key(), request], AnswerTransport())
        #expect((error as? FixtureError) == (isName ? nil : .name))
    }

    @Test func `an identity needs a certificate of the key that is good now`() async throws {
        func error(_ texts: [String]) async -> FixtureError? {
            let identity = ProgramStep.compute(
                slot: Slot.identity, .certificate(.identity(key: Slot.key, certificates: Slot.captured)))
            return await failure(
                [.key(), .failing(identity)], AnswerTransport(), given: [Slot.captured: .texts(texts)]) as? FixtureError
        }
        #expect(await error(["no certificate"]) == .certificate)
        let other = try TestIdentity.Family(.p256).identity
        #expect(await error([other.certificatePEM]) == .mismatch)
        #expect(await error([]) == .mismatch)
    }

    @Test func `texts computed from a request and an identity are theirs`() async throws {
        let identity = try TestIdentity.Family(.p256).identity
        let steps: [ProgramStep] = [
            .key(), .request(subject: "CN=ada"), .compute(slot: Slot.captured, .certificate(.pem(Slot.request))),
            .compute(slot: Slot.captured + 1, .certificate(.pem(Slot.identity))),
            .compute(slot: Slot.captured + 2, .certificate(.serialNumber(Slot.identity))),
        ]
        let values = try await run(steps, AnswerTransport(), given: [Slot.identity: .identity(identity.connectionIdentity)])
        let pem = try #require(values[Slot.captured].text)
        #expect(pem.hasPrefix("-----BEGIN CERTIFICATE REQUEST-----\n") && pem.hasSuffix("-----END CERTIFICATE REQUEST-----\n"))
        let base64 = pem.split(separator: "\n").dropFirst().dropLast().joined()
        #expect(base64 == values[Slot.request].text)
        #expect(values[Slot.captured + 1] == .text(identity.certificatePEM))
        #expect(values[Slot.captured + 2] == .text(identity.serialNumber))
    }

    @Test func `steps are reported, and no name of a certificate`() async throws {
        let steps: [ProgramStep] = [
            .key(), .request(subject: "CN=ada"),
            .failing(.call("POST", .data(Slot.request, type: "application/pkcs10"), capturing: "body")),
        ]
        let events = EventList()
        var configuration = SessionConfiguration()
        configuration.eventObservers = [events]
        let transport = AnswerTransport((200, "certificate"))
        let values = try await run(steps, transport, configuration: configuration)
        #expect(events.steps == ["key", "certificate-request", "http"])
        #expect(transport.received.first?.head.headerFields[.contentType] == "application/pkcs10")
        #expect(values[Slot.request] != .absent)
        #expect(!events.text.contains("ada"))
    }
}

/// The events of a session.
private final class EventList: SessionEventObserver {
    private let events = Mutex<[SessionEvent]>([])

    var steps: [String] {
        events.withLock { $0.compactMap { if case .ran(let step) = $0.kind { step } else { nil } } }
    }
    var text: String { events.withLock { "\($0)" } }

    func observe(_ event: SessionEvent) { events.withLock { $0.append(event) } }
}
