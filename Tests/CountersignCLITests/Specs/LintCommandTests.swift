import ArgumentParser
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// Checking specs without generating.
@Suite(.takesTurns) struct LintCommandTests {
    @Test func `specs without mistakes leave nothing to say`() throws {
        let recorded = RecordedConsole()
        try LintCommand.parse([SpecFolder.specs]).run(console: recorded.console)
        #expect(recorded.output == "")
        #expect(recorded.messages == "")
    }

    @Test func `every mistake is a line that editors read`() throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs(replacing: "credential:", with: "credentail:")
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.badData) { try LintCommand.parse([specs]).run(console: recorded.console) }
        #expect(recorded.output == "")
        #expect(recorded.messages.contains(/SAML\.yaml:\d+:\d+: error: .*\[CS\d{4}\]/))
    }

    @Test func `a spec that ends in yml is a spec like any other`() throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs(replacing: "credential:", with: "credentail:")
        try FileManager.default.moveItem(atPath: specs + "/SAML.yaml", toPath: specs + "/SAML.yml")
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.badData) { try LintCommand.parse([specs]).run(console: recorded.console) }
        #expect(recorded.messages.contains(/SAML\.yml:\d+:\d+: error: .*\[CS\d{4}\]/))
    }

    @Test func `a file that is given alone is checked with the others of its folder`() throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs(replacing: "credential:", with: "credentail:")
        let sound = RecordedConsole()
        try LintCommand.parse([specs + "/OTP.yaml"]).run(console: sound.console)
        #expect(sound.output == "")
        #expect(sound.messages == "check incomplete: errors in SAML.yaml may hide errors here\n")
        let broken = RecordedConsole()
        #expect(throws: CommandExit.badData) { try LintCommand.parse([specs + "/SAML.yaml"]).run(console: broken.console) }
        #expect(
            broken.messages.contains(
                /^[^\n]*SAML\.yaml:\d+:\d+: error: [^\n]*\[CS0201\]\nFor [^\n]*: countersign explain CS0201\n$/))
    }

    @Test func `the last line names the command that shows an example, once`() throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs(replacing: "credential: { cookies: shared }", with: "credential: { cookie: shared }")
        let recorded = RecordedConsole(isTerminal: true)
        #expect(throws: CommandExit.badData) { try LintCommand.parse([specs]).run(console: recorded.console) }
        let lines = recorded.messages.split(separator: "\n")
        #expect(lines.filter { $0.contains("countersign explain") }.count == 1)
        #expect(lines.last?.hasPrefix("For ") == true)
    }

    @Test func `the folder of an extended landscape has an option`() throws {
        let folder = try SpecFolder()
        let landscape = folder.path + "/landscape.yaml"
        try "countersign: 2\nlandscape: Mine\nextends: Yours\nsummary: Mine.\n"
            .write(toFile: landscape, atomically: true, encoding: .utf8)
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.badData) { try LintCommand.parse([folder.path]).run(console: recorded.console) }
        #expect(recorded.messages.contains("landscape.yaml:3:10: error: there is no landscape 'Yours'"))
        #expect(recorded.messages.contains("\nhelp: Give the folder of the extended landscape with '--base'. These come with "))
    }

    @Test func `a folder that is not there is one mistake, not two`() throws {
        let folder = try SpecFolder()
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.noInput) { try LintCommand.parse([folder.path + "/absent"]).run(console: recorded.console) }
        #expect(recorded.messages.split(separator: "\n").filter { $0.contains("error: ") }.count == 1)
    }

    @Test func `a folder without specs is named, also beside another one`() throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs()
        let empty = folder.path + "/empty"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        for arguments in [[empty], [empty + "/"], [specs, empty], [specs, "--base", empty]] {
            let recorded = RecordedConsole()
            #expect(throws: CommandExit.noInput) { try LintCommand.parse(arguments).run(console: recorded.console) }
            let mistakes = recorded.messages.split(separator: "\n").filter { $0.contains("error: ") }
            #expect(mistakes == ["\(empty)/landscape.yaml:1:1: error: the file cannot be read [CS0101]"])
        }
    }

    @Test func `as JSON the mistakes are data`() throws {
        let folder = try SpecFolder()
        let specs = try folder.copySpecs(replacing: "credential:", with: "credentail:")
        let recorded = RecordedConsole()
        #expect(throws: CommandExit.badData) { try LintCommand.parse([specs, "--json"]).run(console: recorded.console) }
        #expect(recorded.messages == "")
        let object = try JSONSerialization.jsonObject(with: Data(recorded.output.utf8)) as? [String: Any]
        #expect((object?["diagnostics"] as? [Any])?.isEmpty == false)
    }
}
