import CountersignSpec
import TestTurns
import Testing

@testable import CountersignGenerator

/// The pages that are generated from specs.
@Suite struct `Pages of landscapes` {
    /// Returns the pages of a landscape without a surface, with one method.
    private static func pages(_ method: String, landscape: String = plain, articles: [String] = []) throws -> LandscapePages {
        let sources = SpecSources(
            own: [
                SpecFile(path: "Library/landscape.yaml", bytes: Array(landscape.utf8)),
                SpecFile(path: "Library/ReaderKey.yaml", bytes: Array(method.utf8)),
            ], inherited: [])
        let generation = try LandscapeGenerator().generate(sources)
        #expect(generation.diagnostics.map { "\($0)" } == [])
        return try #require(try generation.pages(beside: articles))
    }

    private static let plain = "countersign: 2\nlandscape: Library\nsummary: A library.\n"

    private static func method(
        summary: String = "A key.", parameters: String = "", uses: [String] = [], example: String = "", discussion: String = ""
    ) -> String {
        let fields = uses.map { "\n      X-\($0): \"{\($0)}\"" }.joined()
        return """
            countersign: 2
            method: ReaderKey
            summary: \(summary)
            \(discussion)parameters:
              servers: { type: origins, summary: The servers. }
              key: { type: secret, summary: The key. }
            \(parameters)challenge:
              - name: refused
                status: 401
            \(example)credential:
              fields: { token: { type: secret, summary: A token. } }
              for: ["{servers}"]
            acquire:
              - http:
                  send: "POST https://library.example/tokens"
                  headers:
                    X-Key: "{key}"\(fields.replacing("      X-", with: "        X-"))
                  answers: [{ status: 200, capture: { token: { header: X-Token } } }]
            attach:
              - headers: { X-Token: "{credential.token}" }

            """
    }

    private static func text(_ name: String, of pages: LandscapePages) throws -> String {
        try #require(pages.files.first { $0.name == name }?.text)
    }

