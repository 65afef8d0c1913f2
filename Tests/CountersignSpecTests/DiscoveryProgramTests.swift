import TestTurns
import Testing

@testable import CountersignSpec

/// What discoveries become.
@Suite(.takesTurns) struct `Discoveries as programs` {
    private typealias Template = ResolvedProgram.Template

    private func program(_ changes: (String, String)...) throws -> ResolvedProgram {
        let spec = changes.reduce(ValidSpec.enrolment) { $0.changing($1.0, to: $1.1) }
        let reading = SpecReader.read(SpecSources(method: spec))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        return ResolvedProgram(lowering: try #require(reading.landscape?.discoveries.first))
    }

    private func call(_ step: ResolvedProgram.Step) throws -> ResolvedProgram.Call {
        guard case .http(let call) = step.action else { throw Unexpected() }
        return call
    }

    private struct Unexpected: Error {}

    private func slot(_ name: String, of program: ResolvedProgram) throws -> Int {
        try #require(program.slots.firstIndex { $0.name.value == name })
    }

    @Test func `calls go through the session, with pins and a token, and keep what they are asked for`() throws {
        let program = try program()
        let call = try call(program.acquire[0])
        #expect(call.usesSession)
        #expect(call.pins == 0)
        #expect(call.message == "/error/0/text")
        #expect(program.bearer == 1)
        #expect(program.slots[1].isSecret)
        #expect(
            call.headers.map(\.value) == [
                Template(pieces: [.text("application/json")]), Template(pieces: [.text("Bearer "), .slot(1)]),
            ])
        let pattern = try #require(call.answers.first).pattern
        #expect(pattern.statuses == [200, 203])
        #expect(pattern.json == [.init(name: Template(pieces: [.text("")]), match: .present)])
        // For the rounds that follow.
        #expect(
            pattern.captures.last
                == .init(slot: try slot("server.answer", of: program), source: .body, kind: .json, isOptional: true))
        #expect(program.acquire[0].failures.map(\.failure) == [.status, .network, .missing])
        #expect(try self.call(program.acquire[4]).answers[0].pattern.captures.map(\.source) == [.body])
    }

    @Test func `rounds ask and send, then look into the last answer`() throws {
        let program = try program()
        let (answer, given) = (try slot("server.answer", of: program), try slot("user.answers", of: program))
        guard case .steps(let steps) = program.acquire[1].action,
            case .repeat(limit: 3, whileListAt: "/ask", in: answer, let again) = steps[0].action,
            case .ask(let page, of: answer, into: given, within: 90_000) = again[0].action,
            case .compute(_, .texts(in: answer, at: "/names", isOptional: true)) = steps[1].action
        else { throw Unexpected() }
        #expect(page.map(\.text) == ["/ask", "/name"])
        let call = try call(again[1])
        guard case .json(.object(let members)) = call.body else { throw Unexpected() }
        #expect(members.map(\.name) == ["bits", "given", "pause", "session", "unit", "urgent"])
        #expect(members[1].value == .value(given))
        #expect(call.answers[0].pattern.captures.map(\.slot) == [answer])
        #expect(program.acquire[1].failures.map(\.failure) == [.late, .endless, .refused])
    }

    @Test func `a form has the answers beside what it says`() throws {
        let program = try program(
            (
                "json: { session: \"{captured.session}\", unit: \"unit-{unit}\", bits: \"{bits}\", pause: \"{pause} s\", urgent: \"{urgent}\" }\n"
                    + "      values: given\n",
                "form: { session: \"{captured.session}\", bits: \"{bits}\", pause: \"{pause}\", urgent: \"{urgent}\" }\n"
            ))
        guard case .steps(let steps) = program.acquire[1].action, case .repeat(_, _, _, let again) = steps[0].action,
            case .form(let members) = try call(again[1]).body
        else { throw Unexpected() }
        #expect(members.map(\.name.pieces) == ["session", "bits", "pause", "urgent", "*"].map { [.text($0)] })
        #expect(members[4].value.pieces == [.slot(try slot("user.answers", of: program))])
    }

    @Test func `what the identity says is worked out before it is retired, and stands encoded in an address`() throws {
        let program = try program()
        let (identity, serial) = (try slot("credential.identity", of: program), try slot("identity.serial_number", of: program))
        #expect(program.credential.fields.map(\.slot) == [identity])
        guard case .compute(slot: serial, .certificate(.serialNumber(identity))) = program.end[0].action else { throw Unexpected() }
        let server = try slot("server", of: program)
        #expect(
            try call(program.end[1]).url.pieces
                == [.slot(server), .text("/certificates/"), .slot(serial), .text("?by="), .slot(serial)])
    }

    @Test func `a request is made as PEM where that is sent`() throws {
        guard case .compute(_, .certificate(.request)) = try program().acquire[3].action else { throw Unexpected() }
        let program = try program(("{generated.certificate_request_base64}", "{generated.certificate_request}"))
        guard case .steps(let steps) = program.acquire[3].action, case .compute(_, .certificate(.pem)) = steps[1].action else {
            throw Unexpected()
        }
        #expect(program.acquire[3].failures.map(\.failure) == [.name, .key])
    }

    @Test func `what is empty is not sent, but within a longer text`() throws {
        let program = try program(
            ("dns: \"{captured.names}\"", "dns: \"{pins}\""), ("subject: \"CN=user,OU=Sales\"", "subject: \"{captured.names}\""))
        let fillings = program.slots.compactMap(\.filling)
        #expect(fillings.contains { if case .nonempty(let text) = $0 { text.text == "unit-{unit}" } else { false } })
        // One slot for the pins and for the names that are the same.
        #expect(fillings.count { if case .texts = $0 { true } else { false } } == 1)
    }
}
