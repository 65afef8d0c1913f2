import CountersignSpec
import TestTurns
import Testing

/// Mistakes whose cause is not where a parser gives up, or whose words would not help: the message says what to write.
@Suite(.takesTurns) struct `What an author meant` {
    /// A change of the valid method, and the first message about it.
    struct Slip: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let message: String

        init(_ old: String, _ new: String, _ message: String) {
            self.old = old
            self.new = new
            self.message = message
        }

        var testDescription: String { new }
    }

    static let slips = [
        Slip(
            "url: \"{loginURL}\"", "url: \"{loginURL}",
            "Web.yaml:28:14: error: the quote that opens here is not closed on this line [CS0105]"),
        Slip(
            "summary: A web login.", "summary: \"A web login.",
            "Web.yaml:3:10: error: the quote that opens here is not closed on this line [CS0105]"),
        Slip(
            "summary: A web login.", "summary: 'A web login.",
            "Web.yaml:3:10: error: the quote that opens here is not closed on this line [CS0105]"),
        Slip(
            "summary: The end. }", "summary: \"The end. }",
            "Web.yaml:9:38: error: the quote that opens here is not closed on this line [CS0105]"),
        Slip(
            "url: \"{loginURL}\"", "url: {loginURL}/start",
            "Web.yaml:28:14: error: a text that begins with a brace needs quotes, or it is a mapping: \"{loginURL}/start\" [CS0105]"
        ),
        Slip(
            "\"{settings.serverURL}/login\"", "{settings.serverURL}/login",
            "Web.yaml:13:19: error: a text that begins with a brace needs quotes, or it is a mapping: "
                + "\"{settings.serverURL}/login\" [CS0105]"),
        Slip(
            "url: \"{loginURL}\"", "url: {loginURL}",
            "Web.yaml:28:14: error: a reference needs quotes, or it is a mapping: \"{loginURL}\" [CS0401]"),
        Slip(
            "\"{headerName}\": required", "{headerName}: required",
            "Web.yaml:21:7: error: a reference needs quotes, or it is a mapping: \"{headerName}\" [CS0401]"),
        Slip(
            "url: \"{loginURL}\"", "url: \"${loginURL}\"",
            "Web.yaml:28:16: error: a reference is '{loginURL}', without '$' [CS0401]"),
        Slip(
            "url: \"{loginURL}\"", "url: \"{{loginURL}}\"",
            "Web.yaml:28:15: error: '{{loginURL}}' is the text '{loginURL}'; a reference is '{loginURL}' [CS0401]"),
        Slip(
            "    status: 401", "   status: 401",
            "Web.yaml:19:4: error: this line is indented by 3 spaces, the items of the list that it would belong to by 2 [CS0105]"),
        Slip(
            "    - present:", "   - present:",
            "Web.yaml:30:7: error: this line is indented by 6 spaces, the keys of the mapping that it would belong to by 5 [CS0105]"
        ),
        Slip(
            "    status: 401", "     status: 401",
            "Web.yaml:19:12: error: a ':' cannot stand here: quote a text that has ': ' in it, or indent the key as the one above "
                + "[CS0105]"),
        Slip(
            "summary: A web login.", "summary: A web: login.",
            "Web.yaml:3:15: error: a ':' cannot stand here: quote a text that has ': ' in it, or indent the key as the one above "
                + "[CS0105]"),
        Slip(
            "    - present:\n        url: \"{loginURL}\"\n", "    - present:\n        url: { pages: [\"{loginURL}\"] }\n",
            "Web.yaml:28:16: error: pages to choose from has no key 'pages'; there is 'first-of' [CS0201]"),
    ]

    @Test(arguments: slips)
    func `the message says what to write`(_ slip: Slip) throws {
        let reading = SpecReader.read(SpecSources(method: ValidSpec.method.changing(slip.old, to: slip.new)))
        let text = DiagnosticRenderer().text(reading.diagnostics)
        #expect(text.split(separator: "\n").contains { $0 == slip.message }, "\(text)")
        #expect(reading.landscape == nil)
        // One mistake, one message; that a required key is missing beside it says the same.
        #expect(reading.diagnostics.count <= 2, "\(text)")
    }

    @Test func `doubled braces stay braces where they name nothing`() {
        let text = ValidSpec.method.changing("url: \"{loginURL}\"", to: "url: \"{loginURL}?a=%7B{{x}}\"")
        let reading = SpecReader.read(SpecSources(method: text))
        #expect(!reading.diagnostics.contains { $0.code == .malformedTemplate })
    }

    @Test func `quotes in comments, blocks and words do not mislead`() {
        let text = ValidSpec.method.changing(
            "summary: A web login.", to: "summary: It's a login. # isn't \"it\ndiscussion: |\n  'twas\n  \"open\nzzz: [a")
        for text in [text, text.replacing("\n", with: "\r\n")] {
            let reading = SpecReader.read(SpecSources(method: text))
            #expect(reading.diagnostics.map(\.code) == [.invalidYAML])
            #expect(!reading.diagnostics.contains { $0.message.contains("quote") })
        }
    }
}
