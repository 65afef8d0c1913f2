import TestTurns
import Testing

@testable import CountersignSpec

@Suite(.computes) struct SpecReaderTests {
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
                SpecFile("Other.yaml", ValidSpec.otherMethod.changing("open: \"{loginURL}\"", to: "open: \"{loginUrl}\"")),
            ]))
        #expect(
            reading.diagnostics.map { "\($0.location.file):\($0.location.line):\($0.location.column) \($0.code.rawValue)" } == [
                "Broken.yaml:2:1 CS0105",
                "Other.yaml:16:15 CS0402",
                "Web.yaml:21:46 CS0404",
                "Web.yaml:28:1 CS0201",
                "landscape.yaml:10:31 CS0201",
            ])
        #expect(reading.landscape == nil)
    }

    @Test(arguments: [
        "credential:": "credentail:", "fields:": "feilds:", "acquire:": "aquire:", "prompt:": "promt:", "http:": "htttp:",
        "answers:": "anwsers:", "capture:": "captrue:", "attach:": "atach:", "parameters:": "paramters:",
    ])
    func `in a file with a misspelt key, nothing is reported as absent`(key: String, misspelt: String) throws {
        let landscape = "countersign: 2\nlandscape: Api\nsummary: An API.\n"
        let method = """
            countersign: 2
            method: Token
            summary: A token for a user.
            parameters:
              server: { type: url, example: "https://a.example", summary: The server. }
            challenge:
              - { name: unauthorized, status: 401 }
            credential:
              fields:
                token: { type: secret, summary: The token. }
              for: ["{server}"]
            acquire:
              - prompt:
                  fields:
                    user: { type: string, summary: The user name. }
              - http:
                  send: "POST {server}/session"
                  json: { user: "{user}" }
                  answers:
                    - { status: 200, capture: { token: { json: /token, type: secret } } }
            attach:
              - headers: { X-Token: "{credential.token}" }
            """
        func mistakes(in method: String) -> [Diagnostic] {
            SpecReader.read(SpecSources(own: [SpecFile("landscape.yaml", landscape), SpecFile("Token.yaml", method)])).diagnostics
        }
        #expect(mistakes(in: method) == [])
        let found = mistakes(in: method.replacing(key, with: misspelt))
        #expect(!found.isEmpty && found.allSatisfy { $0.code == .unknownKey && $0.suggestion.map { "\($0):" } == key }, "\(found)")
        // A mistake elsewhere is reported as another one.
        let other = mistakes(in: method.replacing(key, with: misspelt).replacing("status: 401", with: "status: 4010"))
        #expect(other.contains { $0.code != .unknownKey })
    }

    @Test func `the valid landscape has no mistake`() {
        #expect(Self.expectNoMistakes(SpecSources())?.programMethods.map(\.name.value) == ["Web"])
    }

    @Test func `methods are in the order of their file names`() {
        let landscape = Self.expectNoMistakes(
            SpecSources(own: [
                SpecFile("z/landscape.yaml", ValidSpec.landscape), SpecFile("z/Web.yaml", ValidSpec.method),
                SpecFile("z/Other.yaml", ValidSpec.otherMethod),
            ]))
        #expect(landscape?.programMethods.map(\.program.stem) == ["Other", "Web"])
        #expect(landscape?.programMethods.map(\.name.location.file) == ["z/Other.yaml", "z/Web.yaml"])
    }

    @Test func `a byte order mark and line ends of other systems change nothing`() throws {
        let text = ValidSpec.method.replacing("\n", with: "\r\n")
        let landscape = Self.expectNoMistakes(
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.landscape),
                SpecFile(path: "Web.yaml", bytes: [0xEF, 0xBB, 0xBF] + Array(text.utf8)),
            ]))
        let method = try #require(landscape?.programMethods.first)
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
        #expect(reading.diagnostics.map(\.location.column) == [26])
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
        #expect(
            Self.expectNoMistakes(SpecSources(method: method))?.programMethods.first?.program.errors[0].cases[3]
                .documentation.summary == "Busy.")
    }

    @Test(arguments: [
        ("status: 401", "status: [401, 403]", [401, 403]), ("status: 401", "status: [401]", [401]), ("    status: 401\n", "", []),
    ])
    func `a status is a number, a list, or not there`(_ old: String, _ new: String, _ statuses: [Int]) {
        let landscape = Self.expectNoMistakes(SpecSources(method: ValidSpec.method.changing(old, to: new)))
        #expect(landscape?.programMethods.first?.program.challenges.first?.statuses == statuses)
    }

    /// Returns the condition on a header field of the valid method.
    private static func match(_ value: String) -> ResolvedProgram.Condition.Match? {
        let method = ValidSpec.method.changing("\"{headerName}\": required", to: "\"{headerName}\": \(value)")
        return expectNoMistakes(SpecSources(method: method))?.programMethods.first?.program.challenges.first?.headers.first?.match
    }

    @Test(
        arguments: [
            ("required", .equals(.init(pieces: [.text("required")]))), ("present", .present),
            ("{ prefix: a }", .prefix(.init(pieces: [.text("a")]))), ("{ contains: a }", .contains(.init(pieces: [.text("a")]))),
            // The third slot is that of the parameter.
            ("\"{{a}} {headerName}\"", .equals(.init(pieces: [.text("{a} "), .slot(2)]))),
        ] as [(String, ResolvedProgram.Condition.Match)])
    func `a match is a word, a text or a part, and doubled braces are braces`(
        _ value: String, _ expected: ResolvedProgram.Condition.Match
    ) {
        #expect(Self.match(value) == expected)
    }

    @Test(arguments: [
        "http://localhost:8080/", "http://127.0.0.1/", "\"http://[::1]:1/\"", "https://a.example", "https://app.localhost",
    ])
    func `loopback and https need no word`(_ url: String) {
        _ = Self.expectNoMistakes(
            SpecSources(
                method: ValidSpec.method.changing("ends-at: \"{doneURL}\"", to: "ends-at: \(url)")
                    .changing("status: 401", to: "status: 401\n    text: { contains: \"{doneURL}\" }")))
    }

    @Test func `http has a word`() {
        let method = ValidSpec.method.changing(
            "loginURL: { type: url, from: \"{settings.serverURL}/login\"",
            to: "loginURL: { type: url, allow-http: true, from: \"http://a.example/?in={settings.region}\"")
        _ = Self.expectNoMistakes(SpecSources(method: method))
        let landscape = ValidSpec.landscape.changing(
            "region: { type: string, example: eu,", to: "region: { type: url, allow-http: true, example: \"http://a.example\",")
        _ = Self.expectNoMistakes(SpecSources(landscape: landscape))
    }

    @Test func `an optional setting can be a query value, or the value of an optional parameter`() {
        let query = ValidSpec.method.changing(
            "{settings.serverURL}/login", to: "{settings.serverURL}/login?tenant={settings.tenant}&a=b")
        _ = Self.expectNoMistakes(SpecSources(method: query))
        let field = ValidSpec.method
            .changing(
                "  headerName: {",
                to: "  tenant: { type: string, optional: true, from: \"{settings.tenant}\", summary: Tenant. }\n  headerName: {"
            )
            .changing(
                "acquire:\n",
                to: "acquire:\n  - http: { send: \"GET {loginURL}\", query: { t: \"{tenant?}\" }, answers: [{ status: 200 }] }\n")
        _ = Self.expectNoMistakes(SpecSources(method: field))
    }

    @Test func `values of every type are read as text and checked`() throws {
        let fields = """
              isNew: { type: boolean, default: true, summary: A. }
              note: { type: string, default: "no", summary: A. }
              area: { type: scopes, default: a b, summary: A. }
              headerName: {
            """
        let method = ValidSpec.method.changing("  headerName: {", to: fields)
            .changing(
                "acquire:\n",
                to:
                    "acquire:\n  - when: { isNew: true }\n    http: { send: \"GET {loginURL}\", query: { n: \"{note}\", a: \"{area?}\" }, answers: [{ status: 200 }] }\n"
            )
        let parameters = try #require(Self.expectNoMistakes(SpecSources(method: method))?.programMethods.first?.parameters)
        #expect(parameters.fields.compactMap(\.defaultText?.value) == ["true", "no", "a b", "X-Login"])
    }

    @Test func `a landscape without methods and settings is one`() {
        let landscape = Self.expectNoMistakes(
            SpecSources(own: [SpecFile("landscape.yaml", "countersign: 2\nlandscape: Bare\nsummary: Nothing.\n")]))
        #expect(landscape?.loggingPrefix == "Bare")
        #expect(landscape?.settings == nil)
        #expect(landscape?.serverField == nil)
    }

    @Test func `nothing at all has no landscape`() {
        let reading = SpecReader.read(SpecSources(own: []))
        #expect(reading.diagnostics.map(\.code) == [.missingLandscape])
    }

    @Test func `without any readable file there is no second error about the landscape`() {
        let absent = Diagnostic(.unreadableFile, "the file cannot be read", at: .init(file: "absent", line: 1, column: 1))
        let reading = SpecReader.read(SpecSources(own: []), unreadable: [absent])
        #expect(reading.diagnostics.map(\.code) == [.unreadableFile])
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
