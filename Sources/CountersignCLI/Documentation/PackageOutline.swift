/// The output of `swift package describe --type json`, as far as documentation needs it.
struct PackageOutline: Decodable {
    /// A product: its name, its targets, and whether it is a library.
    struct Product: Decodable {
        let name: String
        let targets: [String]
        let isLibrary: Bool

        private enum Key: String, CodingKey { case name, targets, type }
        private enum Kind: String, CodingKey { case library }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            name = try values.decode(String.self, forKey: .name)
            targets = try values.decode([String].self, forKey: .targets)
            isLibrary = try values.nestedContainer(keyedBy: Kind.self, forKey: .type).contains(.library)
        }
    }

    /// A target: its module, its folder relative to that of the package, and the targets that it depends on.
    struct Target: Decodable {
        let name, path, type, moduleName: String
        let dependencies: [String]

        private enum Key: String, CodingKey {
            case name, path, type
            case moduleName = "c99name"
            case dependencies = "target_dependencies"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            name = try values.decode(String.self, forKey: .name)
            path = try values.decode(String.self, forKey: .path)
            type = try values.decode(String.self, forKey: .type)
            moduleName = try values.decode(String.self, forKey: .moduleName)
            dependencies = try values.decodeIfPresent([String].self, forKey: .dependencies) ?? []
        }
    }

    let name, path: String
    let products: [Product]
    let targets: [Target]
}