    @Test func `a method has a page with its challenge, flow, parameters, errors and code`() throws {
        let pages = try Self.pages(
            Self.method(example: "    example: |\n      HTTP/1.1 401 Unauthorized\n      Server: library\n"))
        let page = try Self.text("Methods/ReaderKey-method.md", of: pages)
        for part in [
            "- `refused`: status 401", "HTTP/1.1 401 Unauthorized\nServer: library\n```",
            "| `key` | `String` | required | The key. |",
            "   POST https://library.example/tokens\n   X-Key: {key}\n", "![Sequence diagram.", "(Library-ReaderKey-flow)",
            "| `unexpected-answer` |", "ReaderKeyObserver(parameters: parameters)", "- ``ReaderKeyParameters``",
        ] {
            #expect(page.contains(part), "\(part)\n\n\(page)")
        }
        let picture = try Self.text("Resources/Library-ReaderKey-flow.svg", of: pages)
        #expect(picture.contains("POST https://library.example/tokens") && picture.contains("prefers-color-scheme: dark"))
        let root = try Self.text("Library.md", of: pages)
        #expect(
            root.contains("# ``Library``") && root.contains("- <doc:ReaderKey-method>") && root.contains("- ``LibraryLandscape``"))
    }

    @Test func `a credential of one server is adopted by a URL, whose type the file imports`() throws {
        let renew = """
            renew:
              - http:
                  send: "POST https://library.example/renewals"
                  headers: { X-Token: "{credential.token}" }
                  answers:
                    - { status: 403, error: server }
                    - { status: 200, capture: { token: { header: X-Token } } }
            rejected:
              - { then: [renew, acquire] }

            """
        let sources = SpecSources(
            own: [
                SpecFile(path: "Library/landscape.yaml", bytes: Array(Self.plain.utf8)),
                SpecFile(path: "Library/ReaderKey.yaml", bytes: Array((Self.method() + renew).utf8)),
            ], inherited: [])
        let generation = try LandscapeGenerator().generate(sources)
        #expect(generation.diagnostics.map { "\($0)" } == [])
        let text = try #require(generation.files?.first { $0.name == "ReaderKey.generated.swift" }?.text)
        #expect(text.contains("public func adopt(token: String, for url: URL, in session: Session) async throws -> Bool {"))
        #expect(text.contains("\npublic import Foundation\n"))
        #expect(text.contains("public struct ReaderKeyCredential: Sendable, Hashable, ReducedDescription {"))
        #expect(
            text.contains("public func credential(for url: URL, in session: Session) async throws -> ReaderKeyCredential? {"))
    }

    @Test func `texts full of markup do not break a page`() throws {
        let pages = try Self.pages(
            Self.method(
                summary: "'A | key <script>alert(1)</script> # of `a|b`'",
                discussion: "discussion: |\n  # Not a heading\n  @Not a directive\n"))
        let page = try Self.text("Methods/ReaderKey-method.md", of: pages)
        #expect(page.contains("\\<script>alert(1)\\</script>"))
        #expect(page.contains("\\# Not a heading") && page.contains("\\@Not a directive"))
        #expect(page.split(separator: "\n").filter { $0.hasPrefix("# ") }.count == 1)
        // The row of the method has three cells, like its table.
        let row = try #require(
            try Self.text("Library.md", of: pages).split(separator: "\n").first { $0.contains("<doc:ReaderKey") })
        #expect(row.replacing("\\|", with: "").filter { $0 == "|" }.count == 4, "\(row)")
    }

    @Test func `a parameter with a closed set of values lists them`() throws {
        let parameters =
            "  mode: { type: choice, values: { on_time: Never late., \"a|b\": Late. }, default: on_time, summary: The mode. }\n"
            + "  kind: { type: choice, values: { one: The first., two: The second. }, example: two, summary: The kind. }\n"
        let pages = try Self.pages(Self.method(parameters: parameters, uses: ["mode", "kind"]))
        let page = try Self.text("Methods/ReaderKey-method.md", of: pages)
        #expect(page.contains("| `mode` | `Mode` | `on_time` | The mode. `on_time`: Never late. `a\\|b`: Late. |"))
        #expect(page.contains("| `kind` | `Kind` | required | The kind. `one`: The first. `two`: The second. For example `two`. |"))
        #expect(pages.snippets[0].text.contains("kind: ReaderKeyParameters.Kind"))
    }

    @Test func `the page says that the code leaves out optional parameters, if there are any`() throws {
        let sentence =
            "## In an application\n\nThe code leaves out the optional parameters. The table of the parameters above lists them, "
            + "and what applies without each.\n\n```swift\n"
        func page(_ parameter: String, as reference: String = "{branch}") throws -> String {
            let method = Self.method(parameters: "  branch: { type: string, \(parameter), summary: A branch. }\n", uses: ["branch"])
            return try Self.text("Methods/ReaderKey-method.md", of: try Self.pages(method.replacing("{branch}", with: reference)))
        }
        #expect(try page("optional: true", as: "{branch?}").contains(sentence))
        #expect(try page("default: main").contains(sentence))
        let required = try page("example: main")
        #expect(!required.contains("optional parameters") && required.contains("## In an application\n\n```swift\n"))
    }

    @Test func `the code of a login on another device has a presenter of codes, not of pages`() throws {
        let pages = try Self.pages(
            """
            countersign: 2
            method: ReaderKey
            summary: A key from a login on another device.
            parameters:
              server: { type: url, summary: The server. }
            challenge:
              - { name: refused, status: 401 }
            credential:
              fields: { token: { type: secret, summary: A token. } }
              for: ["{server}"]
            acquire:
              - http:
                  send: "POST {server}/codes"
                  answers:
                    - status: 200
                      capture:
                        code: { json: /code }
                        page: { json: /page, type: url, within: ["{server}"] }
              - present: { open: "{page}", code: "{code}" }
              - repeat:
                  while: { credential.token: absent }
                  every: 5s
                  within: 5m
                  steps:
                    - http:
                        send: "POST {server}/tokens"
                        answers:
                          - status: 425
                          - { status: 200, capture: { token: { json: /token, type: secret } } }
            attach:
              - headers: { X-Token: "{credential.token}" }
            """)
        let page = try Self.text("Methods/ReaderKey-method.md", of: pages)
        for text in [page, pages.snippets[0].text] {
            #expect(text.contains("userCodePresenter: any UserCodePresenter"))
            #expect(text.contains("    configuration.userCodePresenter = userCodePresenter\n"))
            #expect(!text.contains("any WebPresenter"))
        }
    }

    @Test func `the flow begins with a challenge to a request without a credential`() throws {
        let pages = try Self.pages(
            """
            countersign: 2
            method: ReaderKey
            summary: A key.
            parameters:
              servers: { type: origins, summary: The servers. }
            challenge:
              - { name: scope, status: 403 }
              - { name: refused, status: 401 }
            credential:
              fields: { token: { type: secret, summary: A token. } }
              for: ["{servers}"]
            acquire:
              - prompt: { fields: { token: { type: secret, summary: A token. } } }
            attach:
              - headers: { X-Token: "{credential.token}" }
            rejected:
              - { challenge: scope, then: [acquire], retry: 1, keep: true }
              - { then: [acquire], retry: 1 }
            """)
        let page = try Self.text("Methods/ReaderKey-method.md", of: pages)
        #expect(page.contains("server to Countersign: 401: refused;") && !page.contains("403: scope"))
    }

    @Test func `a page says what a challenge must not have`() throws {
        let challenge = """
            status: 401
                headers: { X-Login: absent, X-Area: present }
                www-authenticate: { scheme: Bearer, parameters: { realm: a, error: absent } }
                json: { /flows: absent }
                cookies: { SID: present, visitor: absent }
            """
        let pages = try Self.pages(Self.method(uses: []).replacing("status: 401", with: challenge))
        let page = try Self.text("Methods/ReaderKey-method.md", of: pages)
        #expect(
            page.contains(
                "status 401, no field `X-Login`, the field `X-Area`, the scheme `Bearer` with `realm` that is `a` and no `error`, "
                    + "in its body no `/flows`, the cookie `SID`, no cookie `visitor`"))
    }

    @Test func `a method with sixty parameters has a row for each`() throws {
        let names = (1...60).map { "value\($0)" }
        let parameters = names.map { "  \($0): { type: string, summary: The value. }\n" }.joined()
        let pages = try Self.pages(Self.method(parameters: parameters, uses: names))
        let page = try Self.text("Methods/ReaderKey-method.md", of: pages)
        for name in names { #expect(page.contains("| `\(name)` | `String` | required |")) }
        #expect(pages.snippets[0].text.contains("value60: String\n"))
    }

    @Test func `blocks of code are at most 80 columns wide`() throws {
        let long = (1...20).map { "value\($0)" }
        let parameters = long.map { "  \($0): { type: string, summary: The value. }\n" }.joined()
        let pages = try Self.pages(
            Self.method(parameters: parameters, uses: long).replacing(
                "X-Key: \"{key}\"", with: "X-Key: \"{key} {value1} {value2} {value3} {value4} {value5} {value6} {value7} {value8}\""
            ))
        var isCode = false
        for line in try Self.text("Methods/ReaderKey-method.md", of: pages).split(separator: "\n", omittingEmptySubsequences: false)
        {
            if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
            if isCode { #expect(line.count <= 80, "\(line)") }
        }
    }

    @Test func `articles that are written by hand are listed on the root page`() throws {
        let pages = try Self.pages(Self.method(), articles: ["GettingStarted"])
        #expect(try Self.text("Library.md", of: pages).contains("### Articles\n\n- <doc:GettingStarted>\n"))
    }
}

/// The catalog that pages are written to.
@Suite(.takesTurns) struct `Catalogs with generated pages` {
    private static let generated = LandscapePages.marker("Library/landscape.yaml")

    private func inFolder(_ body: (TemporaryFolder, CatalogFolder) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try body(folder, CatalogFolder(folder.url))
    }

    @Test func `a page that is generated no more is removed, and one that is written by hand stays`() throws {
        try inFolder { folder, catalog in
            try folder.write("Methods/Old-method.md", "# Old\n\n\(Self.generated)\n")
            try folder.write("Mine.md", "# Mine\n")
            let page = GeneratedFile(name: "Methods/New-method.md", text: "# New\n\n\(Self.generated)\n")
            let changed = try catalog.update([page], writing: true)
            #expect(changed.map { $0.split(separator: "/").last } == ["New-method.md", "Old-method.md"])
            #expect(folder.has("Methods/New-method.md") && !folder.has("Methods/Old-method.md") && folder.has("Mine.md"))
            #expect(try catalog.update([page], writing: true) == [])
            #expect(try catalog.articles() == ["Mine"])
        }
    }

    @Test func `a picture that is drawn by hand stays`() throws {
        try inFolder { folder, catalog in
            try folder.write("Resources/life.svg", "<svg role=\"img\" aria-label=\"Sequence diagram. By hand.\"></svg>\n")
            #expect(try catalog.update([], writing: true) == [])
            #expect(folder.has("Resources/life.svg"))
        }
    }

    @Test func `a check changes nothing`() throws {
        try inFolder { folder, catalog in
            let changed = try catalog.update([GeneratedFile(name: "New.md", text: Self.generated)], writing: false)
            #expect(changed.count == 1 && !folder.has("New.md"))
        }
    }

    @Test func `a page that is written by hand is never replaced`() throws {
        try inFolder { folder, catalog in
            try folder.write("Library.md", "# ``Library``\n\nBy hand.\n")
            #expect(throws: HandWrittenPage.self) {
                try catalog.update([GeneratedFile(name: "Library.md", text: Self.generated)], writing: true)
            }
        }
    }
}
