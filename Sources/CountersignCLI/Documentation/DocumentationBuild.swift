import CountersignGenerator
import Foundation

/// Builds one documentation archive of all modules of a package.
struct DocumentationBuild: Sendable {
    /// The result of a build: the converted modules in their order, with the number of warnings of each.
    struct Result: Sendable {
        let package: String
        let warnings: [(module: String, count: Int)]
        /// The path of the archive.
        let archive: String
    }

    /// A folder in the package, or the package's own.
    let packagePath: String
    /// SwiftPM's folder for what it builds; `nil` for `.build` in the package's folder.
    var scratchPath: String?
    /// The modules; all if it is empty.
    var modules: [String] = []
    /// The path of the archive; `nil` for `countersign-docs` in the scratch folder.
    var output: String?
    var warningsAreErrors = false
    let tools: DocumentationTools
    let console: Console

    /// Builds the archive. An existing item at its path is replaced only if it is an archive or an empty folder.
    ///
    /// - Throws: ``CommandProblem``, after the output of the program that has failed; or `CancellationError`.
    func run() async throws -> Result {
        let root = try packageRoot()
        let archive = URL(filePath: output ?? (scratchPath ?? root + "/.build") + "/countersign-docs").path
        try Self.checkPlace(archive)
        let work = FileManager.default.temporaryDirectory.appending(path: "countersign-docs-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        } catch {
            throw CommandProblem(
                "The folder '\(work.path)' cannot be created: \(WriteFailure(path: work.path, reason: error).reason)",
                exit: CommandExit.cannotCreate)
        }
        defer { try? FileManager.default.removeItem(at: work) }

        let plan = try DocumentationPlan(of: try await describe(), only: modules)
        let graphs = try await symbolGraphs(of: plan, in: work)
        let warnings = try await DocumentationConversion(tools: tools, console: console, graphs: graphs, work: work).run(
            plan.modules)
        let count = warnings.map(\.count).reduce(0, +)
        console.message(
            "\(count) \(count == 1 ? "warning" : "warnings") in \(plan.modules.count) \(plan.modules.count == 1 ? "module" : "modules")"
        )
        if warningsAreErrors, count > 0 {
            throw CommandProblem(
                "The documentation has warnings, which '--warnings-as-errors' treats as errors.", exit: CommandExit.badData)
        }
        try await merge(plan, from: work, to: archive)
        return Result(package: plan.package, warnings: warnings, archive: archive)
    }

