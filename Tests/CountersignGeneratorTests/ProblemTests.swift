import CountersignSpec
import Foundation
import TestTurns
import Testing

@testable import CountersignGenerator
@testable import CountersignSpec

/// The problems that the generator itself finds, independent of the reader.
@Suite(.computes) struct `What cannot become Swift` {
    /// Makes a field at the location of the method's own, which is optional if it has no default.
    private func field(_ name: String, _ type: FieldType, default text: String? = nil) -> ResolvedField {
        let place = SourceLocation(file: "Specs/Minimal/Test.yaml", line: 5, column: 3)
        return ResolvedField(
            name: Located(name, at: place), type: type, documentation: Documentation(summary: "A value."), isOptional: text == nil,
            defaultText: text.map { Located($0, at: place) }, example: nil)
    }

    private func problems(_ change: (inout ResolvedLandscape) -> Void) throws -> [String] {
        var landscape = try ResolvedLandscape.minimal("Test")
        change(&landscape)
        switch try LandscapeGenerator().generate(landscape, stems: SpecStems(own: ["Test", "landscape"])) {
        case .success: return []
        case .failure(let problems): return problems.problems.map { "\($0.location.line): \($0.message)" }
        }
    }

    @Test func `the build plugin knows every module that generated code may import`() throws {
        // A plugin cannot import the generator's modules, so it has its own list.
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Plugins/CountersignPlugin/Specs.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        let list = try #require(text.firstMatch(of: /let runtime = \[(?<names>[^\]]*)\]/))
        let names = list.names.matches(of: /"(\w+)"/).map { String($0.1) }
        let modules = ["Countersign", "CountersignFoundation"] + ProgramTool.Module.allCases.map(\.rawValue)
        #expect(Set(names) == Set(modules))
    }

    @Test func `names that Swift has not`() throws {
        let names = try problems { $0.method.program.name.value = "a b" }
        #expect(!names.isEmpty && names.allSatisfy { $0.hasPrefix("2: 'a b") })
        #expect(
            try problems { $0.method.parameters?.fields[0].name.value = "self" }.contains(
                "5: a field cannot be named 'self', because Swift uses the name"))
        #expect(
            try problems { landscape in
                landscape.method.parameters?.fields[0].name.value = "description"
                landscape.method.parameters?.fields[0].type = .secret
            }.contains("5: a field cannot be named 'description', because Swift uses the name"))
        #expect(
            try problems { $0.method.program.errors[0].cases[0].name.value = "authenticationMethod" } == [
                "11: a case cannot be named 'authenticationMethod', because the runtime uses the name"
            ])
        #expect(try problems { $0.method.parameters?.name.value = "no type" }.allSatisfy { $0.contains("'no type'") })
    }

    @Test(arguments: [
        (FieldType.url, "no url"), (.url, "/path"), (.boolean, "yes"),
    ])
    func `values that are not what their type asks for`(type: FieldType, text: String) throws {
        let found = try problems { landscape in
            landscape.method.parameters?.fields.append(field("value", type, default: text))
        }
        #expect(found.count == 1 && found[0].hasPrefix("5: '\(text)' is n"), "\(found)")
    }

    @Test(arguments: [FieldType.origins, .requestHandler])
    func `values that no spec can write`(type: FieldType) throws {
        let found = try problems { landscape in
            landscape.method.parameters?.fields.append(field("value", type, default: "text"))
        }
        #expect(found.count == 1 && found[0].hasSuffix(" cannot be written in a spec"), "\(found)")
    }

    @Test(
        arguments: [
            [.settings("tenant", .string), .text("/login")], [.text("https://"), .settings("tenant", .string), .text("/login")],
            [.text("https://"), .settings("tenant", .string), .text(".example/")], [.text("login")], [.settings("optional", .url)],
            [.settings("optional", .url), .text("/a")], [.settings("serverURL", .url), .text("#"), .settings("tenant", .string)],
            [.settings("missing", .url)], [.parameter("loginURL", .url)], [],
        ] as [[ResolvedTemplate.Piece]])
    func `templates that are no URL`(pieces: [ResolvedTemplate.Piece]) throws {
        let found = try problems { landscape in
            landscape.settings?.fields += [field("tenant", .string, default: "contoso"), field("optional", .url)]
            landscape.method.parameters?.fromSettings?[0].template.pieces = pieces
        }
        #expect(found.count == 1 && found[0].hasPrefix("5: "), "\(found)")
    }

    @Test func `error cases that carry what nothing gives`() throws {
        #expect(
            try problems { landscape in
                let place = landscape.method.program.errors[0].cases[0].name.location
                landscape.method.program.errors[0].cases[0].carries = [(label: Located("number", at: place), type: .integer)]
            } == ["9: 'failed' carries 'number', but there is no value for it here"])
        #expect(
            try problems { $0.method.program.rejections[0].error?.value = "unknown" } == ["9: 'TestError' has no case 'unknown'"])
        #expect(try problems { $0.method.program.errors[0].cases = [] }.contains("10: 'TestError' needs a case"))
    }

    @Test func `a function that has to be given where a file is read`() throws {
        let found = try problems { landscape in
            var handler = field("handler", .requestHandler)
            handler.isOptional = false
            landscape.method.parameters?.fields.append(handler)
            landscape.method.parameters?.fromSettings = nil
        }
        #expect(found.contains { $0.contains("the function 'handler' cannot be read from a file") }, "\(found)")
    }

    @Test func `settings that a landscape has not`() throws {
        #expect(try problems { $0.settings = nil } == ["2: 'from.settings' needs a landscape with settings"])
    }

    @Test func `the problems of all methods are found in one go`() throws {
        var landscape = try ResolvedLandscape.minimal("First", "Second")
        for index in landscape.programMethods.indices { landscape.programMethods[index].program.errors[0].cases = [] }
        let result = try LandscapeGenerator().generate(landscape, stems: SpecStems(own: ["First", "Second", "landscape"]))
        let problems = try #require(throws: GenerationProblems.self) { try result.get() }
        #expect(Set(problems.problems.map(\.location.file)) == ["Specs/Minimal/First.yaml", "Specs/Minimal/Second.yaml"])
    }
}
