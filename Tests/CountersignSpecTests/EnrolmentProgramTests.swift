import TestTurns
import Testing

@testable import CountersignSpec

/// The programs of methods whose credential is for the application.
@Suite(.takesTurns) struct `Enrolments as programs` {
    private typealias Template = ResolvedProgram.Template

    private func method(_ changes: (String, String)...) throws -> ResolvedSurfaceMethod {
        let spec = changes.reduce(ValidSpec.enrolment) { $0.changing($1.0, to: $1.1) }
        let reading = SpecReader.read(SpecSources(method: spec))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        return try #require(reading.landscape?.programMethods.first)
    }

    private struct Unexpected: Error {}

    private func slot(_ name: String, of program: ResolvedProgram) throws -> Int {
        try #require(program.slots.firstIndex { $0.name.value == name })
    }

    @Test func `no request carries what the application takes, and the parameters are the struct's or the class's`() throws {
        let method = try method()
        #expect(method.kind == .application)
        #expect(method.program.credential.isForApplication)
        #expect(method.program.challenges.isEmpty && method.program.attach.isEmpty)
        #expect(method.program.credential.fields.map(\.slot) == [try slot("identity", of: method.program)])
        #expect(method.properties.map(\.name.value) == ["ticket", "note"])
        #expect(method.parameters?.name.value == "EnrolmentParameters")
        #expect(
            method.parameters?.fields.map(\.name.value)
                == ["server", "pins", "groups", "contact", "unit", "room", "hosts", "urgent"])
        #expect(method.parameters?.configuration.map(\.keys).contains(["authority.unit", "unit"]) == true)
    }

    @Test func `requests go through the session, with pins, and keep what they are asked for`() throws {
        let program = try method().program
        let call = try #require(program.acquire[0].call)
        #expect(call.usesSession)
        #expect(call.pins == (try slot("pins", of: program)))
        #expect(call.message == "/error/0/text")
        #expect(call.headers[1].value == Template(pieces: [.text("Bearer "), .slot(try slot("ticket", of: program))]))
        #expect(program.slots[try slot("ticket", of: program)].isSecret)
        #expect(call.answers.map(\.pattern.statuses) == [[200, 203], [200, 203]])
        let page = try #require(call.answers[0].pattern.captures.last)
        #expect(page == .init(slot: try slot("page", of: program), source: .body, kind: .json, isOptional: false))
        #expect(program.acquire[0].failures.map(\.failure) == [.status, .network, .missing])
        #expect(program.acquire[5].call?.answers[0].pattern.captures.map(\.kind) == [.texts])
    }

    @Test func `steps are repeated as long as the server asks, and what a server asks is answered`() throws {
        let program = try method().program
        let (page, given) = (try slot("page", of: program), try slot("given", of: program))
        guard case .repeat(let repetition) = program.acquire[1].action,
            case .ask(let places, of: page, into: given, within: 90_000) = repetition.steps[0].action,
            case .json(.object(let members)) = repetition.steps[1].call?.body
        else { throw Unexpected() }
        let again = repetition.steps
        #expect(repetition.limit == 3 && repetition.interval == nil && repetition.timeout == nil)
        #expect(repetition.conditions == [.init(slot: page, isPresent: true)])
        #expect(places.map(\.text) == ["/ask", "/name"])
        #expect(program.slots[given].isSecret)
        #expect(members.map(\.name.pieces) == ["session", "unit", "note", "given"].map { [.text($0)] })
        #expect(members[3].value == .value(given))
        #expect(again[0].failures.map(\.failure) == [.refused])
        #expect(program.acquire[1].failures.map(\.failure) == [.late, .endless, .status])
    }

    @Test func `a form has the answers beside what it says`() throws {
        let program = try method(
            (
                "json: { session: \"{session}\", unit: \"unit-{unit}\", note: \"{note?}\", given: \"{given}\" }",
                "form: { session: \"{session}\", note: \"{note?}\", \"*\": \"{given}\" }"
            )
        ).program
        guard case .repeat(let repetition) = program.acquire[1].action,
            case .form(let members) = repetition.steps[1].call?.body
        else { throw Unexpected() }
        #expect(members.map(\.name.pieces) == ["session", "note", "*"].map { [.text($0)] })
        #expect(members[2].value.pieces == [.slot(try slot("given", of: program))])
    }

    @Test func `what is lost in steps that run again is absent where they begin`() throws {
        // Each response captures it again, so it is present.
        let program = try method(
            (
                "              - { status: 200, capture: { names: { json: /names, type: texts, optional: true } } }\n",
                "              - { status: 200, capture: { session: { json: /session }, names: { json: /names, type: texts, optional: true } } }\n"
            ),
            (
                "              - { status: 200, json: { /ask: present }, capture: { page: { body: whole, type: json } } }\n",
                "              - { status: 200, json: { /ask: present }, capture: { session: { json: /session }, page: { body: whole, type: json } } }\n"
            )
        ).program
        #expect(program.acquire.count == 7)
    }

    @Test func `the identity's serial number is a segment of a path`() throws {
        let program = try method().program
        let (identity, serial) = (try slot("identity", of: program), try slot("serial", of: program))
        guard case .compute(slot: serial, .certificate(.serialNumber(identity))) = program.end[0].action else { throw Unexpected() }
        #expect(
            program.end[1].call?.url.pieces == [.slot(try slot("server", of: program)), .text("/certificates/"), .slot(serial)])
    }

    @Test func `texts that can be empty are absent then`() throws {
        let program = try method().program
        func filling(_ name: String) throws -> ResolvedProgram.Filling? { program.slots[try slot(name, of: program)].filling }
        guard case .nonempty = try filling("room"), case .texts = try filling("pins"), case .text = try filling("unit") else {
            throw Unexpected()
        }
        let complaint = SpecReader.read(SpecSources(method: ValidSpec.enrolment.changing("{room?}", to: "{room}"))).diagnostics
        #expect(complaint.map(\.code) == [.optionalReference])
    }
}
