import ArgumentParser
import CountersignGenerator
import CountersignSpec

/// Checks specs and says what is wrong with them.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Checks the specs of a landscape.",
        discussion: """
            Reports every mistake of every file in one run, in the form that editors read.

            Example: countersign lint Specs/SAPMobileServices
            """)

    @Flag(help: "Write the diagnostics to the standard output as JSON.")
    var json = false

    @OptionGroup var specs: SpecArguments

    func run() throws { try run(console: .standard) }

    func run(console: Console) throws {
        let (generation, sources) = try specs.generate(console: console)
        if json {
            try console.print(DiagnosticRenderer.json(generation.diagnostics), terminator: "")
        } else {
            console.show(generation.diagnostics, in: sources)
        }
        if generation.files == nil { throw generation.exit }
    }
}
