import ArgumentParser
import CountersignGenerator
import Foundation

/// Writes the Swift of a landscape's specs to a folder, for packages that keep generated code instead of using the build plugin.
struct GenerateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generates the Swift code of a landscape.",
        discussion: """
            The Swift compiler of the toolchain in PATH parses every generated file before the first one is written: either all of them \
            are Swift, or nothing is written. Files that are up to date are not rewritten.

            Example:
              countersign generate --output Sources/Contoso Specs/Contoso
            """)

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The folder for the files; created if needed.", valueName: "folder"),
        completion: .directory)
    var output: String

    @Flag(help: "Show what would be written, and write nothing.")
    var dryRun = false

    @OptionGroup var specs: SpecArguments

    func validate() throws {
        guard !output.isEmpty else { throw ValidationError("The folder of '--output' has no name.") }
    }

    func run() async throws {
        // The folder of the proof must not remain, nor only a part of the files be written.
        try await Interrupt.run { try await run(console: .standard) { try await CompilerProof().failures(in: $0) } }
    }

    /// - Parameter prove: Returns the syntax errors of the files.
    func run(console: Console, prove: ([GeneratedFile]) async throws -> [ProofFailure]) async throws {
        let (generation, sources) = try specs.generate(console: console)
        console.show(generation.diagnostics, in: sources)
        guard let files = generation.files else { throw generation.exit }
        let failures: [ProofFailure]
        do {
            failures = try await prove(files)
        } catch {
            let failure = ClientFailure(error)
            failure.show(on: console)
            throw failure.exit
        }
        guard failures.isEmpty else {
            for failure in failures { console.message(failure.description) }
            throw CommandExit.defect
        }
        try write(files, console: console)
    }

    private func write(_ files: [GeneratedFile], console: Console) throws {
        let folder = URL(filePath: output, directoryHint: .isDirectory)
        let states = files.map { file in
            let isThere = (try? Data(contentsOf: folder.appending(path: file.name))) == Data(file.text.utf8)
            return "\(isThere ? "unchanged" : dryRun ? "would write" : "written") \(file.name)"
        }
        if !dryRun {
            do {
                try OutputFolder(folder).write(files)
            } catch {
                console.message(error.description)
                throw CommandExit.cannotCreate
            }
        }
        for state in states { try console.print(state) }
    }
}
