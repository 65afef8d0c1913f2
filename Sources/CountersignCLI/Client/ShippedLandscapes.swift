import CountersignDynamic
import CountersignSpec
import Foundation

/// The landscapes that come with the command.
enum ShippedLandscapes {
    static let names = Set(ShippedSpecs.files.map(\.landscape)).sorted()

    /// Returns the specs of a landscape; none if the landscape does not come with the command.
    static func specs(of name: String) -> [SpecFile] {
        ShippedSpecs.files.filter { $0.landscape == name }.map {
            SpecFile(path: "\($0.landscape)/\($0.name)", bytes: Array($0.text.utf8))
        }
    }

    /// - Throws: ``CommandProblem``; ``DynamicProblem``.
    static func landscape(named name: String) throws -> DynamicLandscape {
        let files = specs(of: name)
        guard !files.isEmpty else {
            throw CommandProblem(
                "No landscape '\(name)' comes with this command.",
                remedy: "\(CommandProblem.remedy(for: name, among: names)) Others are read from their folder: '--spec FOLDER'.",
                exit: CommandExit.badData)
        }
        return try DynamicLandscape(SpecSources(own: files, inherited: base(of: files).map(specs) ?? []))
    }

    /// The names of the landscapes that extend no other one. A server that an extension recognises is also recognised by the
    /// landscape that it extends.
    static let roots = names.filter { base(of: specs(of: $0)) == nil }

    /// Returns the landscape in a folder.
    ///
    /// - Parameter base: The folder of the landscape that it extends; `nil` if that landscape comes with the command.
    static func landscape(in folder: String, extending base: String?) throws -> DynamicLandscape {
        let (own, unreadable) = SpecSources.load(own: try yaml(in: folder), inherited: try base.map(yaml) ?? [])
        var sources = own
        if base == nil, let name = self.base(of: own.own) { sources.inherited = specs(of: name) }
        return try DynamicLandscape(sources, unreadable: unreadable)
    }

    private static func yaml(in folder: String) throws -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw CommandProblem("There is no folder \(folder), or it cannot be read.", exit: CommandExit.noInput)
        }
        let specs = names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted()
        guard !specs.isEmpty else {
            throw CommandProblem("There are no specs in \(folder).", exit: CommandExit.noInput)
        }
        return specs.map { URL(filePath: folder).appending(path: $0).path(percentEncoded: false) }
    }

    /// Returns the name of the landscape that is extended; `nil` if there is none.
    static func base(of files: [SpecFile]) -> String? {
        guard let file = files.first(where: \.isLandscape), case .mapping(let entries, _)? = YAMLValue.read(file).value,
            case .text(let name, _)? = entries.first(where: { $0.key.value == "extends" })?.value
        else { return nil }
        return name
    }
}
