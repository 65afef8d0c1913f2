import ArgumentParser
import Countersign
import CountersignGenerator
import CountersignSpec

/// Checks specs and reports their mistakes.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Checks the specs of a landscape.",
        discussion: """
            Reports every error of every file in one run, in the format that editors parse. A single file is read together with the \
            others of its folder, and only its own errors are reported. With '--fix', a word for which the message names one \
            correction, such as a misspelt key, is replaced in the file; what remains is reported. A reference is replaced only if another \
            place in the file has the suggested name, since otherwise its declaration may be misspelt.

            Examples:
              countersign lint Specs/SAPMobileServices
              countersign lint --fix Specs/SAPMobileServices/SAML.yaml
            """)

    @Flag(help: "Write the diagnostics to the standard output as JSON.")
    var json = false

    @Flag(help: "Correct the words for which a message names one correction, and print the changes.")
    var fix = false

    @OptionGroup var specs: SpecArguments

    func run() throws { try run(console: .standard) }

    func run(console: Console) throws {
        let companions = specs.companions
        let repair = fix ? try specs.repair(with: companions, console: console) : nil
        do { try repair?.write() } catch { try ClientFailure(error).end(on: console, json: json) }
        let (generation, sources) =
            try repair.map { (generation: $0.generation, sources: $0.sources) }
            ?? specs.generate(with: companions, console: console)
        let others = generation.diagnostics.filter { companions.contains($0.location.file) }
        let diagnostics = generation.diagnostics.filter { !companions.contains($0.location.file) }
        if json {
            try console.print(DiagnosticRenderer.json(diagnostics, after: repair?.corrections), terminator: "")
        } else {
            for correction in repair?.corrections ?? [] { try console.print(Self.line(about: correction)) }
            console.show(diagnostics, in: sources)
        }
        if fix {
            let obstacles = Set(sources.own.flatMap { SpecCorrection.obstacles(in: diagnostics, of: $0) })
            for obstacle in SpecCorrection.Obstacle.allCases where obstacles.contains(obstacle) {
                console.message(Self.line(about: obstacle))
            }
        }
        let files = Set(others.filter { $0.severity == .error }.map { SpecFile(path: $0.location.file, bytes: []).name }).sorted()
        if !files.isEmpty {
            console.message("check incomplete: errors in \(files.joined(separator: ", ")) may hide errors here")
        }
        if generation.files == nil, files.isEmpty || diagnostics.contains(where: { $0.severity == .error }) {
            throw generation.exit
        }
    }

    private static func line(about obstacle: SpecCorrection.Obstacle) -> String {
        switch obstacle {
        case .soleReference:
            "a reference was not corrected, because its declaration may be misspelt instead: correct one of them"
        case .nameWithoutBraces:
            """
            a name outside braces was not corrected, because only references in braces are compared, and none has the suggested name: \
            correct the name or its declaration
            """
        case .other: "a reference was not corrected, because its correction is not certain: change it by hand"
        }
    }

    private static func line(about correction: SpecCorrection) -> String {
        let place = correction.location
        return VisibleText.escaped(
            """
            \(place.file):\(place.line):\(place.column): corrected: '\(correction.old)' is now '\(correction.new)' \
            [\(correction.code.rawValue)]
            """)
    }
}
