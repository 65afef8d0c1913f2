import TestTurns
import Testing

@testable import CountersignCLI

/// Text for terminals.
@Suite(.computes) struct TextTableTests {
    @Test func `a column is as wide as its widest cell`() {
        let table = TextTable(
            columns: [TextTable.Column(title: "name"), TextTable.Column(title: "n", isRightAligned: true)],
            rows: [["a", "100"], ["longer", "1"]])
        #expect(table.lines() == ["name      n", "------  ---", "a       100", "longer    1"])
    }

    @Test func `a text breaks between words, and goes on below its begin`() {
        let text = LabelledText(label: "what", text: "one two three four five six")
        #expect(text.lines(textAt: 8, width: 22) == ["  what  one two three", "        four five six"])
        #expect(text.lines(textAt: 8) == ["  what  one two three four five six"])
    }

    @Test func `a word that is longer than a line stays whole`() {
        let word = String(repeating: "x", count: 30)
        #expect(LabelledText(label: "a", text: "b \(word) c").lines(textAt: 4, width: 20) == ["  a b", "    \(word)", "    c"])
    }
}
