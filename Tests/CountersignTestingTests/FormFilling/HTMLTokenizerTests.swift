import TestTurns
import Testing

@testable import Countersign
@testable import CountersignTesting

@Suite("Reading HTML into tokens", .takesTurns)
struct HTMLTokenizerTests {
    private func tokens(_ text: String) -> [HTMLToken] { Array(HTMLTokenizer(text)) }

    private func attributes(_ text: String) -> [String: String]? {
        for case .startTag(let tag) in HTMLTokenizer(text) { return tag.attributes }
        return nil
    }

    @Test func `names are read without regard to capitals, values with it`() {
        #expect(
            tokens("<InPut NAME=Abc>x</P >") == [
                .startTag(HTMLTag(name: "input", attributes: ["name": "Abc"])), .text("x"), .endTag("p"),
            ])
    }

    @Test(arguments: [
        (#"<a b="1" c='2' d=3 e>"#, ["b": "1", "c": "2", "d": "3", "e": ""]),
        (#"<a b = "x>y" c/>"#, ["b": "x>y", "c": ""]),
        (#"<a b="1"c='2'/d>"#, ["b": "1", "c": "2", "d": ""]),
        ("<a b=1/2?x=y&z=1>", ["b": "1/2?x=y&z=1"]),
        ("<a b=1 B=2>", ["b": "1"]),
        ("<a =b c>", ["=b": "", "c": ""]),
        ("<a\nb\t=\r\n'1\n2'>", ["b": "1\n2"]),
        (#"<a b="">"#, ["b": ""]),
    ])
    func `attributes come quoted, unquoted and without a value`(text: String, expected: [String: String]) {
        #expect(attributes(text) == expected)
    }

    @Test(arguments: [
        ("&lt;&gt;&amp;&quot;&apos;&nbsp;|", "<>&\"'\u{A0}|"), ("&#228;&#xe4;&#XE4;&auml;", "ääää"), ("&copy2 &ampx", "©2 &x"),
        ("&nosuch; & &; &#; &#x; &#xg;", "&nosuch; & &; &#; &#x; &#xg;"), ("&#x1F600;&#128512", "😀😀"),
        ("&#0;&#xD800;&#x110000;&#99999999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"), ("&#x80;&euro;", "€€"),
        ("&notit;", "¬it;"),
    ])
    func `references in text stand for their characters`(text: String, expected: String) {
        #expect(tokens("<p>" + text).dropFirst().map { if case .text(let text) = $0 { text } else { "" } }.joined() == expected)
    }

    @Test func `an address in an attribute keeps its parameters`() {
        #expect(attributes(#"<a href="?a=1&copy=2&amp;lt=3&ampx;&gt">"#)?["href"] == "?a=1&copy=2&lt=3&ampx;>")
    }

    @Test(arguments: [
        "<!-- <a> -->", "<!-->", "<!--->", "<!-- a --!>", "<!-- > -- > -->", "<!doctype html>", "<?xml version='1'?>", "</ a>",
        "</>",
        "<![CDATA[ x ]]>", "<script>if (a<b) '<p>' </scriptx> </script>", "<STYLE>p > a {}</Style>", "<script/>x</script>",
    ])
    func `what a page does not show leaves only tags`(text: String) {
        let names = tokens(text + "<i>").compactMap { if case .startTag(let tag) = $0 { tag.name } else { nil } }
        #expect(names.last == "i")
        #expect(!tokens(text + "<i>").contains { if case .text = $0 { true } else { false } })
        #expect(!names.contains("a") && !names.contains("p"))
    }

    @Test func `titles and text areas hold text, not tags`() {
        #expect(tokens("<title>a &lt; <b></title>").contains(.text("a < <b>")))
        #expect(tokens("<textarea></textareax></TextArea>").contains(.text("</textareax>")))
    }

    @Test(arguments: [
        "<", "<a", "<a b", "<a b=", "<a b='", "<!--", "<!", "</", "</a", "<script>", "<title>x", "&", "&#", "&#x", "a<",
    ])
    func `a text may end anywhere`(text: String) {
        #expect(tokens(text).count <= 2)
    }

    @Test func `a lone bracket is text`() {
        #expect(tokens("a < b <3") == [.text("a "), .text("< b "), .text("<3")])
    }

    @Test(arguments: 0..<8) func `no text stops the program`(seed: Int) {
        var random = FormRandom(seed: UInt64(seed))
        let pieces = [
            "<", ">", "</", "/>", "<!--", "-->", "!", "?", "=", "\"", "'", " ", "\n", "\r\n", "&", "&#", "&#x", ";", "amp", "41",
            "FFFFFFFF",
            "form", "<form action=", "</form>", "<input name=a type=", "password", "hidden", "<select name=s>", "<option value",
            "</select>",
            "<textarea name=t>", "</textarea>", "<title>", "</title>", "<script>", "</script>", "<template>", "</template>",
            "<fieldset disabled>",
            "</fieldset>", "<button", "<meta http-equiv=refresh content='0;url=", "<base href=", "é", "👩‍👧", "\u{0}", "\u{301}",
            "form='f'", "id=f",
        ]
        var forms = 0
        for _ in 0..<1000 {
            let text = (0..<Int.random(in: 0..<30, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
                .joined()
            let page = HTMLPage(text)
            let filler = FormFiller(values: ["a": "1"], user: "u", password: "p")
            for form in page.forms {
                forms += 1
                #expect(!FormURLEncoding.encode(filler.fill(form).pairs).utf8.contains { $0 <= 0x20 || $0 >= 0x7F })
            }
        }
        #expect(forms > 0)
    }

    private static let shapes = [
        "<", "<a ", "<a b=", "<a b>", "<!--", "<!-- >", "-", "<!-- -", "&", "&#x", "&amp", "</title", "</script", "<script>",
        "<textarea>",
        "<form>", "<form></form>", "<fieldset>", "<option>", "<select><option>", "<input name=a>",
        "<input type=radio name=r required>",
        "a='", " x=y", "<template>",
    ]

    @Test(arguments: shapes, ["<form>", "<form><title>", "<form><a "])
    func `reading and filling in take time in proportion to the size`(shape: String, start: String) {
        func time(_ count: Int) -> Double {
            let text = start + String(repeating: shape, count: count / shape.utf8.count)
            let filler = FormFiller(values: ["r": "1"], user: "u", password: "p")
            return processorTime { _ = HTMLPage(text).forms.map { ($0.questions, filler.fill($0)) } }
        }
        // Eight times the size: a ratio of 8 when linear, 64 when quadratic. Two of three tries may be disturbed by other work.
        let ratios = (0..<3).lazy.map { _ in time(1 << 15) / time(1 << 12) }
        #expect(ratios.contains { $0 < 24 }, "eight times the bytes took more than 24 times as long")
    }
}
