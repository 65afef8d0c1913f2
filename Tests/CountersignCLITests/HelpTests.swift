import ArgumentParser
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// The help texts of the commands.
@Suite(.computes) struct HelpTests {
    /// The argument parser breaks longer lines, so that an example could not be copied.
    @Test func `no example is longer than a line of a terminal`() {
        let commands: [any ParsableCommand.Type] = [CountersignCommand.self] + CountersignCommand.configuration.subcommands
        for command in commands {
            let lines = command.configuration.discussion.split(separator: "\n")
            for line in lines where line.hasPrefix(" ") || line.hasPrefix("Example") { #expect(line.count <= 80, "\(line)") }
        }
    }

    @Test func `the commands are in the order of their names`() {
        let names = CountersignCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        #expect(names == names.sorted() && names.count > 10)
    }

    @Test func `a word that is no command has the nearest one`() {
        let problem = CountersignCommand.problem(with: ["logni", "--profile", "notes"])
        #expect(problem?.message == "There is no command 'logni'. Did you mean 'login'?")
        #expect(CountersignCommand.problem(with: ["xyzzy"])?.message == "There is no command 'xyzzy'.")
        #expect(
            CountersignCommand.problem(with: ["help", "logni"])?.message == "There is no command 'logni'. Did you mean 'login'?")
        for arguments in [[], ["--version"], ["help"], ["help", "request"], ["help", "--help"], ["lint", "logni"]] {
            #expect(CountersignCommand.problem(with: arguments) == nil)
        }
    }

    /// `--version` is that of the first release that the README and `countersign new` name.
    @Test func `the version is before the release in the README`() throws {
        let readme = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "README.md")
        let text = try String(contentsOf: readme, encoding: .utf8)
        #expect(text.contains("swift-countersign\", from: \"\(CountersignVersion.first)\""))
        #expect(CountersignCommand.configuration.version == "\(CountersignVersion.first)-dev")
    }
}
