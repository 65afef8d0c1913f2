import TestTurns
import Testing

@testable import CountersignSpec

/// Corrections of words in a file.
@Suite(.computes) struct SpecCorrectionTests {
    private func diagnostic(
        _ line: Int, _ column: Int, _ length: Int, _ suggestion: String?, code: DiagnosticCode = .unknownKey
    ) -> Diagnostic {
        Diagnostic(
            code, "m", at: SourceLocation(file: "a.yaml", line: line, column: column), length: length, suggestion: suggestion)
    }

    private func corrected(_ text: String, _ diagnostics: Diagnostic...) -> (text: String, places: [Int]) {
        let file = SpecFile(path: "a.yaml", bytes: Array(text.utf8))
        let suggested = SpecCorrection.suggested(by: diagnostics, for: file)
        let (result, made) = SpecCorrection.applying(suggested, to: file)
        return (String(decoding: result.bytes, as: UTF8.self), made.map(\.place.column))
    }

    @Test func `columns are Unicode scalars, line breaks stay, and a byte order mark too`() {
        let result = corrected("\u{FEFF}é: ünd\r\nkye: 1\rnaem: 2\n", diagnostic(2, 1, 3, "key"), diagnostic(3, 1, 4, "name"))
        #expect(Array(result.text.utf8) == Array("\u{FEFF}é: ünd\r\nkey: 1\rname: 2\n".utf8))
        #expect(corrected("é: { kye: 1 }", diagnostic(1, 6, 3, "key")).text == "é: { key: 1 }")
    }

    @Test func `several words of a line are corrected, and have their new places`() {
        let result = corrected("a: { kye: 1, nam: 2, z: 3 }\n", diagnostic(1, 14, 3, "name"), diagnostic(1, 6, 3, "keys"))
        #expect(result.text == "a: { keys: 1, name: 2, z: 3 }\n")
        #expect(result.places == [6, 15])
    }

    @Test func `only a word is replaced by a word, and only if there is one suggestion`() {
        let text = "\"kye\": 1\n"
        #expect(corrected(text, diagnostic(1, 1, 5, "key")).text == text)
        #expect(corrected(text, diagnostic(1, 2, 3, "a key")).text == text)
        #expect(corrected(text, diagnostic(1, 2, 3, nil)).text == text)
        #expect(corrected(text, diagnostic(1, 2, 3, "key"), diagnostic(1, 2, 3, "keys")).text == text)
        #expect(corrected(text, diagnostic(1, 2, 3, "key")).text == "\"key\": 1\n")
    }

    @Test func `a reference is not changed to a name that no other one has`() {
        let first = diagnostic(2, 6, 3, "url", code: .unknownReference)
        let second = diagnostic(3, 6, 3, "url", code: .unknownReference)
        let text = "url: 1\na: \"{uri}\"\nb: \"{uri}\"\n"
        #expect(corrected(text, first, second).text == text)
        #expect(corrected(text + "c: \"{url?}\"\n", first, second).text == "url: 1\na: \"{url}\"\nb: \"{url}\"\nc: \"{url?}\"\n")
        // Of one declaration and one reference, either may be misspelt.
        #expect(corrected("url: 1\na: \"{uri}\"\n", first).text == "url: 1\na: \"{uri}\"\n")
        let agreed = corrected("url: 1\na: \"{uri}\"\nb: \"{url}\"\n", first)
        #expect(agreed.text == "url: 1\na: \"{url}\"\nb: \"{url}\"\n")
        // A part of a request is a word of the language.
        let part = diagnostic(1, 5, 12, "request.body", code: .unknownReference)
        #expect(corrected("a: {request.bdoy }\n", part).text == "a: {request.body }\n")
        // A step that sets a field of the credential agrees with the field's declaration.
        let field = diagnostic(2, 5, 14, "credential.url", code: .unknownReference)
        #expect(corrected("url: 1\na: {credential.uri}\n", field).text == "url: 1\na: {credential.uri}\n")
        #expect(corrected("url: 1\na: {credential.uri}\nurl: 2\n", field).text == "url: 1\na: {credential.url}\nurl: 2\n")
        // A missing prefix is no misspelling.
        let bare = [2, 3].map { diagnostic($0, 6, 3, "settings.uri", code: .unknownReference) }
        #expect(corrected(text, bare[0], bare[1]).text == "url: 1\na: \"{settings.uri}\"\nb: \"{settings.uri}\"\n")
    }

    @Test func `a reference in braces and a name outside of them are not corrected for different reasons`() {
        func obstacles(_ text: String, _ diagnostics: Diagnostic...) -> Set<SpecCorrection.Obstacle> {
            SpecCorrection.obstacles(in: diagnostics, of: SpecFile(path: "a.yaml", bytes: Array(text.utf8)))
        }
        let place = diagnostic(1, 6, 3, "url", code: .unknownReference)
        #expect(obstacles("a: \"{uri}\"\n", place) == [.soleReference])
        #expect(obstacles("a: \"{uri?}\"\n", place) == [.soleReference])
        #expect(obstacles("a: [ uri ]\n", place) == [.nameWithoutBraces])
        // A mapping has braces, too.
        #expect(obstacles("a:  {uri: present}\n", place) == [.nameWithoutBraces])
        #expect(obstacles("a: \"{uri}\"\nb: \"{url}\"\n", place) == [.other])
        #expect(obstacles("a: \"\\x7Buri}\"\n", diagnostic(1, 4, 11, "url", code: .unknownReference)) == [.other])
        #expect(obstacles("a: \"{uri}\"\n", diagnostic(1, 6, 3, nil, code: .unknownReference), diagnostic(1, 6, 3, "url")) == [])
    }

    @Test func `a file that is not UTF-8 is not corrected`() {
        let file = SpecFile(path: "a.yaml", bytes: [0x6B, 0x79, 0x65, 0x3A, 0xFF])
        #expect(
            SpecCorrection.obstacles(in: [diagnostic(1, 1, 3, "key", code: .unknownReference)], of: file) == [.other])
        #expect(SpecCorrection.suggested(by: [diagnostic(1, 1, 3, "key")], for: file).isEmpty)
    }
}
