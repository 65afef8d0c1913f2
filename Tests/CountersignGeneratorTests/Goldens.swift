import CountersignGenerator
import Foundation
import Testing

/// Compares generated files with those in `Tests/Goldens`.
///
/// `RECORD_GOLDENS=1` rewrites them. The test still fails, so that a recording run is never taken for a passing one.
struct Goldens {
    let folder: URL

    init(_ name: String, file: StaticString = #filePath) {
        folder = URL(filePath: String(describing: file)).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Goldens/\(name)")
    }

    func compare(_ files: [GeneratedFile], sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" {
            try record(files, sourceLocation: sourceLocation)
            return
        }
        let recorded = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        let expected = recorded.filter { $0.hasSuffix(".generated.swift") }.sorted()
        #expect(files.map(\.name).sorted() == expected, "RECORD_GOLDENS=1 writes them anew", sourceLocation: sourceLocation)
        for file in files {
            let url = folder.appending(path: file.name)
            guard let golden = try? String(contentsOf: url, encoding: .utf8), golden != file.text else { continue }
            let difference = Self.firstDifference(golden, file.text)
            Issue.record("\(file.name) differs from its golden: \(difference)", sourceLocation: sourceLocation)
        }
    }

    private func record(_ files: [GeneratedFile], sourceLocation: Testing.SourceLocation) throws {
        guard ProcessInfo.processInfo.environment["CI"] != "true" else {
            Issue.record("goldens are not recorded in CI", sourceLocation: sourceLocation)
            return
        }
        try? FileManager.default.removeItem(at: folder)
        try OutputFolder(folder).write(files)
        Issue.record("recorded \(folder.lastPathComponent); run again without RECORD_GOLDENS", sourceLocation: sourceLocation)
    }

    private static func firstDifference(_ golden: String, _ text: String) -> String {
        let old = golden.split(separator: "\n", omittingEmptySubsequences: false)
        let new = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
        let was = line < old.count ? String(old[line]) : "(end)"
        let found = line < new.count ? String(new[line]) : "(end)"
        return "line \(line + 1)\n- \(was)\n+ \(found)"
    }
}
