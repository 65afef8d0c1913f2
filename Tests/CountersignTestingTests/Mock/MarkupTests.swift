import Countersign
import TestTurns
import Testing

@testable import CountersignTesting

@Suite(.computes) struct MarkupTests {
    @Test func `escapes go by Unicode scalars, since a mark after a quotation mark is one character with it`() {
        let text = "a\"\u{301} <\u{338}b> & 'x' &lt;\r\n"
        let escaped = text.escapedForMarkup
        #expect(Array(escaped.utf8) == Array("a&quot;\u{301} &lt;\u{338}b&gt; &amp; &#39;x&#39; &amp;lt;&#13;&#10;".utf8))
        #expect(Array(escaped.unescapedFromMarkup.utf8) == Array(text.utf8))
    }
}
