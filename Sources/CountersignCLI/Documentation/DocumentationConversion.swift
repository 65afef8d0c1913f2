import Foundation

/// Converts modules to archives, several at once. A module is converted after the modules that it depends on.
struct DocumentationConversion: Sendable {
    let tools: DocumentationTools
    let console: Console
    /// The folders with the symbol graphs, by the module's name.
    let graphs: [String: URL]
    /// The folder in which the archives are written, as `MODULE.doccarchive`.
    let work: URL

    /// Converts the modules.
    ///
    /// The output of DocC for a module is shown when its conversion ends. After a failure, no further conversion begins.
    ///
    /// - Returns: The numbers of warnings, in the order of the modules.
    /// - Throws: ``CommandProblem`` if DocC has found an error, or `CancellationError`.
    func run(_ modules: [DocumentationPlan.Module]) async throws -> [(module: String, count: Int)] {
        var waiting = modules, counts: [String: Int] = [:]
        let width = max(1, ProcessInfo.processInfo.activeProcessorCount)
        try await withThrowingTaskGroup(of: (String, Int).self) { group in
            var running = 0
            func start() {
                while running < width, let next = waiting.firstIndex(where: { $0.dependencies.allSatisfy { counts[$0] != nil } }) {
                    let module = waiting.remove(at: next)
                    running += 1
                    group.addTask { (module.name, try await convert(module)) }
                }
            }
            start()
            while let (name, count) = try await group.next() {
                running -= 1
                counts[name] = count
                console.clearProgress()
                console.message(
                    "[\(counts.count)/\(modules.count)] \(name)\(count == 0 ? "" : ": \(count) \(count == 1 ? "warning" : "warnings")")"
                )
                start()
            }
        }
        return modules.map { ($0.name, counts[$0.name] ?? 0) }
    }

    /// - Returns: The number of warnings.
    private func convert(_ module: DocumentationPlan.Module) async throws -> Int {
        let diagnostics = work.appending(path: "\(module.name).json")
        let outcome = try await ChildProgram(program: tools.docc, arguments: arguments(for: module, diagnostics: diagnostics)).run()
        if !outcome.log.isEmpty {
            console.clearProgress()
            console.message(outcome.log, terminator: outcome.log.hasSuffix("\n") ? "" : "\n")
        }
        guard outcome.status == 0 else {
            throw CommandProblem("The documentation of the module '\(module.name)' has errors.", exit: CommandExit.badData)
        }
        return DoccDiagnostics.warnings(in: (try? Data(contentsOf: diagnostics)) ?? Data())
    }

    /// Returns the arguments of `docc`.
    func arguments(for module: DocumentationPlan.Module, diagnostics: URL) -> [String] {
        func archive(_ name: String) -> String { work.appending(path: "\(name).doccarchive").path }
        var arguments = ["convert"]
        if let catalog = module.catalog { arguments.append(catalog) }
        arguments += ["--fallback-display-name", module.name, "--fallback-bundle-identifier", module.name]
        if let graphs = graphs[module.name] { arguments += ["--additional-symbol-graph-dir", graphs.path] }
        // The names of other modules' types in declarations become links.
        arguments.append("--enable-experimental-external-link-support")
        for dependency in module.dependencies { arguments += ["--dependency", archive(dependency)] }
        return arguments + [
            "--transform-for-static-hosting", "--diagnostics-file", diagnostics.path, "--output-path", archive(module.name),
        ]
    }
}

/// The diagnostics in the file that DocC has written.
enum DoccDiagnostics {
    private struct File: Decodable {
        struct Diagnostic: Decodable { let severity: String }
        let diagnostics: [Diagnostic]
    }

    /// Returns the number of warnings; 0 if the file is not a file of diagnostics.
    static func warnings(in file: Data) -> Int {
        let diagnostics = (try? JSONDecoder().decode(File.self, from: file))?.diagnostics ?? []
        return diagnostics.count { $0.severity == "warning" }
    }
}
