import TestTurns
import Testing

@testable import CountersignSpec

/// Operations with parameters and results.
@Suite(.computes) struct `Reading of operations` {
    private static func ask(
        _ changes: KeyValuePairs<String, String> = [:], landscape: String = ValidSpec.coreLandscape
    ) throws -> ResolvedOperation {
        let text = changes.reduce(ValidSpec.question) { $0.changing($1.key, to: $1.value) }
        let reading = SpecReader.read(SpecSources(core: landscape + text, program: ValidSpec.echo))
        return try #require(reading.landscape?.operations.first, "\(DiagnosticRenderer().text(reading.diagnostics))")
    }

    @Test func `an operation has parameters in place of settings, and slots for those that its steps name`() throws {
        let ask = try Self.ask()
        #expect(ask.parameters?.map(\.name.value) == ["server", "key", "hint"])
        #expect(ask.parameters?.map(\.isOptional) == [false, false, true])
        #expect(!ask.usesSettings)
        let version = try #require(ask.versions.first)
        #expect(
            version.program.slots.map(\.name.value) == ["server", "key", "hint", "isGood", "user", "ticket", "until"])
        #expect(version.program.slots.map(\.isSecret) == [false, true, false, false, false, true, false])
        #expect(version.program.slots.map(\.source) == [.parameter, .parameter, .parameter, .step, .step, .step, .step])
        #expect(version.program.calls.first?.url.pieces == [.slot(0), .text("/ask")])
    }

    @Test func `results are in the order of the file, with the slots that steps fill`() throws {
        let ask = try Self.ask()
        #expect(ask.results.map(\.name.value) == ["isGood", "user", "ticket", "until"])
        #expect(ask.results.map(\.type) == [.boolean, .string, .secret, .date])
        #expect(ask.results.map(\.isOptional) == [false, false, true, true])
        #expect(ask.versions.map(\.results) == [[3, 4, 5, 6]])
        let kinds = ask.versions.first?.program.calls.first?.answers.map { $0.pattern.captures.map(\.kind) }
        #expect(kinds == [[.truth, .text, .text, .moment], [.flag(is: "true"), .text]])
        let optional = ask.versions.first?.program.calls.first?.answers.first?.pattern.captures.map(\.isOptional)
        #expect(optional == [false, false, true, true])
    }

    @Test func `a parameter and a result can have one name, and a later step names both`() throws {
        let ask = try Self.ask([
            "hint: { type: string": "user: { type: string", "\"{hint?}\"": "\"{user?}\"",
            "                    user: { header: X-User }\n":
                "                    user: { header: X-User }\n          - http: { send: \"GET {server}\", query: { a: \"{user?}\", b: \"{results.user}\" }, answers: [{ status: 200 }] }\n",
        ])
        let query = try #require(ask.versions.first?.program.calls.last).query
        #expect(query.map(\.value.pieces) == [[.slot(2)], [.slot(4)]])
    }

    @Test func `what a result says can be asked under when`() throws {
        let ask = try Self.ask([
            "                    user: { header: X-User }\n":
                "                    user: { header: X-User }\n          - when: { results.isGood: \"true\", results.ticket: present }\n            http: { send: \"GET {server}\", headers: { X-Ticket: \"{results.ticket}\" }, answers: [{ status: 200 }] }\n"
        ])
        #expect(ask.versions.first?.program.acquire.last?.conditions.map(\.slot) == [3, 5])
    }

    @Test func `the types of an operation are called by its name, or as it says`() throws {
        let ask = try Self.ask()
        #expect(ResolvedOperation.GeneratedType.allCases.map(ask.typeName) == ["AskVersion", "AskParameters", "AskResults"])
        #expect(try Self.ask(["  ask:\n": "  ask:\n    types: Question\n"]).typeName(.results) == "QuestionResults")
    }

    @Test func `steps can name the landscape's settings beside the parameters`() throws {
        let text = ValidSpec.question.changing("\"{hint?}\"", to: "\"{hint?}\", tenant: \"{settings.tenant?}\"")
        let reading = SpecReader.read(SpecSources(landscape: ValidSpec.landscape + text))
        let ask = try #require(reading.landscape?.operations.first, "\(DiagnosticRenderer().text(reading.diagnostics))")
        #expect(ask.usesSettings && ask.parameters?.count == 3)
        #expect(ask.versions.first?.program.slots.prefix(2).map(\.name.value) == ["settings.tenant", "server"])
    }

    @Test func `an operation without parameters has the landscape's settings, and can have results`() throws {
        let operations = ValidSpec.operations
            .changing("ends: user-session", to: "results: { isOver: { type: boolean, summary: A. } }")
            .changing("{ status: 204 }", to: "{ status: 204, capture: { isOver: { header: X-Over, type: boolean } } }")
        let reading = SpecReader.read(SpecSources(landscape: ValidSpec.landscape + operations))
        let logout = try #require(reading.landscape?.operations.first, "\(DiagnosticRenderer().text(reading.diagnostics))")
        #expect(logout.parameters == nil && logout.usesSettings)
        #expect(logout.versions.first?.results == [1])
    }

    @Test func `documents are fetched before the steps that name them`() throws {
        let ask = try Self.ask([
            "    results:\n":
                "    documents: { metadata: { at: [\"{server}/a\"], capture: { place: { json: /a, type: url, within: [\"{server}\"] } } } }\n    results:\n",
            "POST {server}/ask": "POST {metadata.place}",
        ])
        let program = try #require(ask.versions.first?.program)
        #expect(program.documents.map(\.name) == ["metadata"])
        #expect(program.slots.last?.name.value == "metadata.place")
        #expect(program.calls.last?.url.pieces == [.slot(7)])
    }
}
