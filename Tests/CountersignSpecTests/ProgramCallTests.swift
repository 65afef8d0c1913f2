import TestTurns
import Testing

@testable import CountersignSpec

/// Requests of a method itself, as the model represents them.
@Suite(.computes) struct ProgramCallTests {
    private typealias Template = ResolvedProgram.Template
    private typealias Capture = ResolvedProgram.Capture

    private static func read(_ program: String = ValidSpec.calls) throws -> ResolvedProgram {
        let reading = SpecReader.read(SpecSources(program: program))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        return try #require(reading.landscape?.programs.first)
    }

    @Test func `prompts and requests are in the order of the file`() throws {
        let program = try Self.read()
        #expect(program.prompts.map { $0.map(\.slot) } == [[8]])
        #expect(program.calls.map(\.method) == [.post, .get])
        if case .prompt = program.acquire.first?.action {} else { Issue.record("the prompt comes first") }
    }

    @Test func `a request has a URL, a query, header fields, a form and a login`() throws {
        let calls = try Self.read().calls
        #expect(calls[0].url == Template(pieces: [.slot(2), .text("/ticket")]))
        #expect(
            calls[0].headers == [
                .init(name: Template(pieces: [.text("Accept")]), value: Template(pieces: [.text("application/json")]))
            ])
        #expect(calls[0].body == .form([.init(name: Template(pieces: [.text("area")]), value: Template(pieces: [.slot(4)]))]))
        #expect(calls[0].login == .init(user: Template(pieces: [.slot(8)]), password: Template(pieces: [.slot(5)])))
        #expect(calls[0].query.isEmpty)
        #expect(calls[1].url == Template(pieces: [.slot(6)]))
        #expect(
            calls[1].query == [
                .init(name: Template(pieces: [.text("scope")]), value: Template(pieces: [.slot(7)])),
                .init(name: Template(pieces: [.text("ticket")]), value: Template(pieces: [.slot(9)])),
            ])
        #expect(calls[1].body == nil && calls[1].login == nil)
    }

    @Test func `answers are patterns with a number for a name`() throws {
        let answers = try Self.read().calls[0].answers
        #expect(answers.map(\.pattern.name.value) == ["answer 1", "answer 2"])
        #expect(answers.map(\.pattern.statuses) == [[200], [401, 403]])
        #expect(answers.map(\.isRefusal) == [false, true])
    }

    @Test func `answers capture fields of the credential`() throws {
        let answers = try Self.read().calls[1].answers
        #expect(
            answers[0].pattern.captures == [
                Capture(slot: 10, source: .json(["/token", "/access_token"]), isOptional: false),
                Capture(slot: 11, source: .json(["/expires_in"]), kind: .duration(unit: 1000), fallback: "60", isOptional: false),
            ])
        #expect(
            answers[1].pattern.captures == [
                Capture(slot: 10, source: .header("X-Token"), isOptional: false),
                Capture(slot: 11, source: .header("X-Lifetime"), kind: .duration(unit: 1000), isOptional: true),
            ])
    }

    @Test func `a challenge's URL has the places that it may lead to`() throws {
        let captures = try Self.read().challenges[0].captures
        #expect(captures.map(\.kind) == [.url(within: [.response, .slot(1), .slot(3)], isLenient: false), .text])
    }

    @Test func `a credential expires after a duration`() throws {
        #expect(try Self.read().credential.lifetime == 11)
        #expect(try Self.read(ValidSpec.program).credential.lifetime == nil)
    }

    @Test func `a field with 'from' is known to every step`() throws {
        let spec = ValidSpec.calls.changing(
            "ticket: { type: string,", to: "area: { type: string, from: \"{area}\", summary: A. }\n    ticket: { type: string,"
        )
        .changing("form: { area: \"{area}\" }", to: "form: { area: \"{credential.area}\" }")
        #expect(
            try Self.read(spec).calls[0].body
                == .form([.init(name: Template(pieces: [.text("area")]), value: Template(pieces: [.slot(9)]))]))
    }

    @Test func `an address that an answer names can be asked next`() throws {
        let spec = ValidSpec.calls
            .changing(
                "ticket: { header: X-Ticket }", to: "ticket: { header: X-Ticket, type: url, within: [\"{request.url.origin}\"] }"
            )
            .changing("GET {challenge.realm}", to: "GET {credential.ticket}")
        let program = try Self.read(spec)
        #expect(program.calls[0].answers[0].pattern.captures.map(\.kind) == [.url(within: [.response], isLenient: false)])
        #expect(program.calls[1].url == Template(pieces: [.slot(9)]))
    }

    @Test(arguments: ["https://login.example/a?b=c", "http://127.0.0.1:8080/", "http://localhost/"])
    func `a URL can stand in the spec`(_ url: String) throws {
        let program = try Self.read(ValidSpec.calls.changing("GET {challenge.realm}", to: "GET \(url)"))
        #expect(program.calls[1].url == Template(pieces: [.text(url)]))
    }

    @Test func `an answer can capture nothing`() throws {
        let spec = ValidSpec.calls.changing(
            "attach:", to: "  - http: { send: \"DELETE {endpoint}\", answers: [{ status: 204 }] }\nattach:")
        let call = try #require(try Self.read(spec).calls.last)
        #expect(call.method == .delete)
        #expect(call.answers.map(\.pattern.captures) == [[]] && call.answers.map(\.isRefusal) == [false])
    }

    @Test(arguments: ["{redirect}?state={state}", "{redirect}?from=app&state={state}&kind=web"])
    func `a state can come back in the query of a URL that a page receives`(_ back: String) throws {
        let page = try Self.read(ValidSpec.pages.changing("state: \"{state}\" }\n", to: "back: \"\(back)\" }\n")).pages.first
        #expect(page?.query.last?.name == Template(pieces: [.text("back")]))
    }

    @Test func `a page has a form with its query, and with values that no URL may have`() throws {
        let form = "      pkce: \"{verifier}\"\n      form: { proof: \"{verifier}\", issuer: \"{issuer?}\" }\n"
        let page = try #require(try Self.read(ValidSpec.pages.changing("      pkce: \"{verifier}\"\n", to: form)).pages.first)
        #expect(page.form.map(\.name) == [Template(pieces: [.text("proof")]), Template(pieces: [.text("issuer")])])
        #expect(page.request.method == .post && page.request.query.isEmpty)
        #expect(page.request.body == .form(page.query + page.form))
        #expect(try Self.read(ValidSpec.pages).pages.first?.request.method == .get)
    }

    @Test func `a DELETE can have a body`() throws {
        let spec = ValidSpec.calls.changing(
            "attach:",
            to: "  - http: { send: \"DELETE {endpoint}\", form: { area: \"{area}\" }, answers: [{ status: 204 }] }\nattach:")
        let area = ResolvedProgram.Member(name: Template(pieces: [.text("area")]), value: Template(pieces: [.slot(4)]))
        #expect(try Self.read(spec).calls.last?.body == .form([area]))
    }

    @Test func `a value is of the item of a list that meets conditions`() throws {
        let spec = ValidSpec.calls.changing(
            "token: { json: [/token, /access_token] }",
            to: """
                token:
                              json: /a/*/token
                              where: { /a/*/site: "{credential.ticket}", /a/*/old: absent, "/a/*/b/*/c": { any-case: d } }
                """)
        let capture = try #require(try Self.read(spec).calls[1].answers[0].pattern.captures.first)
        #expect(
            capture.items == [
                .init(name: "/a/*/site", match: .equals(Template(pieces: [.slot(9)]))), .init(name: "/a/*/old", match: .absent),
                .init(name: "/a/*/b/*/c", match: .anyCase(Template(pieces: [.text("d")]))),
            ])
    }

    @Test(arguments: [
        // The condition is on another list, on the captured value itself, or holds for all items.
        ("/b/*: x", "json: /a/*/id"), ("/a/*/id: present", "json: /a/*/id"), ("/a/*/error: absent", "json: /a/*/id"),
        ("/a/0/url: x", "json: /a/*/id"), ("/a/*/url: x", "json: /a/*/id, where: { /a/*/url: x }"),
    ])
    func `a condition can be on a list of which a value is captured`(_ condition: String, _ capture: String) throws {
        let spec = ValidSpec.calls.changing(
            "- status: 200\n          capture: { ticket: { header: X-Ticket } }",
            to: "- status: 200\n          json: { \(condition) }\n          capture: { ticket: { \(capture) } }")
        #expect(try Self.read(spec).calls[0].answers[0].pattern.captures.count == 1)
    }

    @Test func `an answer after one for the same that demands more is reached`() throws {
        let spec = ValidSpec.calls.changing("- status: 201\n", to: "- status: 200\n")
        #expect(try Self.read(spec).calls[1].answers.map(\.pattern.statuses) == [[200], [200]])
    }
}

