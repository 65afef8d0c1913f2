import Foundation

/// The files of the package that tests about the package itself need.
struct SourceFiles {
    let path: String
    let text: String

    /// The modules that the file imports.
    var imports: Set<String> { Set(importLines.map(\.module)) }

    /// The modules that the file re-exports.
    var exports: Set<String> { Set(importLines.filter { $0.modifiers.contains("@_exported") }.map(\.module)) }

    private var importLines: [(modifiers: ArraySlice<Substring>, module: String)] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), words[..<index].allSatisfy(Self.isImportModifier),
                let module = words.dropFirst(index + 1).first
            else { return nil }
            return (words[..<index], String(module))
        }
    }

    private static func isImportModifier(_ word: Substring) -> Bool {
        word.hasPrefix("@") || ["public", "package", "internal"].contains(word)
    }

    /// The Swift files under a folder of the package.
    static func swift(under folder: String) throws -> [SourceFiles] {
        try everySwiftFile.get().filter { $0.path.hasPrefix(folder + "/") }
    }

    private static let everySwiftFile = Result {
        try tracked().filter { $0.hasSuffix(".swift") }.map { path in
            SourceFiles(path: path, text: try String(contentsOf: PackageManifest.root.appending(path: path), encoding: .utf8))
        }
    }

    /// Returns the paths of all files of the package except build folders and git's own, relative to its root.
    static func tracked() throws -> [String] { try everyPath.get() }

    private static let everyPath = Result { try walk() }

    private static func walk() throws -> [String] {
        let root = PackageManifest.root.path(percentEncoded: false)
        guard let all = FileManager.default.enumerator(atPath: root) else { return [] }
        var paths: [String] = []
        while let path = all.nextObject() as? String {
            if path == ".git" || path.hasPrefix(".build") || path == ".swiftpm" || path.hasSuffix("/.build")
                || path.hasSuffix("/.swiftpm")
            {
                all.skipDescendants()
            } else {
                paths.append(path)
            }
        }
        return paths.sorted()
    }
}
