import ArgumentParser
import Countersign
import CountersignGenerator
import CountersignSpec
import Foundation

/// Compares two versions of a landscape, and reports the breaking changes.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Reports the breaking changes between two versions of a landscape.",
        discussion: """
            Compares the specs after inheritance, and the Swift code that is generated from them. Each change has an area:
              wire   the requests, and the responses that are recognised
              spec   the names that landscapes, configurations and applications use
              store  stored credentials: users have to sign in once more
              swift  the declarations of the generated code

            The exit status is 1 if a change is breaking. Changes of documentation are counted.

            Examples:
              git worktree add /tmp/old v1.2
              countersign diff /tmp/old/Sources/Library Sources/Library
            """)

    @Option(
        name: .customLong("base"), help: SpecArguments.baseHelp,
        completion: .file(extensions: ["yaml", "yml"]))
    var base: [String] = []

    @Option(
        name: .customLong("old-base"),
        help: ArgumentHelp("The same for the old version. By default that of '--base'.", valueName: "path"),
        completion: .file(extensions: ["yaml", "yml"]))
    var oldBase: [String] = []

    @Flag(help: "Write the changes to the standard output as JSON.")
    var json = false

    @Argument(help: ArgumentHelp("The folder with the specs of the old version.", valueName: "old"), completion: .directory)
    var old: String

    @Argument(help: ArgumentHelp("The folder with the specs of the new version.", valueName: "new"), completion: .directory)
    var new: String

    func run() throws { try run(console: .standard) }

    func run(console: Console) throws {
        try checkFolders(console)
        let before = try SpecArguments.generate([old], base: oldBase.isEmpty ? base : oldBase, console: console)
        let after = try SpecArguments.generate([new], base: base, console: console)
        // The mistakes of both versions are shown before the command ends.
        let unusable = [before, after].filter { $0.generation.files == nil }
        for version in unusable { console.show(version.generation.diagnostics, in: version.sources) }
        if let exit = unusable.first?.generation.exit {
            if json { try console.print(FailureReport.Failure("The specs have errors.", help: nil, said: nil, exit: exit)) }
            throw exit
        }

        let comparison = LandscapeComparison(from: before.generation, to: after.generation)
        if comparison.oldName != comparison.newName {
            let names = [comparison.oldName, comparison.newName].map { "'\(VisibleText.escaped($0))'" }
            console.message(
                "\(console.messages.styled("warning:", .yellow)) the landscapes have different names: "
                    + names.joined(separator: " and "))
        }
        let report = DiffReport(comparison: comparison)
        try console.print(json ? try report.json() : report.text(on: console.output))
        if !comparison.breaking.isEmpty { throw CommandExit.failed }
    }

    private func checkFolders(_ console: Console) throws {
        for path in [old, new] {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else { continue }
            try ClientFailure(
                CommandProblem("'\(path)' is a file: give the folder with the specs of a version.", exit: CommandExit.usage)
            ).end(on: console, json: json)
        }
    }
}
