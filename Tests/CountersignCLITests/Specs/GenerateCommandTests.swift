import ArgumentParser
import Foundation
import TestTurns
import Testing

import CountersignGenerator
@testable import CountersignCLI

/// The command that generates files from specs.
@Suite(.takesTurns) struct GenerateCommandTests {
    private func command(_ folder: SpecFolder, _ specs: String, _ flags: String...) throws -> GenerateCommand {
        try GenerateCommand.parse(["--output", folder.path + "/out", specs] + flags)
    }

    /// The names of the generated files of the package's specs.
    private static let files: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: SpecFolder.specs)) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.map { $0.dropLast(5) + ".generated.swift" }.sorted()
    }()

    /// A proof without failures, for tests of the steps before and after it.
    private static func unproved(_ files: [GeneratedFile]) -> [ProofFailure] { [] }

    private static func lines(_ word: String) -> String { files.map { "\(word) \($0)\n" }.joined() }

    @Test func `each spec becomes a file, and a second run leaves all as they are`() async throws {
        let folder = try SpecFolder()
        let first = RecordedConsole()
        try await command(folder, SpecFolder.specs).run(console: first.console) { try await CompilerProof().failures(in: $0) }
        #expect(Self.files.contains("SAML.generated.swift"))
        #expect(first.output == Self.lines("written"))
        #expect(first.messages == "")
        #expect(folder.names(in: "out") == Self.files)
        let second = RecordedConsole()
        try await command(folder, SpecFolder.specs).run(console: second.console, prove: Self.unproved)
        #expect(second.output == Self.lines("unchanged"))
    }

    @Test func `a dry run says what would be written and writes nothing`() async throws {
        let folder = try SpecFolder()
        let recorded = RecordedConsole()
        try await command(folder, SpecFolder.specs, "--dry-run").run(console: recorded.console, prove: Self.unproved)
        #expect(recorded.output == Self.lines("would write"))
        #expect(folder.names(in: "out").isEmpty)
    }

    @Test func `nothing is written if one file is not Swift`() async throws {
        let folder = try SpecFolder()
        let recorded = RecordedConsole()
        await #expect(throws: CommandExit.defect) {
            try await command(folder, SpecFolder.specs).run(console: recorded.console) { files in
                try await CompilerProof().failures(in: files.map { $0.name.hasPrefix("SAML.") ? $0.breaking("struct") : $0 })
            }
        }
        #expect(recorded.messages.contains("error: generated code is not valid Swift: "))
        #expect(recorded.messages.hasPrefix("SAML.generated.swift:"))
        #expect(recorded.messages.contains("(template '"))
        #expect(recorded.output == "")
        #expect(folder.names(in: "out").isEmpty)
    }

    @Test func `without a compiler nothing is written, and the message says what to install`() async throws {
        let folder = try SpecFolder()
        let recorded = RecordedConsole()
        await #expect(throws: CommandExit.noInput) {
            try await command(folder, SpecFolder.specs).run(console: recorded.console) { files in
                try await CompilerProof(environment: ["PATH": folder.path]).failures(in: files)
            }
        }
        #expect(recorded.messages.contains("There is no 'swiftc'"))
        #expect(recorded.messages.contains("https://www.swift.org/install"))
        #expect(folder.names(in: "out").isEmpty)
    }

    @Test func `a failure of the compiler has its place in the file`() async throws {
        let file = GeneratedFile(
            name: "SAML.generated.swift", text: "let a = 1\n\nstruct Ü {\n    var b: = 2\n}\n",
            sections: [.init(template: "Header", firstLine: 1), .init(template: "Parameters", firstLine: 3)])
        let failure = try #require(try await CompilerProof().failures(in: [file]).first)
        #expect((failure.line, failure.template, failure.source) == (4, "Parameters", "    var b: = 2"))
        #expect(failure.description.hasPrefix("SAML.generated.swift:4:"))
        #expect(try await CompilerProof().failures(in: [GeneratedFile(name: "a.swift", text: "let a = 1\n")]) == [])
    }

    @Test func `a mistake in a spec is reported at its place, and nothing is written`() async throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs(replacing: "credential:", with: "credentail:")
        let recorded = RecordedConsole()
        await #expect(throws: CommandExit.badData) {
            try await command(folder, specs).run(console: recorded.console, prove: Self.unproved)
        }
        let saml = "\(specs)/SAML.yaml"
        #expect(recorded.messages.contains("\(saml):"))
        #expect(recorded.messages.contains("did you mean 'credential'?"))
        #expect(folder.names(in: "out").isEmpty)
    }

    @Test func `a file that cannot be read has an exit status of its own`() async throws {
        let folder = try SpecFolder()
        await #expect(throws: CommandExit.noInput) {
            try await command(folder, folder.path + "/missing.yaml").run(
                console: RecordedConsole().console, prove: Self.unproved)
        }
    }

    @Test func `a folder that cannot be made has an exit status of its own`() async throws {
        let folder = try SpecFolder()
        try "".write(toFile: folder.path + "/out", atomically: true, encoding: .utf8)
        let recorded = RecordedConsole()
        await #expect(throws: CommandExit.cannotCreate) {
            try await command(folder, SpecFolder.specs).run(console: recorded.console, prove: Self.unproved)
        }
        #expect(recorded.messages.contains("cannot be written"))
    }

    @Test func `an extending landscape is generated with its base`() async throws {
        let folder = try SpecFolder()
        let contoso = folder.path + "/landscape.yaml"
        try """
        countersign: 2
        landscape: Contoso
        summary: SAP Mobile Services, as Contoso runs it.
        extends: SAPMobileServices

        """.write(toFile: contoso, atomically: true, encoding: .utf8)
        let recorded = RecordedConsole()
        try await GenerateCommand.parse(["--output", folder.path + "/out", contoso, "--base", SpecFolder.specs])
            .run(console: recorded.console, prove: Self.unproved)
        #expect(folder.names(in: "out") == Self.files)
        let text = try String(contentsOfFile: folder.path + "/out/landscape.generated.swift", encoding: .utf8)
        #expect(text.contains("public static let contoso"))
    }
}
