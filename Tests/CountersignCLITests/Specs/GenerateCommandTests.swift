import ArgumentParser
import CountersignProof
import Foundation
import TestTurns
import Testing

import CountersignGenerator
@testable import CountersignCLI

/// From specs to files, as the command does it.
@Suite(.takesTurns) struct GenerateCommandTests {
    private func command(_ folder: SpecFolder, _ specs: String, _ flags: String...) throws -> GenerateCommand {
        try GenerateCommand.parse(["--output", folder.path + "/out", specs] + flags)
    }

    /// The file for each spec of the package.
    private static let files: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: SpecFolder.specs)) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.map { $0.dropLast(5) + ".generated.swift" }.sorted()
    }()

    /// For what ends before or goes on after the proof, which takes most of a run's time.
    private static func unproved(_ files: [GeneratedFile]) -> [ProofFailure] { [] }

    private static func lines(_ word: String) -> String { files.map { "\(word) \($0)\n" }.joined() }

    @Test func `each spec becomes a file, and a second run leaves all as they are`() throws {
        let folder = try SpecFolder()
        let first = RecordedConsole()
        try command(folder, SpecFolder.specs).run(console: first.console)
        #expect(Self.files.contains("SAML.generated.swift"))
        #expect(first.output == Self.lines("written"))
        #expect(first.messages == "")
        #expect(folder.names(in: "out") == Self.files)
        let second = RecordedConsole()
        try command(folder, SpecFolder.specs).run(console: second.console, prove: Self.unproved)
        #expect(second.output == Self.lines("unchanged"))
    }

    @Test func `a dry run says what would be written and writes nothing`() throws {
        let folder = try SpecFolder()
        let recorded = RecordedConsole()
        try command(folder, SpecFolder.specs, "--dry-run").run(console: recorded.console, prove: Self.unproved)
        #expect(recorded.output == Self.lines("would write"))
        #expect(folder.names(in: "out").isEmpty)
    }

    @Test func `nothing is written if one file is not Swift`() throws {
        let folder = try SpecFolder()
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.defect) {
            try command(folder, SpecFolder.specs).run(console: recorded.console) { files in
                prove(files.filter { $0.name.hasPrefix("SAML") }.map { $0.breaking("struct") })
            }
        }
        #expect(recorded.messages.contains("SAML.generated.swift:"))
        #expect(recorded.output == "")
        #expect(folder.names(in: "out").isEmpty)
    }

    @Test func `a mistake in a spec is reported at its place, and nothing is written`() throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs(replacing: "credential:", with: "credentail:")
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.badData) { try command(folder, specs).run(console: recorded.console) }
        let saml = "\(specs)/SAML.yaml"
        #expect(recorded.messages.contains("\(saml):"))
        #expect(recorded.messages.contains("did you mean 'credential'?"))
        #expect(folder.names(in: "out").isEmpty)
    }

    @Test func `a file that cannot be read has an exit status of its own`() throws {
        let folder = try SpecFolder()
        #expect(throws: CommandExit.noInput) {
            try command(folder, folder.path + "/missing.yaml").run(console: RecordedConsole().console)
        }
    }

    @Test func `a folder that cannot be made has an exit status of its own`() throws {
        let folder = try SpecFolder()
        try "".write(toFile: folder.path + "/out", atomically: true, encoding: .utf8)
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.cannotCreate) {
            try command(folder, SpecFolder.specs).run(console: recorded.console, prove: Self.unproved)
        }
        #expect(recorded.messages.contains("cannot be written"))
    }

    @Test func `an extending landscape is generated with its base`() throws {
        let folder = try SpecFolder()
        let contoso = folder.path + "/landscape.yaml"
        try """
        countersign: 2
        landscape: Contoso
        summary: SAP Mobile Services, as Contoso runs it.
        extends: SAPMobileServices

        """.write(toFile: contoso, atomically: true, encoding: .utf8)
        let recorded = RecordedConsole()
        try GenerateCommand.parse(["--output", folder.path + "/out", contoso, "--base", SpecFolder.specs])
            .run(console: recorded.console, prove: Self.unproved)
        #expect(folder.names(in: "out") == Self.files)
        let text = try String(contentsOfFile: folder.path + "/out/landscape.generated.swift", encoding: .utf8)
        #expect(text.contains("public static let contoso"))
    }
}
