import Countersign
import Foundation
import HTTPTypes
import TestTurns
import Testing

@testable import CountersignTesting

/// The refusals of the mock of a spec: a mock that admits too much lets wrong clients pass.
@Suite(.takesTurns) struct DescribedServerTests {
    private let base: URL

    init() throws { base = try #require(URL(string: "http://127.0.0.1:49152")) }

    /// The mock of a method whose first slot is the parameter `server`, the URL of the mock.
    private func server(
        _ slots: [ProgramSlot], values: [ProgramValue] = [], accepting: [String: String] = [:],
        challenges: [ChallengePattern] = [ChallengePattern("out", statuses: [401])],
        fields: [CredentialShape.Field] = [], cookies: Int? = nil, acquire: [ProgramStep], renewal: CredentialRenewal? = nil,
        attach: [CredentialPlacement] = [], rejections: [RejectionRule] = [], end: [ProgramStep] = []
    ) throws -> DescribedServer {
        let program = MethodProgram(
            name: "Sample", summary: "A sample.", slots: [.parameter("server")] + slots, challenges: challenges,
            credential: CredentialShape(fields: fields, destinations: [0], cookies: cookies), acquire: acquire, renewal: renewal,
            attach: attach, rejections: rejections, end: end)
        let described = try DescribedProgram(program, values: [.url(base)] + values, accepting: accepting, at: base)
        return try DescribedServer(described, recorder: DescribedRecorder())
    }

    private func request(
        _ path: String, _ method: HTTPRequest.Method = .get, with fields: [String: String] = [:], body: String = ""
    ) -> MockRequest {
        var head = HTTPFields()
        for (name, value) in fields { if let name = HTTPField.Name(name) { head[name] = value } }
        return MockRequest(
            method: method, authority: "127.0.0.1:49152", path: path, query: nil, fields: head, body: Array(body.utf8),
            bodyLength: body.utf8.count)
    }

    private func session(_ token: String) -> MockRequest { request("/data", with: ["X-Session": token]) }

    /// Sends a request of a step, and returns the value at a name of its JSON.
    private func value(_ name: String, from server: DescribedServer, _ request: MockRequest) throws -> String {
        let response = try #require(server.answer(request))
        return try #require(JSONTree(response.body)?["/\(name)"]?.text)
    }

    private func login(_ captures: ChallengePattern.Capture...) -> ProgramStep {
        .http(HTTPCall("POST", .slot(0, then: "/login"), answers: [HTTPCall.Answer(statuses: [200], captures: captures)]))
    }

    @Test func `a cookie of the form is no login`() throws {
        let server = try server(
            [.credential("cookies"), .step("csrf", isSecret: true)], cookies: 1,
            acquire: [
                .http(
                    HTTPCall(
                        "GET", .slot(0, then: "/login"),
                        answers: [
                            HTTPCall.Answer(
                                statuses: [200], cookies: .named([ChallengePattern.Named("visitor", .present)]),
                                captures: [.slot(2, from: .cookie("csrf"))])
                        ])),
                .http(
                    HTTPCall(
                        "POST", .slot(0, then: "/login"), body: .form([HTTPCall.Member("csrf", .slot(2))]),
                        answers: [
                            HTTPCall.Answer(
                                statuses: [200],
                                cookies: .named([
                                    ChallengePattern.Named("SESSION", .present), ChallengePattern.Named("REALM", "a"),
                                ]))
                        ])),
            ])
        let form = cookies(of: try #require(server.answer(request("/login"))))
        #expect(form.keys.sorted() == ["csrf", "visitor"])
        let sent = form.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        #expect(!server.admits(request("/data", with: ["Cookie": sent])))

        let body = "csrf=\(try #require(form["csrf"]))"
        let type = "application/x-www-form-urlencoded"
        let answer = try #require(server.answer(request("/login", .post, with: ["Content-Type": type], body: body)))
        let login = cookies(of: answer)
        let session = "SESSION=\(try #require(login["SESSION"]))"
        #expect(!server.admits(request("/data", with: ["Cookie": session])))
        #expect(server.admits(request("/data", with: ["Cookie": "\(session); REALM=a; \(sent)"])))
        server.expire(all: false)
        #expect(!server.admits(request("/data", with: ["Cookie": "\(session); REALM=a; \(sent)"])))
    }

    private func cookies(of response: MockResponse) -> [String: String] {
        let pairs = response.fields[values: .setCookie].map { $0.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1) }
        return Dictionary(pairs.map { (String($0[0]), String($0[1])) }) { first, _ in first }
    }

    @Test func `the same login once more with a second factor is the second step`() throws {
        func call(_ members: NamedList<HTTPCall.Member>, _ capture: ChallengePattern.Capture) -> ProgramStep {
            .http(
                HTTPCall(
                    "POST", .slot(0, then: "/login"), body: .form(members),
                    answers: [HTTPCall.Answer(statuses: [200], captures: [capture])]))
        }
        let server = try server(
            [.credential("token", isSecret: true), .step("receipt", isSecret: true)], fields: [.slot(1)],
            acquire: [
                call([HTTPCall.Member("user", "alice")], .slot(2, from: .json(["/receipt"]))),
                call(
                    [HTTPCall.Member("user", "alice"), HTTPCall.Member("receipt", .slot(2))], .slot(1, from: .json(["/token"]))),
            ], attach: [.header("X-Session", .slot(1))])
        func login(_ body: String) -> MockRequest {
            request("/login", .post, with: ["Content-Type": "application/x-www-form-urlencoded"], body: body)
        }
        let receipt = try value("receipt", from: server, login("user=alice"))
        let token = try value("token", from: server, login("user=alice&receipt=\(receipt)"))
        #expect(server.admits(session(token)))
        // A wrong receipt does not begin another login.
        #expect(server.answer(login("user=alice&receipt=forged"))?.status == .badRequest)
    }

    @Test func `a place for some methods is not needed in other requests`() throws {
        let step = login(.slot(1, from: .json(["/token"])))
        let limited = CredentialPlacement.header("X-Write", .slot(1), methods: ["POST", "PUT"])
        let server = try self.server(
            [.credential("token", isSecret: true)], fields: [.slot(1)], acquire: [step],
            attach: [.header("X-Session", .slot(1)), limited])
        let token = try value("token", from: server, request("/login", .post))
        #expect(server.admits(session(token)))
        #expect(!server.admits(request("/data", .put, with: ["X-Session": token])))
        #expect(server.admits(request("/data", .put, with: ["X-Session": token, "X-Write": token])))
        #expect(!server.admits(request("/data", with: ["X-Write": token])))

        let other = try self.server(
            [.credential("token", isSecret: true)], fields: [.slot(1)], acquire: [step], attach: [limited])
        #expect(other.admits(request("/data")))
        #expect(!other.admits(request("/data", .put)))
    }

    @Test func `a request with what all requests carry needs no part of the credential that is for other methods`() throws {
        let step = login(.slot(1, from: .json(["/token"])))
        let server = try self.server(
            [.credential("token", isSecret: true)], fields: [.slot(1)], acquire: [step],
            attach: [.header("X-Requested-With", "XMLHttpRequest"), .header("X-Write", .slot(1), methods: ["POST"])])
        let token = try value("token", from: server, request("/login", .post))
        let common = ["X-Requested-With": "XMLHttpRequest"]
        #expect(server.admits(request("/data", with: common)))
        #expect(!server.admits(request("/data")))
        #expect(!server.admits(request("/data", .post, with: common)))
        #expect(!server.admits(request("/data", .post, with: ["X-Write": token])))
        let whole = ["X-Requested-With": "XMLHttpRequest", "X-Write": token]
        #expect(server.admits(request("/data", .post, with: whole)))
    }

    @Test func `a copied value must have been issued`() throws {
        let server = try server(
            [.credential("token", isSecret: true), .step("id", isSecret: true)], fields: [.slot(1)],
            acquire: [login(.slot(2, from: .json(["/id"]))), .compute(slot: 1, .value(2))],
            attach: [.header("X-Session", .slot(1))],
            end: [
                .http(
                    HTTPCall(
                        "DELETE", .slot(0, then: "/login"), headers: [HTTPCall.Member("X-Session", .slot(1))],
                        answers: [HTTPCall.Answer(statuses: [204])]))
            ])
        #expect(!server.admits(session("forged")))
        let id = try value("id", from: server, request("/login", .post))
        #expect(server.admits(session(id)))
        #expect(server.answer(request("/login", .delete, with: ["X-Session": id]))?.status == .noContent)
        #expect(!server.admits(session(id)))
    }

    @Test func `a place for a value that the server omits may be empty, but not all`() throws {
        let server = try server(
            [.credential("token", isSecret: true), .credential("tenant"), .credential("region")],
            fields: [.slot(1), .slot(2), .slot(3)],
            acquire: [
                login(
                    .slot(1, from: .json(["/token"])), .slot(2, from: .json(["/tenant"]), isOptional: true),
                    .slot(3, from: .json(["/region"]), fallback: "eu"))
            ],
            attach: [
                .header("X-Session", .slot(1)), .header("X-Tenant", .slot(2)), .header("X-Region", .slot(3)),
                .header("X-Client", "sample"),
            ])
        let token = try value("token", from: server, request("/login", .post))
        #expect(server.admits(request("/data", with: ["X-Session": token, "X-Region": "eu", "X-Client": "sample"])))
        #expect(!server.admits(request("/data", with: ["X-Session": token, "X-Client": "sample"])))
        #expect(!server.admits(request("/data", with: ["X-Session": token, "X-Region": "us", "X-Client": "sample"])))
        let foreign = ["X-Session": token, "X-Region": "eu", "X-Tenant": "a", "X-Client": "sample"]
        #expect(!server.admits(request("/data", with: foreign)))
        #expect(!server.admits(request("/data", with: ["X-Region": "eu", "X-Client": "sample"])))
        #expect(!server.admits(request("/data", with: ["X-Client": "sample"])))
    }

    @Test func `an expired token can still be sent to its renewal, and nowhere else`() throws {
        let token = ChallengePattern.Capture.slot(1, from: .json(["/token"]))
        let server = try server(
            [.credential("token", isSecret: true)], fields: [.slot(1)], acquire: [login(token)],
            renewal: CredentialRenewal(
                needs: [1],
                [
                    .http(
                        HTTPCall(
                            "POST", .slot(0, then: "/renew"), headers: [HTTPCall.Member("X-Session", .slot(1))],
                            answers: [
                                HTTPCall.Answer(statuses: [200], captures: [token]),
                                HTTPCall.Answer(statuses: [403], isRefusal: true),
                            ]))
                ]),
            attach: [.header("X-Session", .slot(1))])
        let first = try value("token", from: server, request("/login", .post))
        #expect(server.admits(session(first)))
        server.expire(all: false)
        #expect(!server.admits(session(first)))
        let second = try value("token", from: server, request("/renew", .post, with: ["X-Session": first]))
        #expect(server.admits(session(second)))
        server.expire(all: true)
        #expect(!server.admits(session(second)))
        #expect(server.answer(request("/renew", .post, with: ["X-Session": second]))?.status == .forbidden)
    }

    @Test(arguments: [
        "x", "Basic YTpi", "AWS4-HMAC-SHA256 Credential=other/20260101/eu/s3/aws4_request, Signature=0",
        "AWS4-HMAC-SHA256 Credential=key/20260101/us/s3/aws4_request, Signature=0",
    ])
    func `a signature by another key is refused`(authorization: String) throws {
        let server = try server(
            [.parameter("id"), .parameter("secret", isSecret: true)], values: [.text("key"), .secret("secret")], acquire: [],
            attach: [.signature(SignatureVersion4(id: .slot(1), key: .slot(2), region: "eu", service: "s3"))])
        let right = "AWS4-HMAC-SHA256 Credential=key/20260101/eu/s3/aws4_request, SignedHeaders=host, Signature=0"
        #expect(server.admits(request("/data", with: ["Authorization": right])))
        #expect(!server.admits(request("/data", with: ["Authorization": authorization])))
        #expect(!server.admits(request("/data")))
    }

    @Test func `values of one item of a list come together`() throws {
        let server = try server(
            [.credential("token", isSecret: true), .credential("site")], fields: [.slot(1), .slot(2)],
            acquire: [login(.slot(1, from: .json(["/sites/0/token"])), .slot(2, from: .json(["/sites/*/id"])))],
            attach: [.header("X-Session", .slot(1)), .header("X-Site", .slot(2))])
        let response = try #require(server.answer(request("/login", .post)))
        let body = try #require(JSONTree(response.body))
        let token = try #require(body["/sites/0/token"]?.text)
        let site = try #require(body["/sites/0/id"]?.text)
        #expect(server.admits(request("/data", with: ["X-Session": token, "X-Site": site])))
        #expect(!server.admits(request("/data", with: ["X-Session": token, "X-Site": "other"])))
    }

    @Test func `a chosen item of a list comes after items that meet all conditions but one`() throws {
        let conditions: NamedList<ChallengePattern.Named> = [
            "/list/*/kind": "main", "/list/*/parts/*/name": .present, "/list/*/parts/*/old": .absent,
        ]
        let server = try server(
            [.credential("token", isSecret: true), .credential("site")], fields: [.slot(1), .slot(2)],
            acquire: [
                login(
                    .slot(1, from: .json(["/list/*/parts/*/token"]), where: conditions),
                    .slot(2, from: .json(["/list/*/id"]), where: ["/list/*/kind": "other"]))
            ],
            attach: [.header("X-Session", .slot(1)), .header("X-Site", .slot(2))])
        let response = try #require(server.answer(request("/login", .post)))
        let body = try #require(JSONTree(response.body))
        func item(_ number: Int, _ path: String) -> String? { body["/list/\(number)/\(path)"]?.text }
        #expect((0..<4).map { item($0, "kind") == "main" } == [false, true, true, true])
        #expect((0..<4).map { item($0, "parts/0/name") != nil } == [true, false, true, true])
        #expect((0..<4).map { item($0, "parts/0/old") == nil } == [true, true, false, true])
        let tokens = (0..<4).compactMap { item($0, "parts/0/token") }
        #expect(tokens.count == 4 && !tokens.dropLast().contains(tokens[3]))
        #expect(item(4, "kind") != "other" && item(5, "kind") == "other" && item(6, "kind") == nil)
        let site = try #require(item(5, "id"))
        #expect(server.admits(request("/data", with: ["X-Session": tokens[3], "X-Site": site])))
        for token in tokens.dropLast() {
            #expect(!server.admits(request("/data", with: ["X-Session": token, "X-Site": site])))
        }
        #expect(!server.admits(request("/data", with: ["X-Session": tokens[3], "X-Site": item(4, "id") ?? ""])))
    }

    @Test func `a Digest answer needs an issued nonce`() throws {
        let server = try server(
            [.credential("user"), .credential("password", isSecret: true)],
            challenges: [ChallengePattern("digest", statuses: [401], schemes: [ChallengePattern.Scheme("Digest")])],
            fields: [.slot(1), .slot(2)], acquire: [.prompt(0, slots: [1, 2])],
            attach: [.digest(user: .slot(1), password: .slot(2))])
        func answer(_ nonce: String) -> MockRequest {
            let text =
                "Digest username=\"a\", realm=\"r\", nonce=\"\(nonce)\", uri=\"/data\", qop=auth, nc=00000001, "
                + "cnonce=\"c\", response=\"0\""
            return request("/data", with: ["Authorization": text])
        }
        let field = try #require(server.challenge().fields[.wwwAuthenticate])
        let match = try #require(field.firstMatch(of: /nonce="?([^",]+)/))
        #expect(server.admits(answer(String(match.output.1))))
        #expect(!server.admits(answer("forged")))
        #expect(!server.admits(request("/data", with: ["Authorization": "Digest x"])))
    }

    @Test func `a login needs the accepted user name and password`() throws {
        let server = try server(
            [.step("user"), .step("password", isSecret: true), .credential("token", isSecret: true)],
            accepting: ["password": "wonderland"], fields: [.slot(3)],
            acquire: [
                .prompt(0, slots: [1, 2]),
                .http(
                    HTTPCall(
                        "POST", .slot(0, then: "/login"), login: HTTPCall.Login(user: .slot(1), password: .slot(2)),
                        answers: [HTTPCall.Answer(statuses: [200], captures: [.slot(3, from: .json(["/token"]))])])),
            ],
            attach: [.header("X-Session", .slot(3))])
        func login(_ pair: String) -> MockRequest {
            request("/login", .post, with: ["Authorization": "Basic \(Data(pair.utf8).base64EncodedString())"])
        }
        #expect(server.answer(login("alice:wonderland"))?.status == .ok)
        #expect(server.answer(login("alice:looking-glass"))?.status == .badRequest)
        #expect(server.answer(request("/login", .post)) == nil)
    }

    @Test func `an encoded text is that of the known values, and a name in JSON is that of the parameter`() throws {
        let server = try server(
            [
                .parameter("key", isSecret: true), .parameter("factor"), .step("proof", isSecret: true),
                .credential("token", isSecret: true),
            ],
            values: [.secret("kéy"), .text("otp")], fields: [.slot(4)],
            acquire: [
                .compute(slot: 3, .encode([.text("id:"), .slot(1)], as: .base64)),
                .http(
                    HTTPCall(
                        "POST", .slot(0, then: "/login"),
                        headers: [HTTPCall.Member("Authorization", ProgramTemplate(.text("ApiKey "), .slot(3)))],
                        body: .json([.slot(2): .text("a")]),
                        answers: [HTTPCall.Answer(statuses: [200], captures: [.slot(4, from: .json(["/token"]))])])),
            ],
            attach: [.header("X-Session", .slot(4))])
        func login(_ key: String, _ body: String) -> HTTPResponse.Status? {
            server.answer(request("/login", .post, with: ["Authorization": "ApiKey \(key)"], body: body))?.status
        }
        #expect(login("aWQ6a8OpeQ==", #"{"otp":"a"}"#) == .ok)
        #expect(login("aWQ6a8OpeQ", #"{"otp":"a"}"#) == .badRequest)
        #expect(login("aWQ6a8OpeQ==", #"{"factor":"a"}"#) == nil)
    }

    @Test func `a list in JSON must have its items`() throws {
        let server = try server(
            [.credential("token", isSecret: true)], fields: [.slot(1)],
            acquire: [
                .http(
                    HTTPCall(
                        "POST", .slot(0, then: "/login"), body: .json(["methods": [.text("a"), .number("1.0")]]),
                        answers: [HTTPCall.Answer(statuses: [200], captures: [.slot(1, from: .json(["/token"]))])]))
            ],
            attach: [.header("X-Session", .slot(1))])
        func login(_ body: String) -> MockResponse? { server.answer(request("/login", .post, body: body)) }
        #expect(login(#"{"methods":["a",1.0]}"#)?.status == .ok)
        #expect(login(#"{"methods":["a"]}"#) == nil)
        #expect(login(#"{"methods":["a",1,2]}"#) == nil)
        #expect(login(#"{"methods":["b",1]}"#) == nil)
        #expect(login("{}") == nil)
    }

    @Test func `values in XML are compared without their escapes, and can be absent`() throws {
        let server = try server(
            [.step("user"), .step("note"), .credential("token", isSecret: true)], accepting: ["user": "a&'b"], fields: [.slot(3)],
            acquire: [
                .prompt(0, slots: [1]),
                .http(
                    HTTPCall(
                        "POST", .slot(0, then: "/login"),
                        body: .xml(
                            ProgramTemplate(
                                .text("<login><user>"), .slot(1), .text("</user><note>"), .slot(2), .text("</note></login>"))),
                        answers: [HTTPCall.Answer(statuses: [200], captures: [.slot(3, from: .xml("/session/@id"))])])),
            ],
            attach: [.header("X-Session", .slot(3))])
        func login(_ user: String) -> MockResponse? {
            server.answer(request("/login", .post, body: "<login><user>\(user)</user><note></note></login>"))
        }
        #expect(login("a&amp;&#39;b")?.status == .ok)
        #expect(login("b")?.status == .badRequest)
        #expect(login("")?.status == .badRequest)
    }

    @Test func `a response has nothing that must be absent`() throws {
        let bearer = ChallengePattern.Scheme(
            "Bearer", parameters: [ChallengePattern.Named("realm", "a"), ChallengePattern.Named("error", .absent)])
        let server = try server(
            [.credential("token", isSecret: true)],
            challenges: [
                ChallengePattern("expired", statuses: [401], schemes: [bearer]),
                ChallengePattern(
                    "none", statuses: [401],
                    headers: [
                        ChallengePattern.Named("WWW-Authenticate", .absent), ChallengePattern.Named("Cache-Control", .absent),
                    ]),
                ChallengePattern(
                    "page", statuses: [403], json: [ChallengePattern.Named("/flows", .absent)],
                    cookies: .named([ChallengePattern.Named("SID", .absent)])),
                ChallengePattern("fault", statuses: [500], xml: [ChallengePattern.Named("/Envelope/Body", .absent)]),
            ],
            fields: [.slot(1)], acquire: [login(.slot(1, from: .json(["/token"])))], attach: [.header("X-Session", .slot(1))],
            rejections: [RejectionRule(.acquire)])
        #expect(server.challenge(named: "expired").fields[.wwwAuthenticate] == "Bearer realm=\"a\"")
        let none = server.challenge(named: "none")
        #expect(none.status == .unauthorized && none.fields[.wwwAuthenticate] == nil && none.fields[.cacheControl] == nil)
        let page = server.challenge(named: "page")
        #expect(page.status == .forbidden && page.body == Array("{}".utf8) && page.fields[.setCookie] == nil)
        #expect(server.challenge(named: "fault").body == Array("<described/>".utf8))
    }

    @Test func `the challenge leads to a login`() throws {
        let server = try server(
            [.credential("token", isSecret: true)],
            challenges: [
                ChallengePattern("clock", statuses: [400]),
                ChallengePattern("expired", statuses: [401], text: .contains("Expired")),
            ],
            fields: [.slot(1)], acquire: [login(.slot(1, from: .json(["/token"])))], attach: [.header("X-Session", .slot(1))],
            rejections: [RejectionRule(challenge: "clock", .resend, retries: 1), RejectionRule(.acquire)])
        #expect(server.challenge().status == .unauthorized)
        #expect(server.challenge(named: "clock").status == .badRequest)
        #expect(!server.demand("unknown"))
    }
}

/// Texts with gaps.
@Suite struct DescribedTextTests {
    @Test func `values are found between literals`() {
        let text = DescribedText(marked: "a\(DescribedText.mark(1))-\(DescribedText.mark(2))")
        #expect(text.values(in: "ab-c-d") == [1: "b", 2: "c-d"])
        #expect(text.values(in: "a-c") == nil)
        #expect(text.values(in: "a-c", mayBeEmpty: true) == [1: "", 2: "c"])
        #expect(text.values(in: "b-c") == nil)
    }

    @Test func `a repeated slot has one value`() {
        let text = DescribedText(marked: "\(DescribedText.mark(1)).\(DescribedText.mark(1))")
        #expect(text.values(in: "a.b.a.b") == [1: "a.b"])
        #expect(text.values(in: "a.b") == nil)
    }

    @Test(.timeLimit(.minutes(1))) func `many gaps take little time`() {
        let text = DescribedText(marked: (0..<20).map { "\(DescribedText.mark($0))-" }.joined() + "!")
        #expect(text.values(in: String(repeating: "x-", count: 100)) == nil)
        #expect(text.values(in: String(repeating: "x-", count: 20) + "!")?.count == 20)
    }
}
