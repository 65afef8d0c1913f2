import CountersignSpec
import TestTurns
import Testing

@testable import CountersignGenerator

@Suite(.takesTurns) struct `What cannot become Swift` {
    private let file = FixtureFile(path: "Specs/Test/Test.yaml")

    private func problems(_ change: (inout ResolvedMethod) -> Void) throws -> [String] {
        var method = ResolvedMethod.minimal("Test", file)
        change(&method)
        let landscape = ResolvedLandscape.minimal("Tests", methods: [method])
        switch try LandscapeGenerator().generate(landscape, stems: SpecStems(own: ["Test", "landscape"])) {
        case .success: return []
        case .failure(let problems): return problems.problems.map { "\($0.location.line): \($0.message)" }
        }
    }

    @Test func `names that Swift has not`() throws {
        #expect(try problems { $0.name.value = "a b" }.allSatisfy { $0.hasPrefix("2: 'a b") })
        #expect(
            try problems { $0.parameters?.fields[0].name.value = "self" } == [
                "6: a field cannot be named 'self': Swift uses the name otherwise"
            ])
        #expect(
            try problems { method in
                method.parameters?.fields = [file.field(7, "description", .secret, "S.", example: "x")]
                method.authenticate = []
            } == ["7: a field cannot be named 'description': Swift uses the name otherwise"])
        #expect(
            try problems { $0.errors.cases[0].name.value = "authenticationMethod" } == [
                "11: a case cannot be named 'authenticationMethod': the runtime uses the name otherwise"
            ])
    }

    @Test func `values that are not what their type asks for`() throws {
        for (type, text) in [
            (FieldType.url, "no url"), (.url, "/path"), (.boolean, "yes"), (.integer, "1.5"), (.duration, "5 minutes"),
            (.duration, "s"),
            (.duration, "9223372036854775807d"),
        ] {
            let found = try problems { $0.parameters?.fields.append(file.field(7, "value", type, "V.", default: text)) }
            #expect(found.count == 1 && found[0].hasPrefix("7: '\(text)' is n"), "\(type) \(found)")
        }
    }

    @Test(arguments: [
        "{tenant}/login", "https://{tenant}/login", "https://{tenant}.example/", "login", "{optional}", "{optional}/a",
        "{loginURL}#{tenant}",
        "{missing}", "{settings.x}", "",
    ])
    func `templates that are no URL`(text: String) throws {
        let found = try problems { method in
            method.parameters?.fields += [
                file.field(7, "tenant", .string, "T."), file.field(8, "optional", .url, "O.", optional: true),
            ]
            method.authenticate = [file.present(20, url: text, finish: "{loginURL}")]
        }
        #expect(found.count == 1 && found[0].hasPrefix("20: "), "\(found)")
    }

    @Test func `error cases that carry what nothing gives`() throws {
        #expect(
            try problems { method in
                method.errors.cases = [file.errorCase(11, "failed", "F.", carries: [("status", .integer)])]
                method.afterResend = [.fail(file.at(12, "failed"))]
            } == ["12: 'failed' carries 'status', and nothing here gives a value for it"])
        #expect(try problems { $0.busy = file.at(12, "unknown") } == ["12: 'TestError' has no case 'unknown'"])
        #expect(try problems { $0.invalidArgument = file.at(12, "failed") } == [])
    }

    @Test func `settings that a landscape has not`() throws {
        let found = try problems { $0.parameters?.fromSettings = [] }
        #expect(found == ["5: 'from.settings' needs a landscape with settings"])
    }

    @Test func `the problems of all methods are found in one go`() throws {
        var first = ResolvedMethod.minimal("First", FixtureFile(path: "a.yaml"))
        var second = ResolvedMethod.minimal("Second", FixtureFile(path: "b.yaml"))
        first.errors.cases = []
        second.errors.cases = []
        let landscape = ResolvedLandscape.minimal("Tests", methods: [second, first])
        let result = try LandscapeGenerator().generate(landscape, stems: SpecStems(own: ["First", "Second", "landscape"]))
        let problems = try #require(throws: GenerationProblems.self) { try result.get() }
        #expect(problems.problems.map(\.location.file) == ["a.yaml", "b.yaml"])
    }
}
