import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// Steps with conditions, computed values, and JSON bodies.
@Suite("Steps of programs", .timeLimit(.minutes(10)))
struct StepTests {
    /// A token for a password and, if the server requires it, a passcode.
    private struct Parameters: ProgramParameters {
        var password: String?
        var project: String?
        var seed: String?

        static let program = MethodProgram(
            name: "Steps", summary: "A token for a password and a passcode.",
            slots: [
                .parameter("server"), .parameter("endpoint"),
                .parameter("password", isSecret: true), .parameter("project"),
                .parameter("seed", isSecret: true), .credential("token", isSecret: true),
                .credential("expires"), .step("scope"), .step("receipt", isSecret: true),
                .step("passcode", isSecret: true),
            ],
            challenges: [ChallengePattern("unauthorized", statuses: [401])],
            credential: CredentialShape(
                fields: [.slot(5), .slot(6)], lifetime: 6, destinations: [0]),
            acquire: [
                .prompt(0, slots: [2]),
                .when([.present(3)], .compute(slot: 7, .json(["project": .text(ProgramTemplate(.slot(3)))]))),
                .http(
                    HTTPCall(
                        "POST", ProgramTemplate(.slot(1), .text("/login")),
                        body: .json(["password": .text(ProgramTemplate(.slot(2))), "scope": .slot(7)]),
                        answers: [
                            accepted,
                            HTTPCall.Answer(
                                ChallengePattern(
                                    "answer 2", statuses: [202],
                                    captures: [.slot(8, from: .header("X-Receipt"))])),
                            HTTPCall.Answer(ChallengePattern("answer 3", statuses: [403]), isRefusal: true),
                        ])),
                .when([.present(8), .present(4)], .compute(slot: 9, .totp(ProgramTemplate(.slot(4))))),
                .when([.present(8)], .prompt(1, slots: [9])),
                .when(
                    [.present(8)],
                    .http(
                        HTTPCall(
                            "POST", ProgramTemplate(.slot(1), .text("/second")),
                            headers: [HTTPCall.Member("X-Receipt", ProgramTemplate(.slot(8)))],
                            body: .json([.text(ProgramTemplate(.slot(9)))]),
                            answers: [
                                accepted, HTTPCall.Answer(ChallengePattern("answer 2", statuses: [403]), isRefusal: true),
                            ]))),
            ],
            attach: [.header("Authorization", ProgramTemplate(.text("Bearer "), .slot(5)))],
            rejections: [RejectionRule(.acquire, retries: 1)],
            end: [
                .http(
                    HTTPCall(
                        "DELETE", ProgramTemplate(.slot(1), .text("/login")),
                        headers: [HTTPCall.Member("X-Token", ProgramTemplate(.slot(5)))],
                        answers: [
                            HTTPCall.Answer(ChallengePattern("answer 1", statuses: [204])),
                            HTTPCall.Answer(ChallengePattern("answer 2", statuses: [403]), isRefusal: true),
                        ]))
            ])

        private static let accepted = HTTPCall.Answer(
            ChallengePattern(
                "answer 1", statuses: [201],
                captures: [
                    .slot(5, from: .header("X-Token")),
                    .slot(6, from: .json(["/expires"]), as: .date, isOptional: true),
                ]))

        var slotValues: [ProgramValue] {
            [
                URL(string: ProgramBench.origin).map { .url($0) } ?? .absent,
                URL(string: "https://tokens.example").map { .url($0) } ?? .absent,
                password.map { .secret($0) } ?? .absent,
                project.map { .text($0) } ?? .absent,
                seed.map { .secret($0) } ?? .absent,
            ]
        }
    }

    /// Answers prompts, and records them.
    private final class Person: ProgramPrompting {
        private let answers: [Int: [String]]
        private let log = Mutex<[String]>([])

        init(_ answers: [Int: [String]]) { self.answers = answers }

        /// The numbers, refusals and origins of the prompts.
        var asked: [String] { log.withLock { $0 } }