/// The texts that messages about requests propose.
@Suite(.computes) struct ProgramCallMessageTests {
    @Test(arguments: [
        (
            "token: { header: X-Token }\n", "",
            "nothing sets 'token' when this answer matches; capture it here, or set it in a later step"
        ),
        (
            "ticket: { header: X-Ticket }", "ticket: { header: X-Ticket, type: url }",
            "a server could name any URL here; list the allowed origins under 'within', such as [\"{request.url.origin}\"]"
        ),
        (
            "{credential.lifetime?}", "{credential.token}",
            "'after' must be a duration, such as '55m', or a whole reference to a field of the credential of type 'duration', such as \"{credential.lifetime}\""
        ),
        (
            "Bearer {credential.token}", "Bearer {credential.lifetime?}",
            "'credential.lifetime' is a duration, not a text; use it under 'expires'"
        ),
        ("ticket: \"{credential.ticket}\"", "ticket: \"{key}\"", "'key' is a secret and would be visible here"),
        (
            "POST {endpoint}/ticket", "GET {endpoint}/ticket",
            "a GET has no body for 'form'; send it with POST or PUT, or write 'query'"
        ),
        ("Accept:", "Content-Type:", "'form' already sets 'Content-Type'"),
        (
            "form: { area: \"{area}\" }", "form: { area: \"{credential.token}\" }",
            "'credential.token' is not set yet; add an earlier step that sets it"
        ),
        (
            "GET {challenge.realm}", "GET {mirror?}",
            "'mirror' may be absent, and a request needs a URL; make it required, or give it a default"
        ),
        (
            "GET {challenge.realm}", "PATCH {challenge.realm}",
            "'send' is GET, POST, PUT or DELETE, a space and a URL, such as 'GET {endpoint}', not 'PATCH {challenge.realm}'"
        ),
        ("GET {challenge.realm}", "GET http://a.example/", "'http:' is not encrypted; write https"),
        (
            "type: duration, default: 60s", "type: duration, default: soon",
            "'soon' is not a duration, such as '250ms', '120s', '5m' or '1h'"
        ),
        (
            "type: duration, default: 60s", "type: duration, unit: min, default: 60s",
            "'unit' is one of 'ms', 's', 'm', 'h', not 'min'"
        ),
        (
            "lifetime: { header: X-Lifetime, type: duration,", "lifetime: { header: X-Lifetime, type: date, unit: ms,",
            "'unit' is only valid for captures of type 'duration'"
        ),
        ("error: server", "error: client", "'error' can only be 'server', not 'client'"),
        (
            "lifetime: { header: X-Lifetime, type: duration,", "lifetime: { header: X-Lifetime,",
            "'lifetime' is a 'duration'; write 'type: duration'"
        ),
    ])
    func `a message says what is wrong and what to write`(_ old: String, _ new: String, _ message: String) {
        let reading = SpecReader.read(SpecSources(program: ValidSpec.calls.changing(old, to: new)))
        #expect(reading.diagnostics.map(\.message).contains(message), "\(DiagnosticRenderer().text(reading.diagnostics))")
    }
}
