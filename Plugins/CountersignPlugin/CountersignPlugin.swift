import Foundation
import PackagePlugin

/// Generates the Swift of a landscape: the YAML files in a target's folder, on top of those of the landscapes that the target
/// depends on.
///
/// All decisions are made by the tool, because SwiftPM does not notice a change of a plugin. The content of a spec is unknown
/// before the build, so there is one output for each file name.
@main struct CountersignPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let dependencies = target.recursiveTargetDependencies.compactMap { $0 as? any SourceModuleTarget }
        let inherited = dependencies.flatMap { Specs.ofLandscape($0.sourceFiles.map(\.url)) }
        let specs = Specs(
            own: Specs.yaml(target.sourceFiles.map(\.url)), inherited: inherited, modules: dependencies.map { $0.moduleName })
        return try specs.commands(
            tool: context.tool(named: "countersign-generator").url, output: context.pluginWorkDirectoryURL, target: target.name)
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension CountersignPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
        var inherited: [URL] = []
        var modules: [String] = []
        for dependency in target.dependencies {
            switch dependency {
            case .target(let target): inherited += Specs.ofLandscape(target.inputFiles.map(\.url))
            case .product(let product):
                let targets = product.targets.flatMap { [$0] + $0.recursiveTargetDependencies }
                    .compactMap { $0 as? any SourceModuleTarget }
                inherited += targets.flatMap { Specs.ofLandscape($0.sourceFiles.map(\.url)) }
                modules += targets.map { $0.moduleName }
            @unknown default: break
            }
        }
        // The dependencies of a target of the project are not known here.
        let hasTargets = target.dependencies.contains { if case .target = $0 { true } else { false } }
        let specs = Specs(
            own: Specs.yaml(target.inputFiles.map(\.url)), inherited: inherited, modules: hasTargets ? nil : modules)
        return try specs.commands(
            tool: context.tool(named: "countersign-generator").url, output: context.pluginWorkDirectoryURL,
            target: target.displayName)
    }
}
#endif
