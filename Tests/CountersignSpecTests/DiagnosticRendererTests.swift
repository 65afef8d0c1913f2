import CountersignSpec
import TestTurns
import Testing

@Suite(.computes) struct DiagnosticRendererTests {
    private static let sources = SpecSources(
        own: [SpecFile("Specs/A.yaml", "first: 1\n\tenpoints: é\r\nlast"), SpecFile(path: "B.yaml", bytes: [0xFF])])
    private static let diagnostics = [
        Diagnostic(
            .unknownKey, "a method has no key 'enpoints'", at: .init(file: "Specs/A.yaml", line: 2, column: 2), length: 8,
            suggestion: "endpoints", notes: [.init("needed here", at: .init(file: "Specs/A.yaml", line: 3, column: 1))]),
        Diagnostic(.unusedParameter, "unused \"x\"", at: .init(file: "C.yaml", line: 7, column: 9)),
    ]

    @Test func `each message is a line that a build system reads`() {
        #expect(
            DiagnosticRenderer().text(Self.diagnostics) == """
                Specs/A.yaml:2:2: error: a method has no key 'enpoints'; did you mean 'endpoints'? [CS0201]
                Specs/A.yaml:3:1: note: needed here
                C.yaml:7:9: warning: unused "x" [CS0505]

                """)
    }

    @Test func `a message that says what to write has no question after it`() {
        let needless = Diagnostic(
            .needlessMark, "'key' is always present; write '{key}'", at: .init(file: "A.yaml", line: 1, column: 1), length: 4,
            suggestion: "key")
        #expect(
            DiagnosticRenderer().text([needless]) == "A.yaml:1:1: error: 'key' is always present; write '{key}' [CS0410]\n")
    }

    @Test func `a terminal shows the source with a caret, and nothing where there is no source`() {
        #expect(
            DiagnosticRenderer(showing: Self.sources, usesColor: false).text(Self.diagnostics) == """
                Specs/A.yaml:2:2: error: a method has no key 'enpoints'; did you mean 'endpoints'? [CS0201]
                2 | \tenpoints: é
                  | \t^~~~~~~~
                Specs/A.yaml:3:1: note: needed here
                3 | last
                  | ^
                C.yaml:7:9: warning: unused "x" [CS0505]

                """)
    }

    @Test func `color changes nothing but color`() {
        let colored = DiagnosticRenderer(showing: Self.sources, usesColor: true).text(Self.diagnostics)
        #expect(colored.contains("\u{1B}[1;31merror:\u{1B}[0m"))
        #expect(colored.contains("\u{1B}[1;35mwarning:\u{1B}[0m"))
        let plain = colored.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        #expect(plain == DiagnosticRenderer(showing: Self.sources, usesColor: false).text(Self.diagnostics))
    }

    @Test func `an underline ends with its line`() {
        let long = Diagnostic(.wrongShape, "x", at: .init(file: "Specs/A.yaml", line: 1, column: 6), length: 50)
        #expect(DiagnosticRenderer(showing: Self.sources, usesColor: false).text([long]).hasSuffix("1 | first: 1\n  |      ^~~\n"))
    }

    @Test func `a place outside of the file has no snippet or an empty one`() {
        for location in [(1, 99), (99, 1), (1, 1)] {
            let far = Diagnostic(.wrongShape, "x", at: .init(file: "B.yaml", line: location.0, column: location.1))
            #expect(DiagnosticRenderer(showing: Self.sources, usesColor: false).text([far]).hasPrefix("B.yaml:"))
        }
    }

    @Test func `a long line is cut around the caret`() {
        let line = String(repeating: "a", count: 400) + "b" + String(repeating: "c", count: 400)
        let diagnostic = Diagnostic(.unknownKey, "x", at: .init(file: "L.yaml", line: 1, column: 401), length: 1)
        let text = DiagnosticRenderer(showing: SpecSources(own: [SpecFile("L.yaml", line)]), usesColor: false).text([diagnostic])
        let lines = text.split(separator: "\n").map { Array($0) }
        #expect(lines.allSatisfy { $0.count < 300 })
        #expect(lines[2].firstIndex(of: "^") == lines[1].firstIndex(of: "b"))
        #expect(lines[1].firstIndex(of: "b") != nil)
    }

    @Test func `the name of a file and characters without a look do not steer the terminal`() {
        let diagnostic = Diagnostic(.unknownKey, "a\u{202E}b", at: .init(file: "a\u{1B}[31m\n.yaml", line: 1, column: 1))
        let text = DiagnosticRenderer().text([diagnostic])
        #expect(text == "a\u{FFFD}[31m\u{FFFD}.yaml:1:1: error: a\u{FFFD}b [CS0201]\n")
    }

    @Test func `a name from a file neither ends the line nor steers the terminal`() {
        let sources = SpecSources(method: ValidSpec.method.changing("mock:", to: "\"a\\nb\\e[31m\": c\nmock:"))
        let text = DiagnosticRenderer().text(SpecReader.read(sources).diagnostics)
        #expect(text == "Web.yaml:28:1: error: a method has no key 'a\u{FFFD}b\u{FFFD}[31m' [CS0201]\n")
        let raw = SpecSources(method: "a: \u{1B}[31m\n")
        #expect(!DiagnosticRenderer(showing: raw, usesColor: false).text(SpecReader.read(raw).diagnostics).contains("\u{1B}"))
    }

    @Test func `JSON has sorted keys and a version`() throws {
        #expect(
            try DiagnosticRenderer.json([Self.diagnostics[0]]) == """
                {
                  "diagnostics" : [
                    {
                      "code" : "CS0201",
                      "column" : 2,
                      "file" : "Specs/A.yaml",
                      "length" : 8,
                      "line" : 2,
                      "message" : "a method has no key 'enpoints'",
                      "notes" : [
                        {
                          "column" : 1,
                          "file" : "Specs/A.yaml",
                          "line" : 3,
                          "message" : "needed here"
                        }
                      ],
                      "severity" : "error",
                      "suggestion" : "endpoints"
                    }
                  ],
                  "version" : "1"
                }

                """)
    }

    @Test func `no diagnostics are no text, and an empty list of JSON`() throws {
        #expect(DiagnosticRenderer().text([]) == "")
        #expect(try DiagnosticRenderer.json([]).contains("\"diagnostics\" : ["))
    }

    @Test func `the line after all diagnostics names the command that shows an example`() throws {
        let all = Self.diagnostics
        #expect(DiagnosticRenderer.pointer(for: []) == "")
        let one = try #require(all.first)
        #expect(
            DiagnosticRenderer.pointer(for: [one, one])
                == "For an incorrect and a corrected example: countersign explain \(one.code.rawValue)\n")
        let several = [one, Diagnostic(.tab, "a tab", at: one.location)]
        #expect(
            DiagnosticRenderer.pointer(for: several)
                == "For an example of each code, incorrect and corrected: countersign explain \(one.code.rawValue)\n")
    }
}
