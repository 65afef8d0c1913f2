import Foundation
import PackagePlugin

/// Generates the Swift of a landscape: the YAML files in a target's folder, on top of those of the landscapes that the target depends on.
///
/// Nothing is decided here. What a spec says is unknown before the build, so there is an output for each file's name; and SwiftPM does not
/// notice when a plugin changes.
@main struct CountersignPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let inherited = target.recursiveTargetDependencies.compactMap { $0 as? any SourceModuleTarget }.flatMap { dependency in
            Specs.ofLandscape(dependency.sourceFiles.map(\.url))
        }
        return try Specs(own: Specs.yaml(target.sourceFiles.map(\.url)), inherited: inherited).commands(
            tool: context.tool(named: "countersign-generator").url, output: context.pluginWorkDirectoryURL, target: target.name)
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension CountersignPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
        let inherited = target.dependencies.flatMap { dependency in
            switch dependency {
            case .target(let target): Specs.ofLandscape(target.inputFiles.map(\.url))
            case .product(let product):
                product.targets.flatMap { [$0] + $0.recursiveTargetDependencies }.compactMap { $0 as? any SourceModuleTarget }
                    .flatMap { Specs.ofLandscape($0.sourceFiles.map(\.url)) }
            @unknown default: []
            }
        }
        return try Specs(own: Specs.yaml(target.inputFiles.map(\.url)), inherited: inherited).commands(
            tool: context.tool(named: "countersign-generator").url, output: context.pluginWorkDirectoryURL,
            target: target.displayName)
    }
}
#endif
