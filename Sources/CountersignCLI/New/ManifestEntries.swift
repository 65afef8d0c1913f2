import Countersign
import Foundation

/// The entries for the manifest of a package with a new landscape: the dependency on this package, and the target.
struct ManifestEntries: Encodable {
    let dependency: String
    let target: String

    private static let package = "swift-countersign"

    /// - Parameters:
    ///   - path: The folder of the target; `nil` if SwiftPM finds it by the target's name.
    ///   - products: The products of this package on which the target depends.
    init(target name: String, path: String?, products: [String]) {
        dependency = """
            .package(
                url: "https://github.com/OWNER/\(Self.package)",
                from: "\(CountersignVersion.first)", traits: []),
            """
        let lines = products.map { #"        .product(name: "\#($0)", package: "\#(Self.package)")"# }
        let dependencies = lines.count == 1 ? lines[0] : lines.map { $0 + "," }.joined(separator: "\n")
        let location = path.map { "\n    path: \"\(VisibleText.escaped($0.escapedForQuotes))\"," } ?? ""
        target = """
            .target(
                name: "\(name)",
                dependencies: [
            \(dependencies)
                ],\(location)
                plugins: [
                    .plugin(name: "CountersignPlugin", package: "\(Self.package)")
                ]),
            """
    }

    /// The entries as a part of a manifest.
    var text: String {
        """
        // To 'dependencies' of the package, which needs 'swift-tools-version: 6.2',
        // and on Apple platforms at least 'platforms: [.macOS(.v15), .iOS(.v18)]':
        \(dependency)

        // To 'targets':
        \(target)
        """
    }

    /// Returns the entries and the names of the files as JSON.
    func json(files: [String]) throws -> String {
        struct Report: Encodable {
            let version: Int
            let files: [String]
            let manifest: ManifestEntries
        }
        return try JSONText.of(Report(version: 1, files: files, manifest: self))
    }
}
