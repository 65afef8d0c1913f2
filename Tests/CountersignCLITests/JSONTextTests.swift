import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

@Suite(.computes) struct JSONTextTests {
    /// U+009B begins a command of terminals, as ESC and a bracket do.
    @Test func `characters of a server's text that a terminal obeys are escaped`() throws {
        let value = ["é": "a\u{1B}[2J\u{7F}\u{9B}2J\u{202E}\u{2028}\u{E0041}\u{1F511}ä"]
        let text = try JSONText.of(value)
        #expect(
            text == #"""
                {
                  "é" : "a\u001b[2J\u007f\u009b2J\u202e\u2028\udb40\udc41🔑ä"
                }
                """#)
        #expect(try JSONDecoder().decode([String: String].self, from: Data(text.utf8)) == value)
    }
}
