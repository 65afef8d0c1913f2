import Foundation
import PackagePlugin

/// Generates the pages of landscapes: `swift package countersign documentation`.
///
/// Each target with a `landscape.yaml` gets its pages in its DocC catalog, `Module.docc` in the target's folder. All decisions
/// are made by the tool.
@main struct DocumentationPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var arguments = ArgumentExtractor(arguments)
        let check = arguments.extractFlag(named: "check") > 0
        let snippets = arguments.extractOption(named: "snippets").last
        let names = Set(arguments.extractOption(named: "target"))
        guard arguments.remainingArguments == ["documentation"] else { throw Usage() }
        let tool = try context.tool(named: "countersign-generator").url
        let landscapes = context.package.targets.compactMap { $0 as? any SourceModuleTarget }
            .filter { !Landscape.specs(of: $0).isEmpty && (names.isEmpty || names.contains($0.name)) }
        if landscapes.isEmpty {
            Diagnostics.error(names.isEmpty ? "no target has a landscape.yaml" : "no such target has a landscape.yaml")
        }
        for target in landscapes {
            var options = ["pages", "--catalog", Landscape.catalog(of: target).path(percentEncoded: false)]
            let inherited = target.recursiveTargetDependencies.compactMap { $0 as? any SourceModuleTarget }
                .flatMap { Landscape.specs(of: $0) }
            options += Set(inherited).map { $0.path(percentEncoded: false) }.sorted().flatMap { ["--base", $0] }
            if let snippets {
                options += ["--snippets", context.package.directoryURL.appending(path: snippets).path(percentEncoded: false)]
            }
            if check { options.append("--check") }
            let process = Process()
            process.executableURL = tool
            process.arguments = options + ["--"] + Landscape.specs(of: target).map { $0.path(percentEncoded: false) }.sorted()
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus != 0 { Diagnostics.error("\(target.name): its pages could not be generated") }
        }
    }
}

/// A target with specs.
private enum Landscape {
    /// Returns the YAML files of a target if it is a landscape; none otherwise.
    static func specs(of target: any SourceModuleTarget) -> [URL] {
        let files = target.sourceFiles.map(\.url).filter { ["yaml", "yml"].contains($0.pathExtension) }
        return files.contains { $0.deletingPathExtension().lastPathComponent.lowercased() == "landscape" } ? files : []
    }

    /// Returns the existing catalog of a target, or the default one.
    static func catalog(of target: any SourceModuleTarget) -> URL {
        let folder = target.directoryURL
        let entries = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return entries.first { $0.pathExtension == "docc" } ?? folder.appending(path: "\(target.moduleName).docc")
    }
}

private struct Usage: Error, CustomStringConvertible {
    let description = """
        usage: swift package [--allow-writing-to-package-directory] countersign documentation [--check] [--target NAME] [--snippets FOLDER]
        """
}
