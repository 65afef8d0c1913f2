import TestTurns
import Testing

/// Builds with the thread sanitizer replace the module `Synchronization` by `Tests/ThreadSanitizer/SanitizedLocks.swift`.
@Suite(.computes) struct `Locks under the thread sanitizer` {
    @Test func `the module in place of Synchronization has each atomic operation that the package calls`() throws {
        let module = try SourceFiles.swift(under: "Tests/ThreadSanitizer").map(\.text).joined(separator: "\n")
        let declared = Set(module.matches(of: #/\bfunc (\w+)/#).map { String($0.1) })
        var count = 0
        for file in try SourceFiles.swift(under: "Sources") where file.imports.contains("Synchronization") {
            for member in Self.operations(in: file.text) {
                count += 1
                #expect(declared.contains(member), "\(file.path) calls '\(member)', which SanitizedLocks.swift does not declare")
            }
        }
        #expect(count > 10, "the calls were not found")
        // Checks the search itself.
        let text =
            "a.b(c.load(ordering: .relaxed)).store(f(1), ordering: .releasing)\nd.compareExchange(\n    1, successOrdering: .relaxed)"
        #expect(Self.operations(in: text) == ["load", "store", "compareExchange"])
    }

    /// Returns the members that are called with an argument for the memory ordering.
    private static func operations(in text: String) -> [String] {
        text.matches(of: #/\.(\w+)\((?:[^()]|\([^()]*\))*?[oO]rdering: /#).map { String($0.1) }
    }
}
