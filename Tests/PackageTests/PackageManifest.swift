import Foundation

/// The output of `swift package dump-package` for this package: targets, their dependencies and folders.
struct PackageManifest: Decodable {
    struct Target: Decodable {
        let name: String
        let type: String
        let path: String?
        let dependencies: [Dependency]
    }

    /// A dependency: a target of this package, or a product of another.
    struct Dependency: Decodable, Hashable {
        let name: String

        private enum Keys: String, CodingKey { case byName, target, product }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            for key in [Keys.byName, .target, .product] where container.contains(key) {
                var parts = try container.nestedUnkeyedContainer(forKey: key)
                name = try parts.decode(String.self)
                return
            }
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "a dependency of a new kind"))
        }
    }

    /// A product, of which only libraries are used.
    struct Product: Decodable {
        let name: String
        let targets: [String]
        let type: [String: [String]?]
    }

    let name: String
    let targets: [Target]
    let products: [Product]

    /// The targets of libraries, by their names.
    var libraries: [String: Set<String>] {
        Dictionary(products.filter { $0.type.keys.contains("library") }.map { ($0.name, Set($0.targets)) }) { first, _ in first }
    }

    /// The package's own folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the manifest, read once with the toolchain that runs the test, independent of a running build.
    static func load() throws -> PackageManifest { try loaded.get() }

    private static let loaded = Result { try read() }

    private static func read() throws -> PackageManifest {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "countersign-manifest-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let process = Process()
        // For the lock, which the package manager leaves in the folder for temporary files.
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": scratch.path(percentEncoded: false)]) { $1 }
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", root.path(percentEncoded: false), "--scratch-path",
            scratch.path(percentEncoded: false), "dump-package",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode(PackageManifest.self, from: data)
    }

    /// Returns the names of all direct and indirect dependencies of a target.
    func closure(of target: String) -> Set<String> {
        var found: Set<String> = []
        var open = [target]
        while let next = open.popLast() {
            for dependency in targets.first(where: { $0.name == next })?.dependencies ?? []
            where found.insert(dependency.name).inserted {
                open.append(dependency.name)
            }
        }
        return found
    }
}
