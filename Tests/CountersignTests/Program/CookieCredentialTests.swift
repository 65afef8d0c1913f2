import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A login that sets cookies: a form, and a challenge in a body.
private struct FormParameters: ProgramParameters {
    var password = "wonderland"

    static let program = MethodProgram(
        name: "Form", summary: "A form.",
        slots: [
            .parameter("page"), .parameter("password", isSecret: true),
            .credential("cookies", isSecret: true), .step("hidden", isSecret: true),
        ],
        challenges: [
            ChallengePattern(
                "error", statuses: [200],
                json: [ChallengePattern.Named("/error/code", .equals("1")), ChallengePattern.Named("/error/text", .present)]),
            ChallengePattern(
                "page", statuses: [200], headers: [ChallengePattern.Named("Content-Type", .prefix("text/html"))],
                text: .contains("<h1>Log in</h1>")),
            ChallengePattern("refused", statuses: [401]),
        ],
        credential: CredentialShape(destinations: [0], cookies: 2),
        acquire: [
            .http(
                HTTPCall(
                    "GET", ProgramTemplate(.slot(0)),
                    answers: [
                        HTTPCall.Answer(
                            ChallengePattern(
                                "answer 1", statuses: [200],
                                captures: [.slot(3, from: .input("csrf"), isOptional: true)]))
                    ])),
            .http(
                HTTPCall(
                    "POST", ProgramTemplate(.slot(0)),
                    body: .form([
                        HTTPCall.Member("password", ProgramTemplate(.slot(1))), HTTPCall.Member("csrf", ProgramTemplate(.slot(3))),
                    ]),
                    answers: [
                        HTTPCall.Answer(ChallengePattern("answer 1", text: .prefix("Fails")), isRefusal: true),
                        HTTPCall.Answer(
                            ChallengePattern("answer 2", cookies: .named([ChallengePattern.Named("SID", .present)]))),
                    ])),
        ],
        rejections: [RejectionRule(.acquire, retries: 1)])

    var slotValues: [ProgramValue] {
        [
            URL(string: "https://app.example/login").map(ProgramValue.url) ?? .absent,
            .secret(password),
        ]
    }
}

/// Credentials that are cookies, kept apart from those of the session.
@Suite("Cookies as a credential", .timeLimit(.minutes(10)))
struct CookieCredentialTests {
    /// An application whose login gives the responses of a test.
    private final class Application: Sendable {
        let page: String
        let login: [(String, String)]
        let loginBody: String
        /// The response to a request without a session.
        let challenge: Reply

        init(
            page: String = #"<input name="csrf" value="t">"#, login: [(String, String)] = [("Set-Cookie", "SID=1; Path=/")],
            loginBody: String = "Ok.", challenge: Reply = Reply(401)
        ) {
            self.page = page
            self.login = login
            self.loginBody = loginBody
            self.challenge = challenge
        }

        func answer(_ sent: ScriptedTransport.Sent) -> Reply {
            guard sent.path == "/login" else { return sent["Cookie"]?.contains("SID=") == true ? .text("data") : challenge }
            return sent.method == .get
                ? Reply(200, [("Set-Cookie", "visitor=7; Path=/login")], body: ResponseBody(bytes: Array(page.utf8)))
                : Reply(200, login, body: ResponseBody(bytes: Array(loginBody.utf8)))
        }
    }

    private func bench(
        _ application: Application = Application(), password: String = "wonderland"
    ) -> ProgramBench {
        ProgramBench(ProgramObserver(parameters: FormParameters(password: password), prompter: nil)) { application.answer($0) }
    }

    private func posted(_ bench: ProgramBench) async throws -> [String] {
        var bodies: [String] = []
        for sent in bench.transport.sent where sent.method == .post {
            bodies.append(String(decoding: try await sent.body(), as: UTF8.self))
        }
        return bodies
    }

