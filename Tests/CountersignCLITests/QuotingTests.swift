import TestTurns
import Testing

@testable import CountersignCLI

/// A quotation mark and a combining mark after it are one `Character`, which equals no quotation mark.
@Suite(.computes) struct QuotingTests {
    @Test(arguments: [
        ("", "''"), ("a/b_c.d-e:f=1", "a/b_c.d-e:f=1"), ("it's", #"'it'\''s'"#), ("a\u{301}", "'a\u{301}'"),
        ("x'\u{301}; touch y", "'x'\\''\u{301}; touch y'"), ("a\nb", #"'a\u{A}b'"#),
    ])
    func `a text is one word of a shell`(_ text: String, _ word: String) {
        #expect(Array(text.shellWord.utf8) == Array(word.utf8))
    }

    @Test(arguments: [
        ("a", "a"), (#"a"b\c"#, #"a\"b\\c"#), ("\"\u{301}", "\\\"\u{301}"), ("\\\u{301}n", "\\\\\u{301}n"),
    ])
    func `a text is between quotation marks`(_ text: String, _ escaped: String) {
        #expect(Array(text.escapedForQuotes.utf8) == Array(escaped.utf8))
    }
}
