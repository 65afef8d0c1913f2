import ArgumentParser
import CountersignGenerator
import CountersignSpec
import Foundation

/// The specs that a command works with.
struct SpecArguments: ParsableArguments {
    static let baseHelp = ArgumentHelp(
        """
        A spec of the landscape that 'extends' names, or its folder. Repeat it for more. By default, a landscape of that name that \
        comes with the command.
        """, valueName: "path")

    @Option(
        name: .customLong("base"), help: Self.baseHelp,
        completion: .file(extensions: ["yaml", "yml"]))
    var base: [String] = []

    @Argument(
        help: ArgumentHelp("The specs of one landscape, or their folder.", valueName: "path"),
        completion: .file(extensions: ["yaml", "yml"]))
    var files: [String]

    /// Reads the files, checks them, and generates code in memory, so that it finds the same problems as the build plugin's tool.
    ///
    /// - Parameter companions: Further files of the landscape.
    /// - Throws: ``CommandExit/defect`` if a template is invalid.
    func generate(
        with companions: [String] = [], console: Console
    ) throws -> (generation: Generation, sources: SpecSources) {
        try Self.generate(files, with: companions, base: base, console: console)
    }

    /// Reads and generates the landscape of some files and folders. An empty base is that of a landscape that comes with the
    /// command.
    ///
    /// - Throws: ``CommandExit/defect`` if a template is invalid.
    static func generate(
        _ files: [String], with companions: [String] = [], base: [String], console: Console
    ) throws -> (generation: Generation, sources: SpecSources) {
        let (sources, unreadable) = load(files, with: companions, base: base)
        return (try checkingTemplates(console) { try LandscapeGenerator().generate(sources, unreadable: unreadable) }, sources)
    }

    /// Reads the files, checks them, and corrects the mistakes whose messages name one correction. Writes nothing.
    ///
    /// - Parameter companions: Further files of the landscape, which are not corrected.
    /// - Throws: ``CommandExit/defect`` if a template is invalid.
    func repair(with companions: [String], console: Console) throws -> SpecRepair {
        let (sources, unreadable) = Self.load(files, with: companions, base: base)
        return try Self.checkingTemplates(console) {
            let generation = try LandscapeGenerator().generate(sources, unreadable: unreadable)
            return try SpecRepair(sources, unreadable: unreadable, generation: generation, except: companions)
        }
    }

    /// Reads files and folders. An empty base is that of a landscape that comes with the command.
    private static func load(
        _ files: [String], with companions: [String], base: [String]
    ) -> (sources: SpecSources, unreadable: [Diagnostic]) {
        let (own, unreadable) = SpecSources.load(own: named(files) + companions, inherited: named(base))
        var sources = own
        if base.isEmpty, let name = ShippedLandscapes.base(of: own.own) { sources.inherited = ShippedLandscapes.specs(of: name) }
        return (sources, unreadable)
    }

    private static func checkingTemplates<Value>(_ console: Console, _ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch {
            console.message("error: \(error)")
            throw CommandExit.defect
        }
    }

    /// The other files of the landscape, if the given files do not include the `landscape.yaml` that is in their folder.
    var companions: [String] {
        let given = Self.expand(files)
        let folders = Set(given.map { URL(filePath: $0).deletingLastPathComponent().path(percentEncoded: false) })
        guard let folder = folders.first, folders.count == 1 else { return [] }
        let all = Self.expand([folder])
        func hasLandscape(_ paths: [String]) -> Bool { paths.contains { SpecFile(path: $0, bytes: []).isLandscape } }
        guard hasLandscape(all), !hasLandscape(given) else { return [] }
        let names = Set(given.map { URL(filePath: $0).lastPathComponent })
        return all.filter { !names.contains(URL(filePath: $0).lastPathComponent) }
    }

    /// Replaces a folder by its YAML files, and a folder without any by the file that it lacks, so that a message names the folder.
    private static func named(_ paths: [String]) -> [String] {
        paths.flatMap { path in
            let files = expand([path])
            return files.isEmpty ? [path + (path.hasSuffix("/") ? "" : "/") + "landscape.yaml"] : files
        }
    }

    /// Replaces a folder by its YAML files.
    private static func expand(_ paths: [String]) -> [String] {
        paths.flatMap { path -> [String] in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else { return [path] }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            let folder = path.hasSuffix("/") ? path : path + "/"
            return names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted().map { folder + $0 }
        }
    }
}

extension Generation {
    /// The exit status of a command if there are no files.
    var exit: ExitCode {
        diagnostics.contains { $0.code == .unreadableFile } ? CommandExit.noInput : CommandExit.badData
    }
}

extension Console {
    /// Shows diagnostics, in a terminal with their source lines, and the command that shows an example for one.
    func show(_ diagnostics: [Diagnostic], in sources: SpecSources) {
        guard !diagnostics.isEmpty else { return }
        let renderer =
            messages.isTerminal ? DiagnosticRenderer(showing: sources, usesColor: messages.usesColor) : DiagnosticRenderer()
        message(renderer.text(diagnostics) + DiagnosticRenderer.pointer(for: diagnostics), terminator: "")
        if diagnostics.contains(where: { $0.code == .unknownLandscape }) {
            message(
                """
                \(messages.styled("help:", .bold)) Give the folder of the extended landscape with '--base'. These come with the command: \
                \(ShippedLandscapes.names.joined(separator: ", ")).
                """)
        }
    }
}
