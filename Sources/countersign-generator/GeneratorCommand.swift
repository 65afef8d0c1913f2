import ArgumentParser
import CountersignGenerator
import CountersignSpec
import Foundation

/// The tool of the plugins. The build plugin runs its default subcommand, the command plugin runs `pages`.
@main struct GeneratorTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "countersign-generator", abstract: "Generates Swift and documentation from the specs of a landscape.",
        subcommands: [GeneratorCommand.self, PagesCommand.self], defaultSubcommand: GeneratorCommand.self)
}

/// The subcommand that the build plugin runs.
struct GeneratorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift",
        abstract: "Generates Swift from the specs of a landscape.",
        discussion: """
            Writes one file for each spec, and only those that have changed; removes nothing. Nothing is written if a spec has an error.

            Exit codes: 0 done, 1 a spec has an error, 64 wrong usage, 70 a defect of this tool, 73 a file could not
            be written.
            """)

    @Option(name: .long, help: ArgumentHelp("The folder to write to; with '--library', the file.", valueName: "path"))
    var output: String

    @Option(
        name: .customLong("base"), parsing: .singleValue,
        help: ArgumentHelp("A spec of a landscape that this one may extend. Repeatable.", valueName: "file"))
    var bases: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A module that the target does not depend on; generated code that imports it is an error. Repeatable.",
            valueName: "module"))
    var lacking: [String] = []

    @Flag(help: "Write one Swift file that contains the specs of any landscapes as text, and generate no code from them.")
    var library = false

    @Option(name: .long, help: "The format of diagnostics on standard error: text or json.")
    var diagnosticsFormat = DiagnosticsFormat.text

    @Argument(help: ArgumentHelp("The landscape's specs.", valueName: "file"))
    var files: [String]

    func run() throws {
        let (sources, unreadable) = SpecSources.load(own: files.sorted(), inherited: bases.sorted())
        if library { return try writeLibrary(of: sources, unreadable) }
        let generation: Generation
        do {
            generation = try LandscapeGenerator().generate(sources, unreadable: unreadable, lacking: Set(lacking))
        } catch let error as RenderingError {
            StandardError.write("countersign-generator: error: \(error)\n")
            throw ExitCode(EX_SOFTWARE)
        }
        StandardError.write(try diagnosticsFormat.render(generation.diagnostics, of: sources))
        guard let files = generation.files else { throw ExitCode.failure }
        do {
            try OutputFolder(URL(filePath: output, directoryHint: .isDirectory)).write(files)
        } catch {
            StandardError.write("\(error)\n")
            throw ExitCode(EX_CANTCREAT)
        }
    }

    private func writeLibrary(of sources: SpecSources, _ unreadable: [Diagnostic]) throws {
        StandardError.write(try diagnosticsFormat.render(unreadable, of: sources))
        guard unreadable.isEmpty else { throw ExitCode.failure }
        let text = SpecLibrary.source(sources.own)
        let file = URL(filePath: output)
        do {
            if (try? String(contentsOf: file, encoding: .utf8)) != text {
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
        } catch {
            StandardError.write("\(file.path): \(error.localizedDescription)\n")
            throw ExitCode(EX_CANTCREAT)
        }
    }
}
