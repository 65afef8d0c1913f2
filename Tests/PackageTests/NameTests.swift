import Foundation
import TestTurns
import Testing

@Suite(.computes) struct `Names in the package` {
    @Test func `no two files or folders differ only in case`() throws {
        let paths = try SourceFiles.tracked()
        #expect(paths.count > 50, "the walk found too little")
        let clashes = Dictionary(grouping: paths, by: { $0.lowercased() }).values.filter { $0.count > 1 }
        #expect(clashes.isEmpty, "\(clashes)")
    }

    @Test func `no two targets differ only in case`() throws {
        let names = try PackageManifest.load().targets.map(\.name)
        #expect(Set(names.map { $0.lowercased() }).count == names.count)
    }

    @Test func `no module contains a type of its own name`() throws {
        var count = 0
        for target in try PackageManifest.load().targets where target.type == "regular" {
            let folder = target.path ?? "Sources/\(target.name)"
            for file in try SourceFiles.swift(under: folder) {
                count += 1
                let declared = try Regex("(?m)^\\s*(?:\\w+ )*(?:struct|class|enum|actor|protocol|typealias) \(target.name)\\b")
                #expect(try declared.firstMatch(in: file.text) == nil, "\(file.path)")
            }
        }
        #expect(count > 500, "the walk found too little")
    }

    @Test func `each golden is compiled by the adopter of goldens`() throws {
        let tests = PackageManifest.root.appending(path: "Tests")
        let goldens = try FileManager.default.contentsOfDirectory(atPath: tests.appending(path: "Goldens").path)
        let links = try FileManager.default.contentsOfDirectory(atPath: tests.appending(path: "Adopters/Goldens/Sources").path)
        #expect(links.sorted() == goldens.map { "Golden\($0)" }.sorted())
    }

    @Test func `the top level holds what was agreed and nothing else`() throws {
        let agreed: Set = [
            "Package.swift", "Package.resolved", "Specs", "Plugins", "Sources", "Tests", "Templates", "README.md", "LICENSE",
        ]
        let found = try FileManager.default.contentsOfDirectory(atPath: PackageManifest.root.path(percentEncoded: false))
        #expect(Set(found.filter { !$0.hasPrefix(".") }).subtracting(agreed).isEmpty)
    }
}
