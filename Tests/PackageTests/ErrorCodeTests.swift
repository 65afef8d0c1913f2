import Foundation
import TestTurns
import Testing

/// The runtime's error has an open set of codes, so the compiler cannot detect codes that no code reaches.
@Suite(.computes) struct `Codes of the runtime's error` {
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
            let expected = "== \\.\(code)\\b|CountersignError\\.Code\\.\(code)\\b|, \\.\(code)\\)|expectError\\(\\.\(code)\\)"
            #expect(tests.contains { $0.text.contains(pattern: expected) }, "no test ends in .\(code)")
        }
    }

    @Test func `every code is thrown by the package and says what to do`() throws {
        let sources = try SourceFiles.swift(under: "Sources")
        let error = try #require(sources.first { $0.path.hasSuffix("/CountersignError.swift") }).text
        let advice = try #require(error.range(of: "public var recoverySuggestion"))
        for code in try codes() {
            let used = "\\.\(code)\\b"
            #expect(error[advice.lowerBound...].contains(pattern: used), "nothing is suggested for .\(code)")
            let thrown = sources.contains { !$0.path.hasSuffix("/CountersignError.swift") && $0.text.contains(pattern: used) }
            #expect(thrown, "nothing throws .\(code)")
        }
    }
}

extension StringProtocol {
    /// Uses Foundation's engine: without optimisation, that of the standard library takes seconds for a whole package.
    fileprivate func contains(pattern: String) -> Bool { range(of: pattern, options: .regularExpression) != nil }
}