    /// Returns the folder of the package. It is searched from the given folder upwards, as SwiftPM does.
    private func packageRoot() throws -> String {
        var folder = URL(filePath: packagePath).standardizedFileURL
        while true {
            if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) { return folder.path }
            let parent = folder.deletingLastPathComponent().standardizedFileURL
            guard parent.path != folder.path, folder.path != "/" else { break }
            folder = parent
        }
        throw CommandProblem(
            "There is no Package.swift in '\(packagePath)' or a folder above it.",
            remedy: "Name the folder of the package with '--package-path FOLDER'.", exit: CommandExit.noInput)
    }

    private static func checkPlace(_ archive: String) throws {
        let files = FileManager.default
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: archive, isDirectory: &isFolder) else { return }
        let names = (try? files.contentsOfDirectory(atPath: archive)) ?? []
        guard isFolder.boolValue, names.isEmpty || Set(["metadata.json", "data", "index.html"]).isSubset(of: names) else {
            throw CommandProblem(
                "'\(archive)' is not a documentation archive, and is not replaced.",
                remedy: "Name another folder with '--output FOLDER', or an empty one.", exit: CommandExit.cannotCreate)
        }
    }

    private func package(_ arguments: String...) -> ChildProgram {
        var all = ["package", "--package-path", packagePath]
        if let scratchPath { all += ["--scratch-path", scratchPath] }
        return ChildProgram(program: tools.swift, arguments: all + arguments)
    }

    /// Shows the last line of a running program, truncated to the width of a terminal.
    private func follow(_ line: String) { console.progress(String(line.prefix(72))) }

    private func describe() async throws -> PackageOutline {
        console.progress("reading the package")
        let outcome = try await package("describe", "--type", "json").run(line: follow)
        guard outcome.status == 0 else {
            throw failure("'swift package describe' has failed.", showing: outcome)
        }
        do {
            return try JSONDecoder().decode(PackageOutline.self, from: Data(outcome.output.utf8))
        } catch {
            throw failure("The output of 'swift package describe' cannot be read.", showing: outcome)
        }
    }

    /// Returns the folders with the symbol graphs of each module: its own, and those of its extensions of other modules.
    private func symbolGraphs(of plan: DocumentationPlan, in work: URL) async throws -> [String: URL] {
        let files = FileManager.default
        // The file system's clock may be coarser than this one.
        let begun = Date(timeIntervalSinceNow: -2)
        console.clearProgress()
        console.message("Building the package and its symbol graphs …")
        let outcome = try await package("dump-symbol-graph", "--minimum-access-level", "public").run(line: follow)
        console.clearProgress()
        let mark = "Files written to "
        let written = outcome.log.split(separator: "\n").last { $0.hasPrefix(mark) }
        guard outcome.status == 0, let written else {
            throw failure("'swift package dump-symbol-graph' has failed.", showing: outcome)
        }
        let folder = URL(filePath: String(written.dropFirst(mark.count)))
        // Older files are from an earlier build, for example of an extension that was removed since.
        let names = ((try? files.contentsOfDirectory(atPath: folder.path)) ?? []).filter { name in
            let attributes = try? files.attributesOfItem(atPath: folder.appending(path: name).path)
            return name.hasSuffix(".symbols.json") && (attributes?[.modificationDate] as? Date).map { $0 >= begun } ?? false
        }
        var graphs: [String: URL] = [:]
        for module in plan.modules.map(\.name) {
            let own = names.filter { $0 == "\(module).symbols.json" || $0.hasPrefix("\(module)@") }
            guard own.contains("\(module).symbols.json") else {
                throw failure("There is no symbol graph of the module '\(module)'.", showing: outcome)
            }
            let place = work.appending(path: "graphs/\(module)")
            do {
                try files.createDirectory(at: place, withIntermediateDirectories: true)
                for name in own { try files.copyItem(at: folder.appending(path: name), to: place.appending(path: name)) }
            } catch {
                throw CommandProblem("The symbol graphs of '\(module)' cannot be copied.", exit: CommandExit.cannotCreate)
            }
            graphs[module] = place
        }
        return graphs
    }

    private func merge(_ plan: DocumentationPlan, from work: URL, to archive: String) async throws {
        console.progress("merging")
        let merged = work.appending(path: "merged")
        let outcome = try await ChildProgram(
            program: tools.docc,
            arguments: ["merge"] + plan.modules.map { work.appending(path: "\($0.name).doccarchive").path }
                + [
                    "--synthesized-landing-page-name", plan.package, "--synthesized-landing-page-topics-style", "list",
                    "--output-path", merged.path,
                ]
        ).run()
        guard outcome.status == 0 else { throw failure("'docc merge' has failed.", showing: outcome) }
        let files = FileManager.default
        do {
            try Self.leadOn(merged.appending(path: "index.html"))
            try Self.set(merged.appending(path: "theme-settings.json"))
            try files.createDirectory(
                at: URL(filePath: archive).deletingLastPathComponent(), withIntermediateDirectories: true)
            if files.fileExists(atPath: archive) { try files.removeItem(atPath: archive) }
            do {
                try files.moveItem(atPath: merged.path, toPath: archive)
            } catch {
                // An item cannot be moved to another volume.
                try files.copyItem(atPath: merged.path, toPath: archive)
            }
        } catch {
            throw CommandProblem(
                "The archive '\(archive)' cannot be written: \(WriteFailure(path: archive, reason: error).reason)",
                exit: CommandExit.cannotCreate)
        }
        console.clearProgress()
    }

    /// Adds a script to the page at the root of an archive, which DocC leaves empty. The script redirects to the page of all
    /// modules.
    private static func leadOn(_ page: URL) throws {
        let text = try String(contentsOf: page, encoding: .utf8)
        let script = "<script>if (location.pathname === baseUrl) location.replace(baseUrl + \"documentation/\")</script>"
        let mark = "<script>var baseUrl = \"/\"</script>"
        try text.replacing(mark, with: mark + script).write(to: page, atomically: true, encoding: .utf8)
    }

    /// Writes the settings that DocC's pages request. With them, 80 columns of code fit beside both navigators in a window of
    /// 1300 pixels.
    private static func set(_ settings: URL) throws {
        guard !FileManager.default.fileExists(atPath: settings.path) else { return }
        try #"{"theme": {"code-block-style-elements-padding": "8px 6px"}}"#.write(to: settings, atomically: true, encoding: .utf8)
    }

    private func failure(_ text: String, showing outcome: ChildProgram.Outcome) -> CommandProblem {
        console.clearProgress()
        console.message(outcome.log, terminator: outcome.log.hasSuffix("\n") || outcome.log.isEmpty ? "" : "\n")
        return CommandProblem(text, exit: CommandExit.badData)
    }
}
