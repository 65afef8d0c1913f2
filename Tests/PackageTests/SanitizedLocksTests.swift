import Foundation
import TestTurns
import Testing

/// Builds with the thread sanitizer replace the module `Synchronization` by one of this package, see `.ci/thread-sanitizer`.
@Suite(.computes) struct `Locks under the thread sanitizer` {
    @Test func `the stand-in for Synchronization has every atomic operation that sources call`() throws {
        let tests = try SourceFiles.swift(under: "Tests")
        let standIn = try #require(tests.first { $0.path == "Tests/ThreadSanitizer/SanitizedLocks.swift" })
        var seen = 0
        for file in try SourceFiles.swift(under: "Sources") where file.imports.contains("Synchronization") {
            for call in file.text.matches(of: #/\.(\w+)\([^()]*\bordering: \./#) {
                seen += 1
                #expect(standIn.text.contains("func \(call.1)("), "\(file.path): \(call.1)")
            }
        }
        #expect(seen > 10, "the operations were not found")
    }
}
