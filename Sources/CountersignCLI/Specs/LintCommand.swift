import ArgumentParser
import CountersignGenerator
import CountersignSpec

/// Checks specs and reports their mistakes.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Checks the specs of a landscape.",
        discussion: """
            Reports every error of every file in one run, in the format that editors parse. A single file is read together with the \
            others of its folder, and only its own errors are reported.

            Example: countersign lint Specs/SAPMobileServices
            """)

    @Flag(help: "Write the diagnostics to the standard output as JSON.")
    var json = false

    @OptionGroup var specs: SpecArguments

    func run() throws { try run(console: .standard) }

    func run(console: Console) throws {
        let companions = specs.companions
        let (generation, sources) = try specs.generate(with: companions, console: console)
        let others = generation.diagnostics.filter { companions.contains($0.location.file) }
        let diagnostics = generation.diagnostics.filter { !companions.contains($0.location.file) }
        if json {
            try console.print(DiagnosticRenderer.json(diagnostics), terminator: "")
        } else {
            console.show(diagnostics, in: sources)
        }
        let files = Set(others.filter { $0.severity == .error }.map { SpecFile(path: $0.location.file, bytes: []).name }).sorted()
        if !files.isEmpty {
            console.message("check incomplete: errors in \(files.joined(separator: ", ")) may hide errors here")
        }
        if generation.files == nil, files.isEmpty || diagnostics.contains(where: { $0.severity == .error }) {
            throw generation.exit
        }
    }
}
