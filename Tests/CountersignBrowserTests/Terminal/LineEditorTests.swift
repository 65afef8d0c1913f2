import TestTurns
import Testing

@testable import CountersignBrowser

@Suite(.takesTurns) struct `Line editor` {
    private func outcomes(_ text: String, limit: Int = 100) -> [LineEditor.Outcome] {
        var editor = LineEditor(limit: limit)
        return text.utf8.map { editor.take($0) }.filter { $0 != .more }
    }

    @Test(arguments: ["abc\n", "abc\r", "abx\u{7F}c\n", "xü\u{8}\u{8}abc\n", "abcdef\u{15}abc\n", "a\tb\u{7}c\n"])
    func `a line is what is left after corrections`(typed: String) {
        #expect(outcomes(typed) == [.line("abc")])
    }

    @Test(arguments: [
        "\u{1B}[200~abc\u{1B}[201~\n", "a\u{1B}[Dbc\n", "ab\u{1B}OPc\n", "ab\u{1B}[1;5Cc\n", "ab\u{1B}xc\n", "abc\u{1B}\n",
        "abc\u{1B}[1\n",
    ])
    func `keys that are no characters, and the marks around what is pasted, are left out`(typed: String) {
        #expect(outcomes(typed) == [.line("abc")])
    }

    @Test func `Ctrl-C ends the input anywhere, and Ctrl-D where a line begins`() {
        #expect(outcomes("abc\u{3}") == [.interrupt])
        #expect(outcomes("\u{4}") == [.end])
        #expect(outcomes("abc\u{4}\n") == [.line("abc")])
    }

    @Test func `no more bytes are kept than the limit`() {
        #expect(outcomes("abcdef\n", limit: 3) == [.line("abc")])
    }
}
