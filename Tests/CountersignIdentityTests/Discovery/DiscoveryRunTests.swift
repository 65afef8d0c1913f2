import Countersign
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

@testable import CountersignIdentity

/// The steps to a certificate, one by one, against answers that a test writes.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct DiscoveryRunTests {
    private static let server = "https://service.example/begin"

    /// What came of some steps.
    private func run(
        _ steps: [FixtureStep], at server: String = server, _ transport: AnswerTransport, input: (any LoginInputSource)? = nil,
        bearer: String? = nil, configuration: SessionConfiguration = SessionConfiguration()
    ) async throws -> FixtureValues {
        let values = FixtureValues(parameters: try #require(URL(string: server)))
        var run = DiscoveryRun<FixtureValues, FixtureError>(
            name: "Fixture", session: Session(configuration: configuration, transport: transport), pins: nil, bearer: bearer,
            input: input, values: values)
        try await run.perform(steps)
        return run.values
    }

    private func failure(
        _ steps: [FixtureStep], at server: String = server, _ transport: AnswerTransport, input: (any LoginInputSource)? = nil
    ) async -> (any Error)? {
        do {
            _ = try await run(steps, at: server, transport, input: input)
            return nil
        } catch {
            return error
        }
    }

    private static let page = LoginPage(
        fields: "/ask/fields", name: "/id", prompt: "/label", preset: "/value", type: "/kind", hidden: "secret", confirms: "/same",
        message: "/say", messageType: "/tone", disclaimer: "/small print")

    private static func rounds(limit: Int = 3, within: Duration = .seconds(60)) -> [FixtureStep] {
        [
            .call(.fixture()),
            .rounds(
                RoundsStep(
                    .fixture("POST", .json([NamedTemplate("step", Template("2") { _ in "2" })]), capturing: "/done"),
                    values: "given", page: page, limit: limit, within: within)),
        ]
    }

    @Test func `values are found by JSON Pointers, lists and numbers too`() async throws {
        let answer = #"{"a/b":{"~":["x","y"],"n":7,"t":true,"z":null},"l":[{"k":"v"}],"":"empty name"}"#
        let values = try await run(
            [.call(.fixture(capturing: "/a~1b/~0", "/a~1b/n", "/a~1b/t", "/l/0/k", "/"))], AnswerTransport((200, answer)))
        #expect(values.captured["/a~1b/~0"] == ["x", "y"])
        #expect(values.captured["/a~1b/n"] == ["7"])
        #expect(values.captured["/a~1b/t"] == ["true"])
        #expect(values.captured["/l/0/k"] == ["v"])
        #expect(values.captured["/"] == ["empty name"])
    }

    @Test(arguments: ["/absent", "/a/z", "/a", "/l/1", "/l/00", "/l/-", "/mixed", "/blank"])
    func `what is not there, or is no text, is missing`(pointer: String) async {
        let answer = #"{"a":{"z":null},"l":["v"],"mixed":["a",{}],"blank":""}"#
        let error = await failure([.call(.fixture(capturing: pointer))], AnswerTransport((200, answer)))
        #expect(error as? FixtureError == .missing("the answer has no text at '\(pointer)'"))
    }

    @Test func `what can be absent is empty then, but not where the answer is no JSON`() async throws {
        let values = try await run([.call(.fixture(capturing: "/a", optional: true))], AnswerTransport((200, "{}")))
        #expect(values.captured["/a"] == [])
        let error = await failure([.call(.fixture(capturing: "/a", optional: true))], AnswerTransport((200, "<html>")))
        #expect(error as? FixtureError == .missing("the answer is no JSON"))
    }

    @Test func `a whole body is taken as it is, or in base64 if it is not text`() async throws {
        let values = try await run([.call(.fixture(capturing: "body"))], AnswerTransport((200, "-----BEGIN\nx")))
        #expect(values.captured["body"] == ["-----BEGIN\nx"])
        #expect(DiscoveryAnswer([0x30, 0x00, 0xFF]).texts(at: "body") == ["MAD/"])
        #expect(DiscoveryAnswer(Array("subject=CN=Müller\n".utf8)).texts(at: "body") == ["subject=CN=Müller\n"])
    }

    @Test func `JSON and forms are sent as such, and a token with them`() async throws {
        let transport = AnswerTransport((200, "{}"), (200, "{}"))
        let named = [
            NamedTemplate<FixtureValues>("na me", Template("") { _ in "a&b=\"c\"" }),
            NamedTemplate<FixtureValues>("absent", Template("") { _ in nil }),
            NamedTemplate<FixtureValues>("empty", Template("") { _ in "" }),
        ]
        _ = try await run(
            [.call(.fixture("POST", .json(named))), .call(.fixture("PUT", .form(named)))], transport, bearer: "token-1")
        let (json, form) = (transport.received[0], transport.received[1])
        #expect(json.body == #"{"na me":"a&b=\"c\""}"#)
        #expect(json.head.headerFields[.contentType] == "application/json")
        #expect(form.body == "na+me=a%26b%3D%22c%22")
        #expect(form.head.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(transport.received.allSatisfy { $0.head.headerFields[.authorization] == "Bearer token-1" })
    }

    @Test(arguments: ["http://service.example/begin", "ftp://service.example/"])
    func `nothing is sent where it would not be encrypted`(server: String) async {
        let transport = AnswerTransport((200, "{}"))
        let error = await failure([.call(.fixture())], at: server, transport) as? CountersignError
        #expect(error?.code == (server.hasPrefix("http:") ? .insecureDestination : .invalidRequest))
        #expect(error?.authenticationMethod == "Fixture")
        #expect(transport.received.isEmpty)
    }

    @Test func `another status carries what the server says, on one line and not for ever`() async {
        let long = String(repeating: "word ", count: 200)
        let transport = AnswerTransport((403, #"{"why":"a\nb\u0000\#(long)"}"#))
        let error = await failure([.call(.fixture(statuses: [200, 201], message: "/why"))], transport) as? FixtureError
        guard case .status(403, let message)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.hasPrefix("a b word"))
        #expect(message.count <= 300)
    }

    @Test func `without an error of the discovery's own it is the runtime's, with method, origin and status`() async {
        let error = await failure([.call(.fixture { _ in nil })], AnswerTransport((500, "{}"))) as? CountersignError
        #expect(error?.code == .operationRefused)
        #expect(error?.status == 500)
        #expect(error?.origin?.description == "https://service.example")
        #expect(await failure([.call(.fixture())], AnswerTransport()) is TransportError)
        let large = await failure([.call(.fixture())], AnswerTransport((200, String(repeating: " ", count: (1 << 20) + 1))))
        #expect((large as? FixtureError)?.code == "missing")
    }

    @Test func `a redirect is another status, and nothing goes where it leads`() async {
        let transport = AnswerTransport((302, ""), (200, "{}"))
        #expect(await failure([.call(.fixture())], transport) as? FixtureError == .status(302, ""))
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
        #expect(values.captured["/done"] == ["yes"])
        let asked = LoginInput(
            clientMessage: "Who?", disclaimer: "Mind.", messageType: .warning,
            inputFields: [
                LoginInputField(fieldName: "user", preset: "ada", prompt: "Name"), LoginInputField(fieldName: "pin", type: .hidden),
            ])
        #expect(input.asked == [asked, LoginInput()])
        #expect(input.finishedCount == 1)
        // What nobody asked for is not sent.
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
        // One that does not even listen to cancellation.
        let (never, continuation) = AsyncStream<Void>.makeStream()
        let deaf = FixtureInput {
            await Task.detached { for await _ in never {} }.value
            return []
        }
        let left = await failure(Self.rounds(within: .milliseconds(1)), AnswerTransport((200, Self.question)), input: deaf)
        #expect(left as? FixtureError == .late)
        continuation.finish()
    }

    @Test func `an application that gives up or fails ends the rounds`() async {
        let gone = FixtureInput { nil }
        #expect(await failure(Self.rounds(), AnswerTransport((200, Self.question)), input: gone) is CancellationError)
        let failing = FixtureInput { throw URLError(.unknown) }
        #expect(await failure(Self.rounds(), AnswerTransport((200, Self.question)), input: failing) as? FixtureError == .refused)
        #expect(gone.finishedCount == 1 && failing.finishedCount == 1)
        let nobody = await failure(Self.rounds(), AnswerTransport((200, Self.question))) as? CountersignError
        #expect(nobody?.code == .credentialMissing)
    }

    @Test(arguments: [
        #"{"ask":{"fields":[{"label":"No name"}]}}"#, #"{"ask":{"fields":[{"id":"a"},{"id":"a"}]}}"#, "<html>",
        #"{"ask":{"fields":[{"id":"a","same":"b"}]}}"#,
        #"{"ask":"# + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}",
    ])
    func `fields that cannot be told apart are no question`(answer: String) async {
        let input = FixtureInput { [] }
        #expect((await failure(Self.rounds(), AnswerTransport((200, answer)), input: input) as? FixtureError)?.code == "missing")
        #expect(input.asked.isEmpty)
    }

    @Test func `what the person typed is not in a refusal that quotes it`() async {
        let transport = AnswerTransport((200, Self.question), (401, #"{"why":"'c4n4ry' is not your pin"}"#))
        let steps: [FixtureStep] = [
            .call(.fixture()),
            .rounds(RoundsStep(.fixture("POST", .form([]), message: "/why"), page: Self.page)),
        ]
        let input = FixtureInput { [LoginInputFieldValue(fieldName: "pin", value: "c4n4ry")] }
        let error = await failure(steps, transport, input: input) as? FixtureError
        #expect(error == .status(401, "'<redacted>' is not your pin"))
        #expect(transport.received.last?.body == "pin=c4n4ry")
        // Nor in that of a later call, and not at the place where a long message is cut.
        let later: [FixtureStep] = [
            .call(.fixture()), .rounds(RoundsStep(.fixture("POST", .form([])), page: Self.page)),
            .call(.fixture("POST", message: "/why")),
        ]
        let long = String(repeating: "x", count: 297) + "c4n4ry"
        let next = AnswerTransport((200, Self.question), (200, "{}"), (403, #"{"why":"\#(long)"}"#))
        let other = await failure(later, next, input: input) as? FixtureError
        #expect(other == .status(403, String(repeating: "x", count: 297) + "<re"))
    }

    // MARK: Keys and certificates

    @Test(arguments: [
        ([], true), ([""], true), (["p256"], true), (["rsa2048"], true), (["ed25519"], false), (["p256", "rsa2048"], false),
    ])
    func `a kind of key that is not known is an error`(kind: [String], isKnown: Bool) async {
        let error = await failure(
            [.key(KeyStep(kind: { _ in kind }, otherwise: .p256, failure: FixtureError.map))], AnswerTransport())
        #expect((error as? FixtureError) == (isKnown ? nil : .key))
    }

    @Test(arguments: [
        ("CN=a", "", true), ("", "a.example", true), ("", "", true), ("no name", "", false), ("CN=a", "\u{E9}", false),
    ])
    func `a name that is none makes no request`(subject: String, dns: String, isName: Bool) async throws {
        let steps: [FixtureStep] = [
            .key(KeyStep(otherwise: .p256, failure: FixtureError.map)),
            .certificateRequest(
                CertificateRequestStep(
                    subject: { _ in [subject] }, dns: { _ in [dns, " b.example , c.example "] }, failure: FixtureError.map)),
        ]
        let error = await failure(steps, AnswerTransport())
        #expect((error as? FixtureError) == (isName ? nil : .name))
    }

    @Test func `an identity needs a certificate of the key that is good now`() async throws {
        func identity(_ texts: [String]) -> [FixtureStep] {
            [
                .key(KeyStep(otherwise: .p256, failure: FixtureError.map)),
                .identity(IdentityStep(certificates: { _ in texts }, failure: FixtureError.map)),
            ]
        }
        #expect(await failure(identity(["no certificate"]), AnswerTransport()) as? FixtureError == .certificate)
        let other = try TestIdentity.Family(.p256).identity
        #expect(await failure(identity([other.certificatePEM]), AnswerTransport()) as? FixtureError == .mismatch)
        #expect(await failure(identity([]), AnswerTransport()) as? FixtureError == .mismatch)
    }

    @Test func `steps are told, and no name of a certificate`() async throws {
        let steps: [FixtureStep] = [
            .key(KeyStep(otherwise: .p256, failure: FixtureError.map)),
            .certificateRequest(CertificateRequestStep(subject: { _ in ["CN=ada"] }, failure: FixtureError.map)),
            .call(.fixture("POST", .certificateRequest, capturing: "body")),
        ]
        let events = EventList()
        var configuration = SessionConfiguration()
        configuration.eventObservers = [events]
        let transport = AnswerTransport((200, "certificate"))
        let values = try await run(steps, transport, configuration: configuration)
        #expect(events.steps == ["key", "certificate-request", "call"])
        #expect(transport.received.first?.head.headerFields[.contentType] == "application/pkcs10")
        #expect(values.certificateRequest != nil)
        #expect(!events.text.contains("ada"))
    }
}

/// What a session told.
private final class EventList: SessionEventObserver {
    private let events = Mutex<[SessionEvent]>([])

    var steps: [String] {
        events.withLock { $0.compactMap { if case .ran(let step) = $0.kind { step } else { nil } } }
    }
    var text: String { events.withLock { "\($0)" } }

    func observe(_ event: SessionEvent) { events.withLock { $0.append(event) } }
}
