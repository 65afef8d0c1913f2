import Foundation

/// The folder of a target, and its path in the package.
struct TargetFolder {
    let url: URL
    /// The target's `path` in the manifest; `nil` if SwiftPM finds the folder by the target's name.
    let manifestPath: String?

    /// The package is the nearest folder above that has a manifest. Without one, it is the current folder, or the folder above if
    /// the target is not below the current one.
    init(_ path: String, ofTarget name: String, current: String = FileManager.default.currentDirectoryPath) {
        let current = URL(filePath: current, directoryHint: .isDirectory).standardizedFileURL
        url = URL(filePath: path, directoryHint: .isDirectory, relativeTo: current).absoluteURL.standardizedFileURL
        let parts = Self.parts(of: url)
        let currentParts = Self.parts(of: current)
        let nearest = (0...parts.count).reversed().first { count in
            let manifest = (parts.prefix(count) + ["Package.swift"]).map { "/" + $0 }.joined()
            return FileManager.default.fileExists(atPath: manifest)
        }
        let count = nearest ?? (parts.starts(with: currentParts) ? currentParts.count : max(0, parts.count - 1))
        let relative = parts.dropFirst(count)
        manifestPath =
            relative.elementsEqual(["Sources", name]) ? nil : relative.isEmpty ? "." : relative.joined(separator: "/")
    }

    private static func parts(of url: URL) -> [String] {
        url.path(percentEncoded: false).split(separator: "/").map(String.init)
    }
}
