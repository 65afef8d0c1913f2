import CountersignSpec
import TestTurns
import Testing

@Suite(.takesTurns) struct OverlappingChallengesTests {
    /// A challenge of the first method and one of the second, and a response that is both.
    struct Pair: Sendable, CustomTestStringConvertible {
        let first: String
        let second: String
        let example: String?
        var testDescription: String { "\(first) and \(second)" }

        init(_ first: String, _ second: String, _ example: String?) {
            self.first = first
            self.second = second
            self.example = example
        }
    }

    private static func scheme(_ name: String, _ parameter: String? = nil) -> String {
        let parameters = parameter.map { ", parameters: { \($0) }" } ?? ""
        return "status: 401\n    www-authenticate: { scheme: \(name)\(parameters) }"
    }

    @Test(arguments: [
        Pair("status: 401", "status: 403", nil),
        Pair("status: [401, 403]", "status: [403, 407]", "403"),
        Pair("status: 401", "headers: { A: b }", "401 with 'A: b'"),
        Pair("headers: { A: b }", "headers: { C: d }", "401 with 'A: b', 'C: d'"),
        Pair("headers: { A: b }", "headers: { a: c }", nil),
        Pair("headers: { A: b }", "headers: { a: B }", nil),
        Pair("headers: { A: b }", "headers: { a: { present: true } }", "401 with 'A: b'"),
        Pair("headers: { A: bcd }", "headers: { A: { prefix: bc } }", "401 with 'A: bcd'"),
        Pair("headers: { A: bcd }", "headers: { A: { prefix: c } }", nil),
        Pair("headers: { A: bcd }", "headers: { A: { contains: c } }", "401 with 'A: bcd'"),
        Pair("headers: { A: bcd }", "headers: { A: { contains: x } }", nil),
        Pair("headers: { A: { prefix: ab } }", "headers: { A: { prefix: abc } }", "401 with 'A: abc'"),
        Pair("headers: { A: { prefix: ab } }", "headers: { A: { prefix: b } }", nil),
        Pair("headers: { A: { prefix: ab } }", "headers: { A: { contains: x } }", "401 with 'A: abx'"),
        Pair("headers: { A: { contains: x } }", "headers: { A: { contains: y } }", "401 with 'A: xy'"),
        // Defaults are compared; without one, a field can be anything.
        Pair("headers: { \"{headerName}\": a }", "headers: { X-Login: b }", nil),
        Pair("headers: { \"{headerName}\": a }", "headers: { x-login: a }", "401 with 'X-Login: a'"),
        Pair("headers: { A: \"{loginURL}\" }", "headers: { A: b }", "401 with 'A: b'"),
        // By scheme: a field is taken to offer one.
        Pair(scheme("Bearer"), scheme("Basic"), nil),
        Pair(scheme("Bearer"), scheme("bearer"), "401 with 'WWW-Authenticate: Bearer'"),
        Pair(scheme("Bearer"), "status: 401", "401 with 'WWW-Authenticate: Bearer'"),
        Pair(scheme("Bearer"), "status: 403", nil),
        Pair(scheme("Bearer"), "headers: { A: b }", "401 with 'A: b', 'WWW-Authenticate: Bearer'"),
        Pair(
            scheme("Bearer"), "status: 401\n    proxy-authenticate: Bearer",
            "401 with 'WWW-Authenticate: Bearer', 'Proxy-Authenticate: Bearer'"),
        Pair(scheme("Bearer", "error: a"), scheme("Bearer", "error: b"), nil),
        Pair(scheme("Bearer", "error: a"), scheme("Bearer", "Error: A"), nil),
        Pair(scheme("Bearer", "error: a"), scheme("Basic", "error: a"), nil),
        Pair(scheme("Bearer", "error: a"), scheme("Bearer"), "401 with 'WWW-Authenticate: Bearer error=\"a\"'"),
        Pair(
            scheme("Bearer", "error: a"), scheme("Bearer", "realm: 'b\"c'"),
            "401 with 'WWW-Authenticate: Bearer error=\"a\", realm=\"b\\\"c\"'"),
        Pair(
            scheme("Bearer", "error: { prefix: in }"), scheme("Bearer", "ERROR: { contains: token }"),
            "401 with 'WWW-Authenticate: Bearer error=\"intoken\"'"),
        Pair(
            scheme("Bearer", "realm: { present: true }"), scheme("Bearer", "realm: \"{loginURL}\""),
            "401 with 'WWW-Authenticate: Bearer realm=\"…\"'"),
        Pair(scheme("Bearer", "realm: \"{headerName}\""), scheme("Bearer", "realm: X-Other"), nil),
        Pair(
            scheme("Bearer", "realm: \"{headerName}\""), scheme("Bearer", "realm: X-Login"),
            "401 with 'WWW-Authenticate: Bearer realm=\"X-Login\"'"),
        // A field that one method compares as a list of schemes and the other as text.
        Pair(scheme("Bearer"), "headers: { WWW-Authenticate: { prefix: Basic } }", nil),
        Pair(
            scheme("Bearer"), "headers: { WWW-Authenticate: { prefix: \"Bearer realm=\" } }",
            "401 with 'WWW-Authenticate: Bearer realm='"),
        Pair(scheme("Bearer"), "headers: { WWW-Authenticate: { contains: a=b } }", "401 with 'WWW-Authenticate: Bearer, a=b'"),
    ])
    func `two methods overlap if a response can be a challenge of both`(_ pair: Pair) throws {
        let whole = "status: 401\n    headers:\n      \"{headerName}\": required"
        // The header parameter stays in use, whatever the challenge says.
        let page = "url: \"{loginURL}?name={headerName}\""
        let reading = SpecReader.read(
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.landscape),
                SpecFile("A.yaml", ValidSpec.method.changing(whole, to: pair.first).changing("url: \"{loginURL}\"", to: page)),
                SpecFile(
                    "B.yaml",
                    ValidSpec.method.replacing("Web", with: "Other").changing(whole, to: pair.second)
                        .changing("url: \"{loginURL}\"", to: page)),
            ]))
        let expected = pair.example.map { ["a response can be this challenge and 'login' of 'Web', such as \($0)"] } ?? []
        #expect(reading.diagnostics.map(\.message) == expected)
        #expect(reading.diagnostics.allSatisfy { $0.code == .overlappingChallenges && $0.location.file == "B.yaml" })
        #expect(reading.landscape != nil)
    }

    @Test func `a second factor comes behind the first, so nothing overlaps`() {
        func warnings(_ factors: [String]) -> [DiagnosticCode] {
            let texts = [ValidSpec.method, ValidSpec.method.replacing("Web", with: "Other")]
            let files = zip(texts, factors).enumerated().map { index, pair in
                SpecFile("\(index).yaml", pair.0.changing("credential:", to: "factor: \(pair.1)\ncredential:"))
            }
            return SpecReader.read(SpecSources(own: [SpecFile("landscape.yaml", ValidSpec.landscape)] + files)).diagnostics.map(
                \.code)
        }
        #expect(warnings(["first", "second"]) == [])
        #expect(warnings(["first", "first"]) == [.overlappingChallenges])
        #expect(warnings(["second", "second"]) == [.overlappingChallenges])
    }
}
