import TestTurns
import Testing

@testable import CountersignTesting

@Suite("What a page offers", .takesTurns)
struct HTMLPageTests {
    private func fields(_ html: String) -> [HTMLField] { HTMLPage("<form>\(html)</form>").forms.first?.fields ?? [] }

    @Test func `a form has its action, method and encoding, or what goes without saying`() {
        let forms = HTMLPage(#"<form></form><form action=/a?b&amp;c METHOD=POST enctype="Text/Plain">"#).forms
        #expect(forms.map(\.action) == [nil, "/a?b&c"])
        #expect(forms.map(\.method) == ["get", "post"])
        #expect(forms.map(\.encoding) == ["application/x-www-form-urlencoded", "text/plain"])
    }

    @Test func `fields belong to the form around them or to the one they name`() {
        let page = HTMLPage(
            """
            <input name=lost><input name=before form=f>
            <form id=f><input name=inner><form id=nested><input name=also></form>
            <input name=outside><form><input name=second><input name=elsewhere form=f><input name=nowhere form=x></form>
            """)
        #expect(page.forms.map { $0.fields.map(\.name) } == [["before", "inner", "also", "elsewhere"], ["second"]])
    }

    @Test func `disabled fields and fieldsets and templates are left out`() {
        let html = """
            <input name=a disabled><fieldset disabled><input name=b><fieldset><input name=c></fieldset></fieldset><fieldset><input name=d>
            </fieldset><template><input name=e><form></form></template><input name=f>
            """
        #expect(fields(html).map(\.name) == ["d", "f"])
    }

    @Test(arguments: [
        ("<input>", HTMLField.Kind.text(isUserLike: true)), ("<input type=EMAIL>", .text(isUserLike: true)),
        ("<input type=unknown>", .text(isUserLike: true)), ("<input type=search>", .text(isUserLike: false)),
        ("<input type=password>", .password),
        ("<input type=hidden>", .hidden), ("<input type=checkbox>", .checkbox), ("<input type=submit>", .submit(isImage: false)),
        ("<input type=image>", .submit(isImage: true)), ("<button>", .submit(isImage: false)), ("<textarea>", .textArea),
        ("<select multiple>", .select(isMultiple: true)), ("<input type=file>", .other),
    ])
    func `each kind of field is known`(html: String, kind: HTMLField.Kind) {
        #expect(fields(html).map(\.kind) == [kind])
    }

    @Test func `buttons that do not submit are none`() {
        #expect(fields("<input type=button><input type=reset><button type=button></button><button type=reset>").isEmpty)
    }

    @Test func `options have values or their text`() throws {
        let html =
            "<select name=s><option>  One\n more <option value=2 selected>Two<optgroup><option disabled>3</option></optgroup></select>"
        let select = try #require(fields(html).first)
        #expect(select.options.map(\.value) == ["One more", "2"])
        #expect(select.options.map(\.label) == ["One more", "Two"])
        #expect(select.options.map(\.isSelected) == [false, true])
    }

    @Test func `options of a disabled select do not reach the field before it`() {
        #expect(
            fields("<select name=a><option>1</select><select name=b disabled><option>2</select>").flatMap(\.options).map(\.value)
                == ["1"])
    }

    @Test func `a text area has its text without the first line break`() {
        #expect(fields("<textarea name=t>\n a &amp; <b>\n</textarea>").first?.value == " a & <b>\n")
    }

    @Test func `the first title counts, in one line`() {
        #expect(HTMLPage("<title> Sign\n in &amp; out </title><svg><title>x</title></svg>").title == "Sign in & out")
    }

    @Test func `what is for browsers without scripts counts`() {
        let page = HTMLPage("<script>document.write('<form>')</script><noscript><form action=/plain></form></noscript>")
        #expect(page.hasScript)
        #expect(page.forms.map(\.action) == ["/plain"])
    }

    @Test(arguments: [
        ("0; url=/next", "/next"), ("5;URL='/a b'", "/a b"), ("0,/next", "/next"), ("3 url = \"x\"y", "x"), (" 0.5;url=n ", "n"),
        ("0;urls", "urls"), ("30", nil), ("url=/next", nil), ("0;", nil), ("", nil), ("0;url=", nil),
    ])
    func `a refresh leads to its address`(content: String, target: String?) {
        #expect(HTMLRefresh.target(content) == target)
    }

    @Test func `the page's encoding is found where pages name it`() {
        #expect(HTMLPage("<meta charset=Latin1>").charset == "Latin1")
        #expect(HTMLPage(#"<meta http-equiv=Content-Type content="text/html; charset='ISO-8859-1'">"#).charset == "iso-8859-1")
        #expect(MediaType("Text/HTML ; Charset=\"UTF-8\"")?.charset == "utf-8")
        #expect(MediaType(" ") == nil)
    }
}
