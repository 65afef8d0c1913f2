import Foundation
import TestTurns
import Testing

/// The runtime's error has an open set of codes, so no compiler says which of them nobody reaches.
@Suite(.takesTurns) struct `Codes of the runtime's error` {
    /// The codes that the source declares.
    private func codes() throws -> [String] {
        let files = try SourceFiles.swift(under: "Sources/Countersign/Errors")
        let source = try #require(files.first { $0.path.hasSuffix("/CountersignError.swift") }).text
        return source.matches(of: #/public static let (\w+) = Code\(rawValue:/#).map { String($0.1) }
    }

    @Test func `every code is expected by a test`() throws {
        let codes = try codes()
        #expect(codes.count > 20)
        let tests = try SourceFiles.swift(under: "Tests").filter { !$0.path.hasPrefix("Tests/Goldens/") }
        for code in codes {
            let expected = try Regex("== \\.\(code)\\b|CountersignError\\.Code\\.\(code)\\b|, \\.\(code)\\)")
            #expect(try tests.contains { try expected.firstMatch(in: $0.text) != nil }, "no test ends in .\(code)")
        }
    }

    @Test func `every code is thrown by the package and says what to do`() throws {
        let sources = try SourceFiles.swift(under: "Sources")
        let error = try #require(sources.first { $0.path.hasSuffix("/CountersignError.swift") }).text
        let advice = try #require(error.range(of: "public var recoverySuggestion"))
        for code in try codes() {
            let used = try Regex("\\.\(code)\\b")
            #expect(try used.firstMatch(in: error[advice.lowerBound...]) != nil, "nothing is suggested for .\(code)")
            let thrown = try sources.contains {
                guard !$0.path.hasSuffix("/CountersignError.swift") else { return false }
                return try used.firstMatch(in: $0.text) != nil
            }
            #expect(thrown, "nothing throws .\(code)")
        }
    }
}
