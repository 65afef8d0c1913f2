import Foundation
import TestTurns
import Testing

/// Test names state which row of ``SecurityRow`` they prove, so that a row without a test is detected.
@Suite(.computes) struct `Security rows` {
    /// The names of tests, by the folder that they are in.
    private static func names(in isWanted: (String) -> Bool) throws -> [String] {
        try SourceFiles.swift(under: "Tests").filter { isWanted($0.path) }.flatMap { file in
            file.text.matches(of: #/\bfunc `([^`]+)`|@Test\(\s*"([^"]+)"/#).compactMap { $0.1 ?? $0.2 }.map(String.init)
        }
    }

    /// Returns the numbers of rows in a name.
    private static func numbers(in name: String) -> [String] {
        name.matches(of: #/\b(?:RT-[0-9]+|B[0-9]+)\b/#).map { String($0.0) }
    }

    /// Whether a test proves something of the client, unlike tests of the mock and generated code.
    private static func isOfTheClient(_ path: String) -> Bool {
        !["Tests/CountersignTestingTests/", "Tests/PackageTests/", "Tests/Goldens/"].contains { path.hasPrefix($0) }
    }

    @Test func `each row has a test of the client whose name has its number, or is open with a reason`() throws {
        let names = try Self.names(in: Self.isOfTheClient)
        #expect(names.count > 1_000, "the scan found too little")
        let proven = Set(names.flatMap(Self.numbers))
        for row in SecurityRow.all where SecurityRow.open[row.number] == nil {
            #expect(proven.contains(row.number), "no test proves \(row.number): \(row.requirement)")
        }
        for (number, reason) in SecurityRow.open {
            #expect(!reason.isEmpty)
            #expect(!proven.contains(number), "\(number) has a test and is still listed as open")
        }
    }

    @Test func `no test has the number of a row that is not listed`() throws {
        let listed = Set(SecurityRow.all.map(\.number))
        #expect(listed.count == 77, "RT-01 to RT-50, B1 to B27, each once")
        #expect(SecurityRow.all.count == 77)
        #expect(listed.isSuperset(of: SecurityRow.open.keys))
        for name in try Self.names(in: { $0.hasPrefix("Tests/") }) {
            for number in Self.numbers(in: name) { #expect(listed.contains(number), "\(number): \(name)") }
        }
    }

    @Test func `the guide on security names rows and tests that there are`() throws {
        let guide = "Sources/Countersign/Countersign.docc/Guides/SecurityAndThreatModel.md"
        let text = try String(contentsOf: PackageManifest.root.appending(path: guide), encoding: .utf8)
        let named = Set(Self.numbers(in: text))
        #expect(named.count > 30, "the scan found too little")
        #expect(Set(SecurityRow.all.map(\.number)).isSuperset(of: named))
        let files = Set(try SourceFiles.swift(under: "Tests").compactMap { $0.path.split(separator: "/").last.map(String.init) })
        let suites = text.matches(of: #/`([A-Za-z0-9]+Tests)`/#).map { String($0.1) }
        #expect(!suites.isEmpty, "the scan found too little")
        for name in suites {
            #expect(files.contains("\(name).swift"), "there are no \(name)")
        }
    }

    @Test func `tests of the mock have no row's number`() throws {
        let names = try Self.names(in: { $0.hasPrefix("Tests/CountersignTestingTests/") })
        #expect(names.count > 100, "the scan found too little")
        for name in names {
            #expect(Self.numbers(in: name).isEmpty, "\(name)")
        }
    }
}
