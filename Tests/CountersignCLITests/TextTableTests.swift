import Testing

@testable import CountersignCLI

/// Tables that fit a terminal.
@Suite struct TextTableTests {
    private func table(_ rows: [[String]], width: Int = 40) -> [String] {
        TextTable(
            columns: [
                TextTable.Column(title: "name"), TextTable.Column(title: "what", isFlexible: true),
                TextTable.Column(title: "count", isRightAligned: true),
            ], rows: rows, width: width
        ).lines()
    }

    @Test func `a narrow table takes no more than it needs`() {
        #expect(table([["a", "b", "1"]]) == ["name  what  count", "----  ----  -----", "a     b         1"])
    }

    @Test func `the flexible column wraps, and no line is wider than the terminal`() {
        let lines = table([["a", "one two three four five six seven eight", "12"], ["b", String(repeating: "x", count: 60), "3"]])
        #expect(lines.allSatisfy { $0.count <= 40 })
        #expect(lines[2] == "a     one two three four five six     12")
        #expect(lines[3] == "      seven eight")
    }
}