        func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
            log.withLock { $0.append("\(number) \(prompt.refusals) \(prompt.origin)") }
            guard let answers = answers[number] else { return nil }
            return [.secret(answers[min(prompt.refusals, answers.count - 1)])]
        }
    }

    /// The server that issues tokens, and the one that accepts them.
    private final class Servers: Sendable {
        /// Whether a second factor is required.
        let wantsPasscode: Bool
        let expires: String?
        let date: String?
        private let logins = Mutex<[String]>([])
        private let logouts = Mutex<[String]>([])
        /// The status code of the response to a logout.
        let logoutStatus = Mutex(204)

        init(wantsPasscode: Bool = false, expires: String? = nil, date: String? = nil) {
            self.wantsPasscode = wantsPasscode
            self.expires = expires
            self.date = date
        }

        /// The bodies of the logins.
        var sent: [String] { logins.withLock { $0 } }
        /// The tokens that were revoked by a logout.
        var ended: [String] { logouts.withLock { $0 } }

        func answer(_ sent: ScriptedTransport.Sent) async throws -> Reply {
            guard sent.url.host() == "tokens.example" else {
                return sent["Authorization"]?.hasPrefix("Bearer t") == true ? .text("data") : Reply(401)
            }
            if sent.method == .delete {
                logouts.withLock { $0.append(sent["X-Token"] ?? "") }
                return Reply(logoutStatus.withLock { $0 })
            }
            #expect(sent["Content-Type"] == "application/json")
            let body = String(decoding: try await sent.body(), as: UTF8.self)
            let number = logins.withLock { logins in
                logins.append(body)
                return logins.count
            }
            if sent.path == "/second" {
                #expect(sent["X-Receipt"] == "r")
                guard body == #"["123456"]"# || body.count == 10 && body != #"["000000"]"# else { return Reply(403) }
            } else {
                guard body.contains(#""password":"wonderland""#) else { return Reply(403) }
                if wantsPasscode { return Reply(202, [("X-Receipt", "r")]) }
            }
            let fields = [("X-Token", "t\(number)")] + (date.map { [("Date", $0)] } ?? [])
            return Reply(201, fields, body: ResponseBody(bytes: Array((expires.map { #"{"expires":\#($0)}"# } ?? "{}").utf8)))
        }
    }

    private func bench(_ parameters: Parameters, _ person: Person? = nil, _ servers: Servers) -> ProgramBench {
        ProgramBench(ProgramObserver(parameters: parameters, prompter: person)) { try await servers.answer($0) }
    }

    @Test func `a step whose condition does not hold is left out`() async throws {
        let servers = Servers()
        let person = Person([:])
        let bench = bench(Parameters(password: "wonderland"), person, servers)
        #expect(try await bench.get() == 200)
        #expect(servers.sent == [#"{"password":"wonderland"}"#])
        #expect(person.asked.isEmpty)
    }

    @Test func `computed JSON stands in the JSON of a later request`() async throws {
        let servers = Servers()
        let bench = bench(Parameters(password: "wonderland", project: #"a "b" \c"#), nil, servers)
        #expect(try await bench.get() == 200)
        #expect(servers.sent == [#"{"password":"wonderland","scope":{"project":"a \"b\" \\c"}}"#])
    }

    @Test func `what a parameter has is not asked for, and what it lacks is`() async throws {
        let servers = Servers()
        let person = Person([0: ["wonderland"]])
        #expect(try await bench(Parameters(), person, servers).get() == 200)
        #expect(person.asked == ["0 0 https://tokens.example"])
    }

    @Test func `an answer decides which steps follow`() async throws {
        let servers = Servers(wantsPasscode: true)
        let person = Person([1: ["123456"]])
        #expect(try await bench(Parameters(password: "wonderland"), person, servers).get() == 200)
        #expect(person.asked == ["1 0 https://tokens.example"])
        #expect(servers.sent == [#"{"password":"wonderland"}"#, #"["123456"]"#])
    }

    @Test func `a passcode is worked out of its key, and not asked for`() async throws {
        let servers = Servers(wantsPasscode: true)
        let person = Person([:])
        let parameters = Parameters(password: "wonderland", seed: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        #expect(try await bench(parameters, person, servers).get() == 200)
        #expect(person.asked.isEmpty)
        #expect(servers.sent.last?.count == 10)
    }

    @Test func `a wrong passcode is asked for again, as often as the rule says`() async throws {
        let servers = Servers(wantsPasscode: true)
        let person = Person([1: ["000000", "123456"]])
        #expect(try await bench(Parameters(password: "wonderland"), person, servers).get() == 200)
        #expect(person.asked == ["1 0 https://tokens.example", "1 1 https://tokens.example"])
    }

    @Test func `a given password that is refused is not sent twice, and nobody is asked`() async {
        let servers = Servers(wantsPasscode: true)
        let person = Person([1: ["123456"]])
        let bench = bench(Parameters(password: "wrong"), person, servers)
        await expectError(.refusedByServer) { _ = try await bench.get() }
        #expect(servers.sent.count == 1)
        #expect(person.asked.isEmpty)
    }

    @Test func `a key that is no Base32 ends in an error without it`() async {
        let servers = Servers(wantsPasscode: true)
        let bench = bench(Parameters(password: "wonderland", seed: "not-a-key-1"), nil, servers)
        do {
            _ = try await bench.get()
            Issue.record("no error")
        } catch {
            #expect((error as? CountersignError)?.code == .credentialMissing)
            #expect(!"\(error)".contains("not-a-key"))
        }
    }

    @Test func `without an application a prompt ends in an error`() async {
        let servers = Servers()
        let bench = bench(Parameters(), nil, servers)
        await expectError(.credentialMissing) { _ = try await bench.get() }
        #expect(servers.sent.isEmpty)
    }

    @Test(arguments: [
        (#""2026-11-22T12:00:30.000000Z""#, 30), (#""2026-11-22T13:00:30+01:00""#, 30), (#""Sun, 22 Nov 2026 12:00:30 GMT""#, 30),
        ("1795348830", 30), (#""2026-11-22T11:59:00Z""#, nil as Int?), ("null", nil),
    ])
    func `a date counts from the server's own, and one in the past says nothing`(_ expires: String, _ seconds: Int?) async throws {
        let servers = Servers(expires: expires, date: "Sun, 22 Nov 2026 12:00:00 GMT")
        let bench = bench(Parameters(password: "wonderland"), nil, servers)
        #expect(try await bench.get() == 200)
        if let seconds {
            // Another token is fetched early, from a little more than a tenth of the lifetime before the end.
            bench.clock.advance(by: .seconds(seconds - 4))
            #expect(try await bench.get() == 200)
            #expect(servers.sent.count == 1)
            bench.clock.advance(by: .seconds(5))
        } else {
            bench.clock.advance(by: .seconds(86_400))
        }
        #expect(try await bench.get() == 200)
        #expect(servers.sent.count == (seconds == nil ? 1 : 2))
    }

    @Test func `a logout tells the server, and then nothing carries the credential`() async throws {
        let servers = Servers()
        let bench = bench(Parameters(password: "wonderland"), nil, servers)
        #expect(try await bench.get() == 200)
        try await bench.session.logOut()
        #expect(servers.ended == ["t1"])
        #expect(try await bench.get() == 200)
        #expect(servers.sent.count == 2)
        try await bench.session.logOut()
        try await bench.session.logOut()
        #expect(servers.ended == ["t1", "t2"])
    }

    @Test(arguments: [(403, CountersignError.Code.operationRefused), (500, .unexpectedAnswer)])
    func `a server that does not end a credential keeps nobody logged in`(_ status: Int, _ code: CountersignError.Code) async throws
    {
        let servers = Servers()
        let bench = bench(Parameters(password: "wonderland"), nil, servers)
        #expect(try await bench.get() == 200)
        servers.logoutStatus.withLock { $0 = status }
        await expectError(code) { try await bench.session.logOut() }
        #expect(try await bench.get() == 200)
        #expect(servers.sent.count == 2)
    }

    @Test func `a prompt names the server that receives what is worked out of its answer`() async throws {
        struct Wrapped: ProgramParameters {
            static let program = MethodProgram(
                name: "Wrapped", summary: "A password in computed JSON.",
                slots: [
                    .parameter("server"), .parameter("endpoint"),
                    .credential("token", isSecret: true), .step("password", isSecret: true),
                    .step("body"),
                ],
                challenges: [ChallengePattern("unauthorized", statuses: [401])],
                credential: CredentialShape(fields: [.slot(2)], destinations: [0]),
                acquire: [
                    .prompt(0, slots: [3]), .compute(slot: 4, .json(["password": .text(ProgramTemplate(.slot(3)))])),
                    .http(
                        HTTPCall(
                            "POST", ProgramTemplate(.slot(1), .text("/login")), body: .json(.slot(4)),
                            answers: [
                                HTTPCall.Answer(
                                    ChallengePattern(
                                        "answer 1", statuses: [201],
                                        captures: [.slot(2, from: .header("X-Token"))])),
                                HTTPCall.Answer(ChallengePattern("answer 2", statuses: [403]), isRefusal: true),
                            ])),
                ],
                attach: [.header("Authorization", ProgramTemplate(.text("Bearer "), .slot(2)))],
                rejections: [RejectionRule(.acquire, retries: 1)])

            var slotValues: [ProgramValue] { Array(Parameters().slotValues.prefix(2)) }
        }
        let servers = Servers()
        let person = Person([0: ["wrong", "wonderland"]])
        let bench = ProgramBench(ProgramObserver(parameters: Wrapped(), prompter: person)) { try await servers.answer($0) }
        #expect(try await bench.get() == 200)
        #expect(person.asked == ["0 0 https://tokens.example", "0 1 https://tokens.example"])
    }

    @Test func `a text that is no date says nothing of a credential that needs none`() async throws {
        let servers = Servers(expires: #""tomorrow""#)
        let bench = bench(Parameters(password: "wonderland"), nil, servers)
        #expect(try await bench.get() == 200)
        bench.clock.advance(by: .seconds(86_400))
        #expect(try await bench.get() == 200)
        #expect(servers.sent.count == 1)
    }
}

@Suite("One-time passcodes") struct OneTimePasscodeTests {
    /// RFC 6238, appendix B, with the last six of its eight digits.
    @Test(arguments: [
        (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
        (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ])
    func `the vectors of RFC 6238`(_ seconds: Int, _ passcode: String) {
        let date = Date(timeIntervalSince1970: Double(seconds))
        for key in [
            "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "gezd gnbv gy3t qojq gezd gnbv gy3t qojq", "GEZDGNBV-GY3TQOJQ-GEZDGNBV-GY3TQOJQ==",
        ] {
            #expect(OneTimePasscode.passcode(for: key, at: date) == passcode)
        }
    }

    @Test(arguments: ["", "=", "GEZDGNBVGY3TQOJ0", "GEZDGNBVGY3TQOJ1", "schlüssel", "A"])
    func `what is no Base32 has no passcode`(_ key: String) {
        #expect(OneTimePasscode.passcode(for: key, at: Date(timeIntervalSince1970: 59)) == nil)
    }
}

@Suite("JSON of programs") struct JSONTemplateTests {
    @Test func `every kind of value is JSON that another reader takes`() throws {
        let template: JSONTemplate = [
            "te\"xt\n": .text(ProgramTemplate(.slot(0), .text("\u{0}\u{1F}\u{2028}é😀/"))),
            "numbers": [.number("1"), .number("-2.50")],
            "words": [.flag(true), .flag(false), .null], "left out": .text(ProgramTemplate(.slot(1))), "tree": .slot(2),
            "no tree": .slot(1), "nothing": [:], "list": [.text(ProgramTemplate(.slot(1))), .text(ProgramTemplate())],
        ]
        let text = try #require(template.text([.secret("a\\b\""), .absent, .json(#"{"a":[1]}"#)]))
        let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["te\"xt\n"] as? String == "a\\b\"\u{0}\u{1F}\u{2028}é😀/")
        #expect(object["numbers"] as? [Double] == [1, -2.5])
        #expect((object["words"] as? [Any])?.count == 3)
        #expect((object["tree"] as? [String: [Int]]) == ["a": [1]])
        #expect(object["left out"] == nil && object["no tree"] == nil)
        #expect((object["nothing"] as? [String: Any])?.isEmpty == true)
        #expect(object["list"] as? [String] == [""])
    }

    @Test func `a name can have values, which are escaped, and a member without its name is left out`() {
        let template: JSONTemplate = [
            .slot(0): .text(.text("a")), ProgramTemplate(.text("for "), .slot(0)): [.slot(1): .flag(true)], .slot(1): .null,
        ]
        #expect(template.text([.text("\"é\""), .absent]) == #"{"\"é\"":"a","for \"é\"":{}}"#)
        #expect(template.uses([0]) && template.uses([1]) && !template.uses([2]))
    }
}