    private static func page(_ text: String, type: String = "text/html; charset=utf-8") -> Reply {
        Reply(200, [("Content-Type", type)], body: ResponseBody(bytes: Array(text.utf8)))
    }

    // MARK: Recipients

    @Test func `a login begins without cookies, carries those of its own pages, and leaves the session's jar as it was`()
        async throws
    {
        let bench = bench()
        bench.session.cookies.store(
            ["SID=old; Path=/", "lang=en; Path=/"], from: try #require(URL(string: "https://app.example/")))
        #expect(try await bench.get("/data") == 200)
        // The old cookie is accepted here, so the request was not challenged.
        #expect(bench.transport.sent.map { $0["Cookie"] } == ["SID=old; lang=en"])

        bench.session.cookies.removeAll()
        bench.session.cookies.store(["lang=en; Path=/"], from: try #require(URL(string: "https://app.example/")))
        #expect(try await bench.get("/data") == 200)
        let sent = bench.transport.sent.dropFirst()
        #expect(sent.map(\.path) == ["/data", "/login", "/login", "/data"])
        #expect(sent.map { $0["Cookie"] } == ["lang=en", nil, "visitor=7", "SID=1; lang=en"])
        #expect(bench.session.cookies.all.map(\.name) == ["lang"])
    }

    @Test func `a caller's own cookies stay, and nothing is logged in for them`() async throws {
        let bench = bench()
        #expect(try await bench.get("/data", fields: [("Cookie", "mine=1")]) == 401)
        #expect(bench.transport.sent.map { $0["Cookie"] } == ["mine=1"])
    }

    @Test func `cookies go to the servers of the spec alone`() async throws {
        let bench = bench()
        #expect(try await bench.get("/data") == 200)
        for url in ["https://app.example:8443/data", "https://sub.app.example/data", "http://app.example/data"] {
            #expect(try await bench.get(url) == 401)
        }
        #expect(bench.transport.sent.suffix(3).allSatisfy { $0["Cookie"] == nil })
    }

    @Test func `what a response sets replaces what the login left`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: FormParameters(), prompter: nil)) { sent in
            guard sent.path != "/login" else { return Application().answer(sent) }
            guard let cookie = sent["Cookie"] else { return Reply(401) }
            return Reply(200, [("Set-Cookie", "SID=\((Int(cookie.drop { $0 != "=" }.dropFirst()) ?? 0) + 1); Path=/")])
        }
        for _ in 0..<4 { #expect(try await bench.get("/data") == 200) }
        #expect(bench.transport.sent.suffix(4).map { $0["Cookie"] } == ["SID=1", "SID=2", "SID=3", "SID=4"])
        #expect(bench.session.cookies.all.isEmpty)
    }

