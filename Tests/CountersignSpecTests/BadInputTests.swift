import CountersignSpec
import TestTurns
import Testing

/// Input that no author writes: reading must end with an error that has a location.
@Suite(.computes) struct BadInputTests {
    static let texts: [String] = [
        "", "\n", "{", "}", "[", "]", "&", "*", "!", "|", ">", "%", "@", "`", "\"", "'", "- ", "? ", ": ", "#", "---", "...", "\t",
        "%YAML 1.2\n---\na: b\n", "%YAML 9.9\n---\na: b\n", "%TAG ! tag:example,2000:\n---\na: !b c\n",
        "? *a\n: b\n", "&a a: *a\n", "&a [*a]\n", "a: &b\nc: *b\n", "&k a: 1\n*k : 2\n", "\"\": 1\n\"\": 2\n", ": 1\n: 2\n",
        "? [a]\n: 1\n? [a]\n: 2\n", "<<: {}\n", "a: !!binary x\n", "a: ! b\n", "{a, a, a}\n", "\u{85}\u{2028}a: b\n",
        "\u{1F511}: x\n",
        "a: b: c\n", "a:\n  b\n c: d\n", "- a\nb: c\n", "a: |\n  b\n c\n", "a: 'b\n", "\"\\x41\": 1\nA: 2\n", "''''\n",
        String(repeating: "{a: ", count: 10_000), String(repeating: "? ", count: 10_000), String(repeating: "- ", count: 10_000),
        String(repeating: "[", count: 50_000), String(repeating: "a: &a\n", count: 200), String(repeating: "a: 1\n", count: 200),
        String(repeating: "&a *a ", count: 2000), "a: " + String(repeating: "x", count: 100_000),
        (0..<2000).map { "k\($0): v\n" }.joined(),
    ]

    @Test(.timeLimit(.minutes(10)), arguments: texts.indices)
    func `reading ends with an error that has a place`(_ index: Int) {
        let text = Self.texts[index]
        for sources in [
            SpecSources(method: text), SpecSources(landscape: text),
            SpecSources(extending: text, method: text),
            SpecSources(extending: ValidSpec.extending + "methods:\n  Web:\n    failures: \(text.prefix(100))\n"),
        ] {
            let reading = SpecReader.read(sources)
            #expect((reading.landscape == nil) == reading.diagnostics.contains { $0.severity == .error })
            for diagnostic in reading.diagnostics {
                #expect(diagnostic.location.line >= 1 && diagnostic.location.column >= 1)
            }
            _ = DiagnosticRenderer(showing: sources, usesColor: true).text(reading.diagnostics)
        }
        #expect(SpecReader.read(SpecSources(method: text)).landscape == nil)
    }

    @Test func `whichever byte is broken, reading ends`() {
        let bytes = Array(ValidSpec.method.utf8)
        for index in stride(from: 0, to: bytes.count, by: 13) {
            for byte: UInt8 in [0xFF, 0x00, UInt8(ascii: "{"), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "&")] {
                var broken = bytes
                broken[index] = byte
                let reading = SpecReader.read(
                    SpecSources(own: [SpecFile("landscape.yaml", ValidSpec.landscape), SpecFile(path: "Web.yaml", bytes: broken)]))
                #expect((reading.landscape == nil) == reading.diagnostics.contains { $0.severity == .error })
            }
        }
    }
}
