import CountersignSpec
import TestTurns
import Testing

@Suite(.takesTurns) struct SpecReaderTests {
    private static func expectNoMistakes(_ sources: SpecSources) -> ResolvedLandscape? {
        let reading = SpecReader.read(sources)
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
        return reading.landscape
    }

    @Test func `all mistakes of all files are reported in one run, sorted by place`() {
        let reading = SpecReader.read(
            SpecSources(own: [
                SpecFile("Web.yaml", ValidSpec.method.changing("mock:", to: "mok:").changing("busy: busy", to: "busy: bussy")),
                SpecFile("landscape.yaml", ValidSpec.landscape.changing("logging:", to: "loging:")),
                SpecFile("Broken.yaml", "method: [\n"),
                SpecFile("Other.yaml", ValidSpec.otherMethod.changing("url: \"{loginURL}\"", to: "url: \"{loginUrl}\"")),
            ]))
        #expect(
            reading.diagnostics.map { "\($0.location.file):\($0.location.line):\($0.location.column) \($0.code.rawValue)" } == [
                "Broken.yaml:2:1 CS0105",
                "Other.yaml:28:16 CS0402",
                "Web.yaml:24:9 CS0404",
                "Web.yaml:42:1 CS0201",
                "landscape.yaml:4:1 CS0201",
            ])
        #expect(reading.landscape == nil)
    }

    @Test func `the valid landscape has no mistake`() {
        #expect(Self.expectNoMistakes(SpecSources())?.methods.map(\.name.value) == ["Web"])
    }

    @Test func `methods are in the order of their file names`() {
        let landscape = Self.expectNoMistakes(
            SpecSources(own: [
                SpecFile("z/landscape.yaml", ValidSpec.landscape), SpecFile("z/Web.yaml", ValidSpec.method),
                SpecFile("z/Other.yaml", ValidSpec.otherMethod),
            ]))
        #expect(landscape?.methods.map(\.stem) == ["Other", "Web"])
        #expect(landscape?.methods.map(\.origin) == ["Testing/Other.yaml", "Testing/Web.yaml"])
    }

    @Test func `a byte order mark and line ends of other systems change nothing`() throws {
        let text = ValidSpec.method.replacing("\n", with: "\r\n")
        let landscape = Self.expectNoMistakes(
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.landscape),
                SpecFile(path: "Web.yaml", bytes: [0xEF, 0xBB, 0xBF] + Array(text.utf8)),
            ]))
        let method = try #require(landscape?.methods.first)
        #expect(method.name.location == .init(file: "Web.yaml", line: 2, column: 9))
    }

    @Test func `a byte order mark does not move the first column`() {
        let reading = SpecReader.read(
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.landscape),
                SpecFile(path: "Web.yaml", bytes: [0xEF, 0xBB, 0xBF] + Array(("mok: 1\n" + ValidSpec.method).utf8)),
            ]))
        #expect(reading.diagnostics.map(\.location) == [.init(file: "Web.yaml", line: 1, column: 1)])
    }

    @Test func `columns count Unicode scalars`() {
        let method = ValidSpec.method.changing("busy: { summary: Busy. }", to: "busy: { summary: \"🔑é\", sinc: \"1\" }")
        let reading = SpecReader.read(SpecSources(method: method))
        #expect(reading.diagnostics.map(\.location.column) == [30])
    }

    @Test func `prose may be full of what looks like anchors and aliases`() {
        let prose = (0..<40).map { "    * R & D, Q & A, **bold\($0)**, &amp; *all* &all *all\n" }.joined()
        let reading = SpecReader.read(
            SpecSources(own: [SpecFile("landscape.yaml", ValidSpec.landscape + "discussion: |\n" + prose)]))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
    }

    @Test func `a value can be shared with an anchor`() {
        let method = ValidSpec.method
            .changing("busy: { summary: Busy. }", to: "busy: &plain { summary: Busy. }")
            .changing("cancelled: { summary: Cancelled. }", to: "cancelled: *plain")
        #expect(Self.expectNoMistakes(SpecSources(method: method))?.methods.first?.errors.cases[3].documentation.summary == "Busy.")
    }

    @Test(arguments: [
        ("status: 401", "status: [401, 403]", [401, 403]), ("status: 401", "status: [401]", [401]), ("    status: 401\n", "", []),
    ])
    func `a status is a number, a list, or not there`(_ old: String, _ new: String, _ statuses: [Int]) {
        let landscape = Self.expectNoMistakes(SpecSources(method: ValidSpec.method.changing(old, to: new)))
        #expect(landscape?.methods.first?.challenges.first?.statuses == statuses)
    }

    @Test(arguments: ["required", "{ equals: required }"])
    func `a text is the short form of equals`(_ value: String) throws {
        let method = ValidSpec.method.changing("\"{headerName}\": required", to: "\"{headerName}\": \(value)")
        let field = try #require(Self.expectNoMistakes(SpecSources(method: method))?.methods.first?.challenges.first?.fields.first)
        guard case .equals(let template) = field.match else {
            Issue.record("expected equals, found \(field.match)")
            return
        }
        #expect(template.pieces == [.text("required")])
    }

    @Test func `the other matches are read`() {
        for (text, expected) in [("{ prefix: a }", "prefix"), ("{ contains: a }", "contains"), ("{ present: true }", "present")] {
            let method = ValidSpec.method.changing("\"{headerName}\": required", to: "\"{headerName}\": \(text)")
            let field = Self.expectNoMistakes(SpecSources(method: method))?.methods.first?.challenges.first?.fields.first
            let found =
                switch field?.match {
                case .equals: "equals"
                case .prefix: "prefix"
                case .contains: "contains"
                case .present: "present"
                case nil: "nothing"
                }
            #expect(found == expected)
        }
    }

    @Test func `doubled braces are braces`() throws {
        let method = ValidSpec.method.changing("\"{headerName}\": required", to: "\"{headerName}\": \"{{a}} {headerName}\"")
        let field = try #require(Self.expectNoMistakes(SpecSources(method: method))?.methods.first?.challenges.first?.fields.first)
        guard case .equals(let template) = field.match else {
            Issue.record("expected equals, found \(field.match)")
            return
        }
        #expect(template.pieces == [.text("{a} "), .parameter("headerName", .header)])
        #expect(template.text == "{{a}} {headerName}")
    }

    @Test(arguments: [
        "http://localhost:8080/", "http://127.0.0.1/", "\"http://[::1]:1/\"", "https://a.example", "https://app.localhost",
    ])
    func `loopback and https need no word`(_ url: String) {
        _ = Self.expectNoMistakes(
            SpecSources(
                method: ValidSpec.method.changing("finish: { at: \"{doneURL}\" }", to: "finish: { at: \(url) }")
                    .changing("url: \"{loginURL}\"", to: "url: \"{loginURL}?next={doneURL}\"")))
    }

    @Test func `http has a word`() {
        let method = ValidSpec.method.changing(
            "url: \"{loginURL}\"", to: "url: \"http://a.example/?next={loginURL}\"\n        allow-http: true")
        _ = Self.expectNoMistakes(SpecSources(method: method))
        let landscape = ValidSpec.landscape.changing(
            "region: { type: string, example: eu,", to: "region: { type: url, allow-http: true, example: \"http://a.example\",")
        _ = Self.expectNoMistakes(SpecSources(landscape: landscape))
    }

    @Test func `an optional setting can be a query value, or the value of an optional field`() {
        let query = ValidSpec.method.changing(
            "{settings.serverURL}/login", to: "{settings.serverURL}/login?tenant={settings.tenant}&a=b")
        _ = Self.expectNoMistakes(SpecSources(method: query))
        let field = ValidSpec.method
            .changing("headerName: {", to: "tenant: { type: string, optional: true, summary: Tenant. }\n      headerName: {")
            .changing("loginURL: \"{settings", to: "tenant: \"{settings.tenant}\"\n        loginURL: \"{settings")
            .changing("url: \"{loginURL}\"", to: "url: \"{loginURL}?tenant={tenant}\"")
        _ = Self.expectNoMistakes(SpecSources(method: field))
    }

    @Test func `values of every type are read as text and checked`() throws {
        let fields = """
            tries: { type: integer, default: -3, summary: A. }
                  wait: { type: duration, default: 120s, summary: A. }
                  isNew: { type: boolean, default: true, summary: A. }
                  note: { type: string, default: "no", summary: A. }
                  headerName: {
            """
        let method = ValidSpec.method.changing("headerName: {", to: fields)
            .changing("required", to: "\"{tries} {wait} {isNew} {note}\"")
        let parameters = try #require(Self.expectNoMistakes(SpecSources(method: method))?.methods.first?.parameters)
        #expect(parameters.fields.compactMap(\.defaultText?.value) == ["-3", "120s", "true", "no", "X-Login"])
    }

    @Test func `a landscape without methods and settings is one`() {
        let landscape = Self.expectNoMistakes(
            SpecSources(own: [SpecFile("landscape.yaml", "countersign: 1\nlandscape: Bare\nsummary: Nothing.\n")]))
        #expect(landscape?.loggingPrefix == "Bare")
        #expect(landscape?.settings == nil)
        #expect(landscape?.serverField == nil)
    }

    @Test func `nothing at all has no landscape`() {
        let reading = SpecReader.read(SpecSources(own: []))
        #expect(reading.diagnostics.map(\.code) == [.missingLandscape])
    }

    @Test func `every mistake with one key is reported, also the third`() {
        let method = ValidSpec.method.changing("method: Web", to: "method: Web\nmethod: A\nmethod: B\nsummary: C")
        let reading = SpecReader.read(SpecSources(method: method))
        #expect(reading.diagnostics.map(\.location.line) == [3, 4, 6])
        #expect(reading.diagnostics.allSatisfy { $0.code == .duplicateKey })
    }

    @Test func `two runs agree to the last byte`() {
        let sources = SpecSources(method: ValidSpec.method.replacing("busy", with: "bussy").replacing("summary", with: "sumary"))
        let first = DiagnosticRenderer().text(SpecReader.read(sources).diagnostics)
        #expect(!first.isEmpty)
        #expect(first == DiagnosticRenderer().text(SpecReader.read(sources).diagnostics))
    }
}
