import CountersignSpec
import TestTurns
import Testing

@Suite(.computes) struct BrokenSpecTests {
    @Test(arguments: BrokenSpecs.all)
    func `a mistake is reported at its place, with its code`(_ broken: BrokenSpec) throws {
        let reading = SpecReader.read(broken.sources)
        let expectation = try #require(broken.expectation)
        let diagnostic = try #require(
            reading.diagnostics.first { $0.code == broken.code && $0.location == expectation.location },
            "expected \(broken.code.rawValue) at \(expectation.location), found\n\(DiagnosticRenderer().text(reading.diagnostics))")
        #expect(diagnostic.length == max(1, expectation.length))
        #expect(diagnostic.suggestion == broken.suggestion)
        if let message = broken.message {
            #expect(
                reading.diagnostics.contains { $0.location == expectation.location && $0.message == message },
                "\(diagnostic.message)")
        }
        #expect(
            reading.diagnostics.map(\.code.rawValue).sorted() == ([broken.code] + broken.consequences).map(\.rawValue).sorted(),
            "\(DiagnosticRenderer().text(reading.diagnostics))")
        #expect((reading.landscape == nil) == reading.diagnostics.contains { $0.severity == .error })
    }

    @Test(arguments: DiagnosticCode.allCases)
    func `each code has a broken spec`(_ code: DiagnosticCode) {
        #expect(BrokenSpecs.all.contains { $0.code == code } || BrokenSpecs.coveredElsewhere[code] != nil)
    }

    @Test(arguments: DiagnosticCode.allCases)
    func `each code is explained in one sentence`(_ code: DiagnosticCode) {
        #expect(code.explanation.hasSuffix("."))
        #expect(!code.explanation.contains("\n"))
        #expect(code.rawValue.wholeMatch(of: /CS0[1-7][0-9]{2}/) != nil)
    }
}
