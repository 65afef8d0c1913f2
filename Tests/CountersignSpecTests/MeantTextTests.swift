import CountersignSpec
import TestTurns
import Testing

/// Mistakes that the parser reports elsewhere, or in words that would not help: the message names the correct text.
@Suite(.computes) struct `What an author meant` {
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
            "open: \"{loginURL}\"", "open: \"{loginURL}",
            "Web.yaml:16:13: error: the quote that opens here is not closed on this line [CS0105]"),
        Slip(
            "summary: A web login.", "summary: \"A web login.",
            "Web.yaml:3:10: error: the quote that opens here is not closed on this line [CS0105]"),
        Slip(
            "summary: A web login.", "summary: 'A web login.",
            "Web.yaml:3:10: error: the quote that opens here is not closed on this line [CS0105]"),
        Slip(
            "summary: The end. }", "summary: \"The end. }",
            "Web.yaml:6:69: error: the quote that opens here is not closed on this line [CS0105]"),
        Slip(
            "open: \"{loginURL}\"", "open: {loginURL}/start",
            "Web.yaml:16:13: error: a text that begins with a brace must be quoted, otherwise YAML reads a mapping; write \"{loginURL}/start\" [CS0105]"
        ),
        Slip(
            "doneURL: { type: url, from: \"{settings.serverURL}/done\", summary: The end. }",
            "doneURL:\n    type: url\n    from: {settings.serverURL}/done\n    summary: The end.",
            "Web.yaml:8:11: error: a text that begins with a brace must be quoted, otherwise YAML reads a mapping; write "
                + "\"{settings.serverURL}/done\" [CS0105]"),
        Slip(
            "open: \"{loginURL}\"", "open: {loginURL}",
            "Web.yaml:16:13: error: a reference must be quoted, otherwise YAML reads a mapping; write \"{loginURL}\" [CS0401]"),
        Slip(
            "\"{headerName}\": required", "{headerName}: required",
            "Web.yaml:12:7: error: a reference must be quoted, otherwise YAML reads a mapping; write \"{headerName}\" [CS0401]"),
        Slip(
            "open: \"{loginURL}\"", "open: \"${loginURL}\"",
            "Web.yaml:16:15: error: a reference is '{loginURL}', without '$'; write '$$' for a dollar sign before it [CS0401]"),
        Slip(
            "open: \"{loginURL}\"", "open: \"{{loginURL}}\"",
            "Web.yaml:16:14: error: '{{loginURL}}' is the text '{loginURL}'; a reference is '{loginURL}' [CS0401]"),
        Slip(
            "    status: 401", "   status: 401",
            "Web.yaml:10:4: error: this line is indented by 3 spaces, but the items of its list by 2 [CS0105]"),
        Slip(
            "  - present:", " - present:",
            "Web.yaml:18:5: error: this line is indented by 4 spaces, but the keys of its mapping by 3 [CS0105]"
        ),
        Slip(
            "    status: 401", "     status: 401",
            "Web.yaml:10:12: error: unexpected ':'; quote the text if it contains ': ', or indent the key like the one above "
                + "[CS0105]"),
        Slip(
            "summary: A web login.", "summary: A web: login.",
            "Web.yaml:3:15: error: unexpected ':'; quote the text if it contains ': ', or indent the key like the one above "
                + "[CS0105]"),
        Slip(
            "status: 401\n    headers:\n", "status: { codes: [401] }\n    headers:\n",
            "Web.yaml:10:13: error: 'status' takes an HTTP status from 100 to 599, not a mapping [CS0202]"),
    ]

    @Test(arguments: slips)
    func `the message says what to write`(_ slip: Slip) throws {
        let reading = SpecReader.read(SpecSources(method: ValidSpec.method.changing(slip.old, to: slip.new)))
        let text = DiagnosticRenderer().text(reading.diagnostics)
        #expect(text.split(separator: "\n").contains { $0 == slip.message }, "\(text)")
        #expect(reading.landscape == nil)
        // One mistake causes one message. A second one may report that a required key is missing, which is the same mistake.
        #expect(reading.diagnostics.count <= 2, "\(text)")
    }

    @Test func `doubled braces stay braces where they name nothing`() {
        let text = ValidSpec.method.changing("\"{headerName}\": required", to: "\"{headerName}\": \"{{x}}\"")
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
