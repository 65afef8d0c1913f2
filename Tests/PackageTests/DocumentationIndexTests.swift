import Foundation
import TestTurns
import Testing

@Suite(.computes) struct `Documentation that the package index builds` {
    @Test func `the index builds the module of each library product, and no other`() throws {
        let text = try String(contentsOf: PackageManifest.root.appending(path: ".spi.yml"), encoding: .utf8)
        let listed = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .drop { $0 != "documentation_targets:" }.dropFirst().map { String($0.dropFirst(2)) }
        let libraries = try PackageManifest.load().products.filter { $0.type.keys.contains("library") }
        #expect(listed == libraries.map(\.name))
        // A product has the name of the first of its targets, which re-exports the others.
        #expect(libraries.allSatisfy { $0.targets.first == $0.name })
        #expect(listed.first == "Countersign")
    }
}
