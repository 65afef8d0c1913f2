import TestTurns
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
                <!-- a - greeting -->
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
        #expect(Self.tree(wide)?.root.children.count == 20_000)
        #expect(processorTime { _ = Self.tree(wide) } < 20)
        #expect(XMLTree([0xFF, 0xFE, 0x3C, 0x00]) == nil)
    }

    @Test func `an element is taken as it was written, with what it is in declared`() throws {
        let text = #"""
            <?xml version="1.0"?><S:E xmlns:S="urn:soap" xmlns:q='urn:"q"' xmlns="urn:default" xmlns:unused="urn:u">
            <S:B xmlns:q="urn:other"> <p:R xmlns:p="urn:p" a = '1>2' ><q:x>&lt;é]]&gt;</q:x><!-- c --><![CDATA[<y>]]></p:R></S:B><S:Empty/></S:E>
            """#
        let tree = try #require(XMLTree(Array(text.utf8)))
        #expect(
            tree.element(at: "/E/B/R")
                == #"<p:R xmlns="urn:default" xmlns:S="urn:soap" xmlns:q="urn:other" xmlns:unused="urn:u" xmlns:p="urn:p" a = '1>2' ><q:x>&lt;é]]&gt;</q:x><!-- c --><![CDATA[<y>]]></p:R>"#
        )
        #expect(
            tree.element(at: "/E/Empty")
                == #"<S:Empty xmlns="urn:default" xmlns:S="urn:soap" xmlns:q='urn:"q"' xmlns:unused="urn:u"/>"#)
        #expect(
            tree.element(at: "/E/B/R/x")
                == #"<q:x xmlns="urn:default" xmlns:S="urn:soap" xmlns:p="urn:p" xmlns:q="urn:other" xmlns:unused="urn:u">&lt;é]]&gt;</q:x>"#
        )
        #expect(tree.element(at: "/E").map { text.hasSuffix($0) && $0.hasPrefix("<S:E ") } == true)
        #expect(tree.element(at: "/E/B/@a") == nil)
        #expect(tree.element(at: "/E/Nothing") == nil)
    }

    @Test func `an element that is put into another document says the same there`() throws {
        let text = #"<a:E xmlns:a="urn:1" xmlns="urn:2"><a:B><C a:d="1">x</C></a:B></a:E>"#
        let element = try #require(XMLTree(Array(text.utf8))?.element(at: "/E/B"))
        let again = try #require(XMLTree(Array("<Envelope xmlns:a='urn:other'><Body>\(element)</Body></Envelope>".utf8)))
        #expect(again["/Envelope/Body/B/C"] == "x")
        #expect(again.element(at: "/Envelope/Body/B") == element)
    }

    @Test func `an element without a default namespace has none elsewhere`() throws {
        let tree = try #require(XMLTree(Array("<a:E xmlns:a='urn:1'><B>x</B></a:E>".utf8)))
        #expect(tree.element(at: "/E/B") == #"<B xmlns="" xmlns:a='urn:1'>x</B>"#)
    }

    @Test(arguments: [
        // Other parsers see other ends of these comments.
        "<a><!--><b/></a>", "<a><!---><b/></a>", "<a><!-- -- --></a>", "<a><!-- ---></a>", "<!--><a/>",
        "<a><?b?></a>", "<a><?xml version='1.0'?></a>", "<?><a/>", "<a>]]></a>",
        "<a>\u{1}</a>",
        "<e\u{301}></é>",
    ])
    func `what other readers take for something else is no document`(_ text: String) {
        #expect(XMLTree(Array(text.utf8)) == nil)
        #expect(XMLTree(Array("<E>\(text)</E>".utf8)) == nil)
    }

    @Test func `a comment that looks like the beginning of something else is one`() throws {
        let tree = try #require(XMLTree(Array("<E><a><!--><![CDATA[--></a><c/><a>2<!--]]>--></a></E>".utf8)))
        #expect(tree.element(at: "/E/a") == #"<a xmlns=""><!--><![CDATA[--></a>"#)
        #expect(tree.root.children.map(\.name) == ["a", "c", "a"])
    }

    @Test func `declarations are bounded, and many take time in proportion`() throws {
        func text(_ count: Int, _ filling: Int) -> [UInt8] {
            let declarations = (0..<count).map { " xmlns:p\($0)='urn:\($0)'" }.joined()
            return Array("<a\(declarations)><b>\(String(repeating: "p1 ", count: filling))</b></a>".utf8)
        }
        #expect(XMLTree(text(257, 1)) == nil)
        let long = text(256, 300_000)
        #expect(try #require(XMLTree(long)).element(at: "/a/b")?.utf8.count ?? 0 > 900_000)
        #expect(processorTime { _ = XMLTree(long)?.element(at: "/a/b") } < 20)
    }

    @Test func `what begins with a combining mark is text like any other`() throws {
        let tree = try #require(XMLTree(Array("<a b='\u{301}'>\u{301}x<c>\u{301}</c>\u{301}&amp;\u{301}</a>".utf8)))
        #expect(tree["/a"] == "\u{301}x\u{301}&\u{301}" && tree["/a/c"] == "\u{301}" && tree["/a/@b"] == "\u{301}")
        #expect(tree.element(at: "/a/c") == "<c xmlns=\"\">\u{301}</c>")
    }

    @Test func `a text that is written into an element cannot end it`() {
        #expect(XMLTree.escaped("</a>&\"'\r\n\té") == "&lt;/a&gt;&amp;&quot;&#39;&#13;&#10;&#9;é")
        for character in ["\u{0}", "\u{1F}", "\u{FFFE}"] { #expect(XMLTree.escaped("a\(character)") == nil) }
    }
}
