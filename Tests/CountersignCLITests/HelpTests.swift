import ArgumentParser
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
}
