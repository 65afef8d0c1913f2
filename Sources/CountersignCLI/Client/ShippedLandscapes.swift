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
                exit: CommandExit.usage)
        }
        return try DynamicLandscape(SpecSources(own: files, inherited: base(of: files).map(specs) ?? []))
    }

    /// The names of the landscapes that extend no other one.
    static let roots = names.filter { base(of: specs(of: $0)) == nil }

    /// The names of the landscapes that extend another one, each with the name of that one.
    static let extensions: [(name: String, base: String)] = names.compactMap { name in
        base(of: specs(of: name)).map { (name: name, base: $0) }
    }

    /// Returns the landscape in a folder.
    ///
    /// - Parameter base: The folder of the landscape that it extends; `nil` if that landscape comes with the command.
    static func landscape(in folder: String, extending base: String?) throws -> DynamicLandscape {
        let (own, unreadable) = SpecSources.load(own: try yaml(in: folder), inherited: try base.map(yaml) ?? [])
        var sources = own
        if base == nil, let name = self.base(of: own.own) { sources.inherited = specs(of: name) }
        return try DynamicLandscape(sources, unreadable: unreadable)
    }

    /// Returns the landscapes in folders.
    ///
    /// - Parameter base: The folder of a landscape that they extend; `nil` if the extended landscapes come with the command. Of several
    ///   folders, it is for those whose landscape extends the one in it.
    static func landscapes(in folders: [String], extending base: String?) throws -> [DynamicLandscape] {
        guard let base, folders.count > 1 else { return try folders.map { try landscape(in: $0, extending: base) } }
        func name(_ key: String, in folder: String) throws -> String? {
            self.name(key, in: SpecSources.load(own: try yaml(in: folder)).sources.own)
        }
        let extended = try name("landscape", in: base)
        return try folders.map { try landscape(in: $0, extending: name("extends", in: $0) == extended ? base : nil) }
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
    static func base(of files: [SpecFile]) -> String? { name("extends", in: files) }

    /// Returns the name that a key of the landscape's file has; `nil` if there is none.
    private static func name(_ key: String, in files: [SpecFile]) -> String? {
        guard let file = files.first(where: \.isLandscape), case .mapping(let entries, _)? = YAMLValue.read(file).value,
            case .text(let name, _)? = entries.first(where: { $0.key.value == key })?.value
        else { return nil }
        return name
    }
}
