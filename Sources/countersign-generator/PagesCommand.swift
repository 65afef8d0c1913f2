import ArgumentParser
import CountersignGenerator
import CountersignSpec
import Foundation

/// The subcommand that the command plugin runs for each landscape of a package.
struct PagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pages",
        abstract: "Generates the pages of a landscape's documentation from its specs.",
        discussion: """
            Writes articles of DocC and their pictures into a catalog, and only those that have changed; removes pages that were \
            generated before and belong to no method any more. What is written by hand there stays, and is listed on the root page.

            Exit codes: 0 done, 1 a spec has an error, or with '--check' a page has changed, 64 wrong usage, 70 a defect of this tool, \
            73 a file could not be written.
            """)

    @Option(help: ArgumentHelp("The DocC catalog of the landscape's module.", valueName: "folder"))
    var catalog: String

    @Option(
        name: .customLong("base"), parsing: .singleValue,
        help: ArgumentHelp("A spec of a landscape that this one may extend. Repeatable.", valueName: "file"))
    var bases: [String] = []

    @Option(help: ArgumentHelp("A folder for the code of the pages, each in a file that can be compiled.", valueName: "folder"))
    var snippets: String?

    @Flag(help: "Write nothing; list the pages that are out of date.")
    var check = false

    @Option(name: .long, help: "The format of diagnostics on standard error: text or json.")
    var diagnosticsFormat = DiagnosticsFormat.text

    @Argument(help: ArgumentHelp("The landscape's specs.", valueName: "file"))
    var files: [String]

    func run() throws {
        let (sources, unreadable) = SpecSources.load(own: files.sorted(), inherited: bases.sorted())
        let folder = CatalogFolder(URL(filePath: catalog, directoryHint: .isDirectory))
        let generation: Generation
        let pages: LandscapePages?
        do {
            generation = try LandscapeGenerator().generate(sources, unreadable: unreadable)
            pages = try generation.pages(beside: folder.articles())
        } catch {
            StandardError.write("countersign-generator: error: \(error)\n")
            throw ExitCode(EX_SOFTWARE)
        }
        StandardError.write(try diagnosticsFormat.render(generation.diagnostics, of: sources))
        guard let pages else { throw ExitCode.failure }
        var changed: [String]
        do {
            changed = try folder.update(pages.files, writing: !check)
            if let snippets {
                let code = OutputFolder(URL(filePath: snippets, directoryHint: .isDirectory))
                changed += code.differing(pages.snippets).map { "\(snippets)/\($0.name)" }
                if !check { try code.write(pages.snippets) }
            }
        } catch {
            StandardError.write("\(error)\n")
            throw ExitCode(EX_CANTCREAT)
        }
        if !changed.isEmpty { try show(changed) }
        guard check, !changed.isEmpty else { return }
        StandardError.write(
            "countersign-generator: error: these pages are out of date; run 'swift package countersign documentation'\n"
        )
        throw ExitCode.failure
    }

    /// Writes paths to the standard output, each on one line.
    private func show(_ paths: [String]) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(paths.map { "\($0)\n" }.joined().utf8))
        } catch {
            StandardError.write("\(WriteFailure(path: "standard output", reason: error))\n")
            throw ExitCode(EX_CANTCREAT)
        }
    }
}
