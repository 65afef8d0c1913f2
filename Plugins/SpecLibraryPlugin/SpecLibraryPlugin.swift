import Foundation
import PackagePlugin

/// Embeds the specs of this package's landscapes in a target as strings, so that the command has them wherever it is installed.
@main struct SpecLibraryPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Specs")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
            .filter { $0.hasSuffix(".yaml") }.sorted().map { folder.appending(path: $0) }
        let tool = try context.tool(named: "countersign-generator").url
        let output = context.pluginWorkDirectoryURL.appending(path: "ShippedSpecs.swift")
        return [
            .buildCommand(
                displayName: "Collecting the specs of all landscapes", executable: tool,
                arguments: ["--library", "--output", output.path(percentEncoded: false), "--"]
                    + files.map { $0.path(percentEncoded: false) },
                inputFiles: files + [tool], outputFiles: [output])
        ]
    }
}
