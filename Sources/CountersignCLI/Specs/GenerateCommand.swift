import ArgumentParser
import CountersignGenerator
import CountersignProof
import CountersignSpec
import Foundation

/// Writes the Swift of a landscape's specs to a folder, for packages that keep generated code instead of using the build plugin.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generates the Swift of a landscape.",
        discussion: """
            Every generated file is parsed by swift-syntax before the first one is written: either all of them are Swift, or nothing is
            written. Files that are already as they should be keep their date.

            Example: countersign generate --output Sources/Contoso Specs/Contoso --base Specs/SAPMobileServices
            """)

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The folder for the files; made if needed.", valueName: "folder"),
        completion: .directory)
    var output: String

    @Flag(help: "Say what would be written, and write nothing.")
    var dryRun = false

    @OptionGroup var specs: SpecArguments

    func run() throws { try run(console: .standard) }

    /// - Parameter prove: Finds the places where a file is not Swift.
    func run(console: Console, prove: ([GeneratedFile]) -> [ProofFailure] = CountersignProof.prove) throws {
        let (reading, sources) = specs.read()
        console.show(reading.diagnostics, in: sources)
        guard let landscape = reading.landscape else { throw reading.exit }
        let files = try generate(landscape, sources: sources, console: console)
        let failures = prove(files)
        guard failures.isEmpty else {
            for failure in failures { console.messages.print(failure.description) }
            throw CommandExit.defect
        }
        try write(files, console: console)
    }

    private func generate(_ landscape: ResolvedLandscape, sources: SpecSources, console: Console) throws -> [GeneratedFile] {
        let stems = SpecStems(own: sources.own.map(\.path), inherited: sources.inherited.map(\.path))
        do {
            return try LandscapeGenerator().generate(landscape, stems: stems).get()
        } catch let error as GenerationProblems {
            for problem in error.problems {
                let place = problem.location
                console.messages.print("\(place.file):\(place.line):\(place.column): error: \(problem.message)")
            }
            throw CommandExit.badData
        } catch {
            console.messages.print("error: \(error)")
            throw CommandExit.defect
        }
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
                console.messages.print(error.description)
                throw CommandExit.cannotCreate
            }
        }
        for state in states { console.output.print(state) }
    }
}
