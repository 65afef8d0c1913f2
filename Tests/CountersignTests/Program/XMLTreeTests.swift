import Testing

@testable import Countersign

/// XML of servers.
@Suite struct `XML of a server` {
    private static func tree(_ text: String) -> XMLTree? { XMLTree(Array(text.utf8)) }

    @Test func `elements and attributes go by their local names`() throws {
        let tree = try #require(
            Self.tree(
                """
                \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
                <!-- a -- greeting -->
                <S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/">
                  <S:Head/><S:Body S:id='1 &lt; 2' other="&#x41;&#66;"><a>one</a><a>t&amp;wo</a><b><![CDATA[<c>&amp;]]> d</b ></S:Body>
                </S:Envelope>
                <?end?>

                """))
        #expect(tree["/Envelope/Body/a"] == "one")
        #expect(tree["/Envelope/Body/b"] == "<c>&amp; d")
        #expect(tree["/Envelope/Body/@other"] == "AB")
        #expect(tree["/Envelope/@S"] == nil && tree["/Envelope/Body/@id"] == "1 < 2")
        #expect(tree["/Envelope/Head"] == "")
        #expect(tree["/Envelope/Body/c"] == nil && tree["/Body"] == nil && tree["/Envelope/Body/@none"] == nil)
    }

    @Test(arguments: [
        "", "text", "<a>", "<a></b>", "<a/><b/>", "<a><b></a></b>", "<a b></a>", "<a b=c/>", "<a b='1' b='2'/>", "<a b='<'/>",
        "<a>&nbsp;</a>", "<a>&</a>", "<a>&#xD800;</a>", "<a>&#-1;</a>", "<1/>", "<a>text", "<a", "< a/>", "<a/>text",
        "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "<a><!ELEMENT b ANY></a>",
        "<a><![CDATA[b</a>", "<a><!-- b</a>", "<a b='1'c='2'/>",
    ])
    func `what is no document, or has a type of its own, is none`(_ text: String) { #expect(Self.tree(text) == nil) }

    @Test func `nesting is limited, and length takes time in proportion`() {
        let deep = { String(repeating: "<a>", count: $0) + String(repeating: "</a>", count: $0) }
        #expect(Self.tree(deep(64)) != nil && Self.tree(deep(65)) == nil && Self.tree(deep(100_000)) == nil)
        let wide = "<a>" + String(repeating: "<b c='&lt;'>d</b>", count: 20_000) + "</a>"
        let start = ContinuousClock.now
        #expect(Self.tree(wide)?.root.children.count == 20_000)
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(XMLTree([0xFF, 0xFE, 0x3C, 0x00]) == nil)
    }
}