    @Test func `a response that takes the cookies away ends the credential`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: FormParameters(), prompter: nil)) { sent in
            guard sent.path != "/login" else { return Application().answer(sent) }
            guard sent["Cookie"] != nil else { return Reply(401) }
            return Reply(200, [("Set-Cookie", "SID=; Path=/; Max-Age=0")])
        }
        for _ in 0..<2 { #expect(try await bench.get("/data") == 200) }
        // The cookie of the form's page still exists, but is not sent alone. That causes one more login, and no refusal.
        #expect(bench.transport.sent.map(\.path) == ["/data", "/login", "/login", "/data", "/data", "/login", "/login", "/data"])
    }

    @Test func `after the end of the user's session no cookie is left`() async throws {
        let bench = bench()
        #expect(try await bench.get("/data") == 200)
        bench.session.endSession()
        #expect(try await bench.get("/data") == 200)
        #expect(bench.transport.sent.count { $0.method == .post } == 2)
        #expect(bench.transport.sent.filter { $0.path == "/data" }.map { $0["Cookie"] } == [nil, "SID=1", nil, "SID=1"])
    }

    // MARK: Challenges in bodies

    @Test(arguments: [
        (#"{"error":{"code":1,"text":"x"}}"#, true), (#"{"error":{"code":"1","text":false}}"#, true),
        (#"{"error":{"code":1,"text":null}}"#, false), (#"{"error":{"code":1}}"#, false),
        (#"{"error":{"code":2,"text":"x"}}"#, false), (#"{"error":{"code":1,"text":"x"}"#, false), ("[]", false), ("", false),
    ])
    func `a body of JSON is a challenge where all its values fit`(_ body: String, _ isChallenge: Bool) async throws {
        let bench = bench(Application(challenge: Self.page(body, type: "text/plain")))
        #expect(try await bench.get("/data") == 200)
        #expect(bench.transport.sent.count == (isChallenge ? 4 : 1))
    }

    @Test func `a body is read to its end by its reader, whatever of it was looked at`() async throws {
        for size in [0, 10, 65_535, 65_536, 65_537, 200_000] {
            let text = String(repeating: "x", count: size)
            let bench = bench(Application(challenge: Self.page(text)))
            let response = try await bench.session.send(.to("https://app.example/data"))
            #expect(try await response.body.collect(upTo: 1 << 20).count == size)
            #expect(bench.transport.sent.count == 1)
        }
    }

    @Test(arguments: [(60_000, true), (65_600, false)])
    func `what is in a page counts within its first 64 KiB`(_ distance: Int, _ isChallenge: Bool) async throws {
        let page = String(repeating: "x", count: distance) + "<h1>Log in</h1>"
        let bench = bench(Application(challenge: Self.page(page)))
        #expect(try await bench.get("/data") == 200)
        #expect(bench.transport.sent.count == (isChallenge ? 4 : 1))
    }

    @Test func `JSON that is longer than what is looked at is no challenge`() async throws {
        let body = #"{"error":{"code":1,"text":"\#(String(repeating: "x", count: 65_536))"}}"#
        let bench = bench(Application(challenge: Self.page(body, type: "application/json")))
        #expect(try await bench.get("/data") == 200)
        #expect(bench.transport.sent.count == 1)
    }

    @Test func `bodies of other servers are not looked at`() async throws {
        let asked = Mutex(0)
        let body = ResponseBody(
            AsyncThrowingStream(unfolding: {
                asked.withLock { $0 += 1 }
                return [UInt8](repeating: 0, count: 1024)
            }))
        let bench = bench(Application(challenge: Reply(200, [("Content-Type", "text/html")], body: body)))
        let response = try await bench.session.send(.to("https://other.example/data"))
        #expect(asked.withLock { $0 } == 0)
        response.body.cancel()
    }

    @Test func `an event stream is not waited for`() async throws {
        let asked = Mutex(0)
        let body = ResponseBody(
            AsyncThrowingStream(unfolding: {
                asked.withLock { $0 += 1 }
                try await Task.sleep(for: .seconds(600))
                return nil
            }))
        let bench = bench(Application(challenge: Reply(200, [("Content-Type", "Text/Event-Stream; charset=utf-8")], body: body)))
        let response = try await bench.session.send(.to("https://app.example/events"))
        #expect(response.head.status == .ok)
        #expect(asked.withLock { $0 } == 0)
        response.body.cancel()
    }

    // MARK: Answers

    @Test(arguments: [
        (#"<input type=hidden name=csrf value="a&amp;b&quot;">"#, "password=wonderland&csrf=a%26b%22"),
        (#"<!-- <input name="csrf" value="no"> --><INPUT VALUE='yes' NAME='csrf'>"#, "password=wonderland&csrf=yes"),
        (#"<script>'<input name="csrf" value="no">'</script><input name="csrf" value="yes">"#, "password=wonderland&csrf=yes"),
        (#"<input name="csrf" value="first"><input name="csrf" value="second">"#, "password=wonderland&csrf=first"),
        (#"<input name="csrf">"#, "password=wonderland"), (#"<input name="CSRF" value="x">"#, "password=wonderland"),
        (#"<input name="csrf" value="unclosed"#, "password=wonderland"), ("", "password=wonderland"),
    ])
    func `a hidden input goes back as the page has it`(_ page: String, _ form: String) async throws {
        let bench = bench(Application(page: page))
        #expect(try await bench.get("/data") == 200)
        #expect(try await posted(bench) == [form])
    }

    @Test func `a hidden input may be as long as the state of a page, and no longer`() async throws {
        let state = String(repeating: "s", count: 65_536)
        let bench = bench(Application(page: #"<input name="csrf" value="\#(state)">"#))
        #expect(try await bench.get("/data") == 200)
        #expect(try await posted(bench)[0].utf8.count == 65_536 + "password=wonderland&csrf=".utf8.count)

        let long = self.bench(Application(page: #"<input name="csrf" value="\#(state)s">"#))
        await expectError(.unusableChallenge) { _ = try await long.get("/data") }
        #expect(long.transport.sent.count == 2)
    }

    @Test func `a hidden input with line ends is refused before anything is sent with it`() async throws {
        let bench = bench(Application(page: "<input name=\"csrf\" value=\"a\r\nb\">"))
        await expectError(.unusableChallenge) { _ = try await bench.get("/data") }
        #expect(bench.transport.sent.count == 2)
    }

    @Test(arguments: [
        ["SID=; Path=/"], ["SID=1; Max-Age=0"], ["SID=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], ["SID=1; Domain=other.example"],
        ["sid=1"], [], ["SID=1; Domain=example"],
    ])
    func `an answer that does not leave the cookie is another one`(_ cookies: [String]) async throws {
        let bench = bench(Application(login: cookies.map { ("Set-Cookie", $0) }))
        if cookies == ["SID=; Path=/"] {
            // An empty value is a value, and this server accepts it.
            #expect(try await bench.get("/data") == 200)
            return
        }
        await expectError(.unexpectedAnswer) { _ = try await bench.get("/data") }
        #expect(bench.transport.sent.count == 3)
    }

    @Test func `a text tells a refusal whatever else the answer has`() async throws {
        let bench = bench(Application(loginBody: "Fails."), password: "wrong")
        await expectError(.refusedByServer) { _ = try await bench.get("/data") }
        #expect(bench.transport.sent.count == 3)
        #expect(!"\(bench.events.events)".contains("wrong"))
    }

    @Test func `a refusal that takes the cookies away counts as one`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: FormParameters(), prompter: nil)) { sent in
            if sent.path == "/login" {
                return sent.method == .get
                    ? .text("") : Application(login: [("Set-Cookie", "SID=\(sent.number); Path=/")]).answer(sent)
            }
            return Reply(401, [("Set-Cookie", "SID=; Path=/; Max-Age=0")])
        }
        await expectError(.challengedAgain) { _ = try await bench.get("/data") }
        #expect(bench.transport.sent.count { $0.method == .post } == 2)
    }

    @Test func `cookies that no request is accepted with are an error after the retry`() async throws {
        let bench = ProgramBench(ProgramObserver(parameters: FormParameters(), prompter: nil)) { sent in
            sent.path == "/login" ? Application(login: [("Set-Cookie", "SID=\(sent.number); Path=/")]).answer(sent) : Reply(401)
        }
        await expectError(.challengedAgain) { _ = try await bench.get("/data") }
        #expect(bench.transport.sent.count { $0.method == .post } == 2)
    }

    @Test func `nothing prints a cookie`() async throws {
        let value = ProgramValue.cookies([Cookie(name: "SID", value: "s3cret", domain: "app.example", isHostOnly: true)])
        let attachment = Attachment.cookies(CookieJar(), Generation(1))
        for text in ["\(value)", String(reflecting: value), "\(attachment)"] { #expect(!text.contains("s3cret")) }
        var dumped = ""
        dump(value, to: &dumped)
        #expect(!dumped.contains("s3cret"))
    }
}
