import Foundation

/// The modules of a package that are documented, in the order of the products that they are in.
struct DocumentationPlan {
    /// A module, and the sources of its documentation besides its symbols.
    struct Module: Hashable {
        let name: String
        /// The path of the module's DocC catalog; `nil` without one.
        let catalog: String?
        /// The documented modules that it depends on, directly or indirectly. Links to their symbols are resolved.
        let dependencies: [String]
    }

    /// The package's name.
    let package: String
    let modules: [Module]

    /// Plans the documentation of the library targets of all library products.
    ///
    /// - Parameters:
    ///   - names: The modules to document; all if it is empty.
    ///   - catalog: Returns the catalog in the folder of a target. The argument is the folder's absolute path.
    /// - Throws: ``CommandProblem``, if there is no such module, or none at all.
    init(
        of outline: PackageOutline, only names: [String] = [],
        catalog: (String) -> String? = DocumentationPlan.catalog(in:)
    ) throws {
        let targets = Dictionary(outline.targets.map { ($0.name, $0) }) { first, _ in first }
        var seen: Set<String> = []
        let all = outline.products.filter(\.isLibrary).flatMap(\.targets).compactMap { name -> PackageOutline.Target? in
            guard let target = targets[name], target.type == "library", seen.insert(name).inserted else { return nil }
            return target
        }
        let known = all.map(\.moduleName)
        guard !known.isEmpty else {
            throw CommandProblem(
                "The package '\(outline.name)' has no library product.",
                remedy: "Only targets of the library products in its Package.swift are documented.",
                exit: CommandExit.badData)
        }
        if let unknown = names.first(where: { !known.contains($0) }) {
            throw CommandProblem(
                "No library product of the package has a module '\(unknown)'.",
                remedy: "There are: \(known.joined(separator: ", ")).",
                exit: CommandExit.usage)
        }
        let chosen = all.filter { names.isEmpty || names.contains($0.moduleName) }
        package = outline.name
        modules = chosen.map { target in
            var reached: Set<String> = [], waiting = target.dependencies
            while let next = waiting.popLast() {
                if reached.insert(next).inserted { waiting += targets[next]?.dependencies ?? [] }
            }
            return Module(
                name: target.moduleName, catalog: catalog(URL(filePath: outline.path).appending(path: target.path).path),
                dependencies: chosen.filter { reached.contains($0.name) }.map(\.moduleName))
        }
    }

    /// Returns the first DocC catalog in a folder or in a folder below it, by the order of their paths.
    static func catalog(in folder: String) -> String? {
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".docc") }.min().map { folder + "/" + $0 }
    }
}
