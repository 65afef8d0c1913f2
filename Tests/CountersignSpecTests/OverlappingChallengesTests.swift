import CountersignSpec
import TestTurns
import Testing

@Suite(.computes) struct OverlappingChallengesTests {
    /// A challenge of each of two methods, and a response that matches both; `nil` if there is none.
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
        Pair("headers: { A: b }", "headers: { a: present }", "401 with 'A: b'"),
        Pair("headers: { A: bcd }", "headers: { A: { prefix: bc } }", "401 with 'A: bcd'"),
        Pair("headers: { A: bcd }", "headers: { A: { prefix: c } }", nil),
        Pair("headers: { A: bcd }", "headers: { A: { contains: c } }", "401 with 'A: bcd'"),
        Pair("headers: { A: bcd }", "headers: { A: { contains: x } }", nil),
        Pair("headers: { A: { any-case: abc } }", "headers: { A: { prefix: AB } }", "401 with 'A: abc'"),
        Pair("headers: { A: { any-case: abc } }", "headers: { A: { contains: d } }", nil),
        Pair("headers: { A: { prefix: ab } }", "headers: { A: { prefix: abc } }", "401 with 'A: abc'"),
        Pair("headers: { A: { prefix: ab } }", "headers: { A: { prefix: b } }", nil),
        Pair("headers: { A: { prefix: ab } }", "headers: { A: { contains: x } }", "401 with 'A: abx'"),
        Pair("headers: { A: { contains: x } }", "headers: { A: { contains: y } }", "401 with 'A: xy'"),
        // A prefix of a redirect is compared as a URL.
        Pair(
            "headers: { Location: { prefix: /login } }", "headers: { location: { prefix: \"https://a.example/\" } }",
            "401 with 'Location: https://a.example/login'"),
        Pair(
            "headers: { Location: \"https://a.example/login\" }", "headers: { Location: { prefix: /login } }",
            "401 with 'Location: https://a.example/login'"),
        Pair("headers: { Location: { prefix: /login } }", "headers: { Location: { prefix: \"https://a.example/in\" } }", nil),
        Pair("headers: { A: { prefix: /login } }", "headers: { A: { prefix: \"https://a.example/\" } }", nil),
        // Defaults are compared. A field without a default can have any name.
        Pair("headers: { \"{headerName}\": a }", "headers: { X-Login: b }", nil),
        Pair("headers: { \"{headerName}\": a }", "headers: { x-login: a }", "401 with 'X-Login: a'"),
        Pair("headers: { A: \"{loginURL}\" }", "headers: { A: b }", "401 with 'A: b'"),
        // By scheme: a field is assumed to offer one scheme.
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
            scheme("Bearer", "realm: present"), scheme("Bearer", "realm: \"{loginURL}\""),
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
        // A part that must be absent in one is present in the other.
        Pair("status: 401\n    headers: { A: absent }", "headers: { a: present }", nil),
        Pair("status: 401\n    headers: { A: absent }", "status: 401\n    headers: { a: absent }", "401 with no 'A'"),
        Pair("status: 401\n    headers: { A: absent }", "headers: { B: c }", "401 with no 'A', 'B: c'"),
        Pair("status: 401\n    headers: { A: absent }", "headers: { \"{headerName}\": a }", "401 with no 'A', 'X-Login: a'"),
        Pair("status: 401\n    headers: { x-login: absent }", "headers: { \"{headerName}\": a }", nil),
        Pair("status: 401\n    headers: { www-authenticate: absent }", scheme("Bearer"), nil),
        Pair(
            "status: 401\n    headers: { WWW-Authenticate: absent }", "status: 401\n    proxy-authenticate: Bearer",
            "401 with no 'WWW-Authenticate', 'Proxy-Authenticate: Bearer'"),
        Pair(scheme("Bearer", "error: absent"), scheme("Bearer", "Error: present"), nil),
        Pair(scheme("Bearer", "error: absent"), scheme("Bearer", "realm: a"), "401 with 'WWW-Authenticate: Bearer realm=\"a\"'"),
        Pair(scheme("Bearer", "error: absent"), scheme("Bearer", "error: absent"), "401 with 'WWW-Authenticate: Bearer'"),
        Pair("status: 200\n    json: { /a: absent }", "status: 200\n    json: { /a/b: c }", nil),
        Pair("status: 200\n    json: { /a/b: c }", "status: 200\n    json: { /a: absent }", nil),
        Pair(
            "status: 200\n    json: { /a: absent }", "status: 200\n    json: { /ab: c }",
            "200 with no '/a' in its JSON, '/ab: c' in its JSON"),
        Pair("status: 200\n    json: { /a/*: absent }", "status: 200\n    json: { /a/0/b: c }", nil),
        Pair(
            "status: 200\n    json: { /a/0: absent }", "status: 200\n    json: { /a/*: c }",
            "200 with no '/a/0' in its JSON, '/a/*: c' in its JSON"),
        Pair("status: 200\n    xml: { /A/B: absent }", "status: 200\n    xml: { /A/B/@c: d }", nil),
        Pair("status: 200\n    cookies: { a: absent }", "status: 200\n    cookies: { a: b }", nil),
        Pair(
            "status: 200\n    cookies: { a: absent }", "status: 200\n    cookies: { A: b }",
            "200 with no cookie 'a', 'A=b' as a cookie"),
        // Conditions on the body, and conditions on presence.
        Pair("status: 200\n    json: { /a: b }", "status: 200\n    json: { /a: c }", nil),
        Pair(
            "status: 200\n    json: { /a: b }", "status: 200\n    json: { /A: c }",
            "200 with '/a: b' in its JSON, '/A: c' in its JSON"),
        Pair("status: 200\n    json: { /a: b }", "status: 200\n    json: { /a: present }", "200 with '/a: b' in its JSON"),
        // Each of two items of a list can meet a condition.
        Pair(
            "status: 200\n    json: { /a/*: b }", "status: 200\n    json: { /a/*: c }",
            "200 with '/a/*: b' in its JSON, '/a/*: c' in its JSON"),
        Pair("status: 200\n    json: { /a/*: b }", "status: 200\n    json: { /a/*: b }", "200 with '/a/*: b' in its JSON"),
        Pair("status: 200\n    json: { /a/*: b }", "status: 200\n    json: { /a/*: absent }", nil),
        Pair("status: 200\n    text: { prefix: a }", "status: 200\n    text: { prefix: b }", nil),
        Pair("status: 200\n    text: { prefix: a }", "status: 200\n    text: { contains: b }", "200 with 'ab' in its body"),
        Pair("status: 200\n    cookies: { a: b }", "status: 200\n    cookies: { a: c }", nil),
        Pair("status: 200\n    cookies: { a: b }", "status: 200\n    cookies: present", "200 with 'a=b' as a cookie"),
    ])
    func `two methods overlap if a response can be a challenge of both`(_ pair: Pair) throws {
        let whole = "status: 401\n    headers:\n      \"{headerName}\": required"
        // All parameters stay in use with any challenge.
        func method(_ challenge: String) -> String {
            ValidSpec.method.changing(whole, to: challenge).changing(
                "acquire:\n",
                to:
                    "acquire:\n  - http: { send: \"GET {loginURL}\", headers: { \"{headerName}\": a }, answers: [{ status: 200 }] }\n"
            )
        }
        let reading = SpecReader.read(
            SpecSources(own: [
                SpecFile("landscape.yaml", ValidSpec.landscape), SpecFile("A.yaml", method(pair.first)),
                SpecFile("B.yaml", method(pair.second).replacing("Web", with: "Other")),
            ]))
        let expected = pair.example.map { ["a response can match both this challenge and 'login' of 'Web', such as \($0)"] } ?? []
        #expect(reading.diagnostics.map(\.message) == expected)
        #expect(reading.diagnostics.allSatisfy { $0.code == .overlappingChallenges && $0.location.file == "B.yaml" })
        #expect(reading.landscape != nil)
    }

    /// Returns files of the valid method under other names, each with one of the challenges.
    private static func files(_ challenges: [String], factors: [String] = []) -> [SpecFile] {
        challenges.enumerated().map { index, challenge in
            let factor = factors.isEmpty ? "first" : factors[index]
            return SpecFile(
                "\(index).yaml",
                ValidSpec.method.replacing("Web", with: "Method\(index)")
                    .changing("credential:", to: "factor: \(factor)\ncredential:")
                    .changing("- name: login\n    status: 401\n    headers:\n      \"{headerName}\": required", to: challenge))
        }
    }

    private static func warnings(
        _ challenges: [String], factors: [String] = [], overlaps: String = ""
    ) -> [Diagnostic] {
        let landscape = SpecFile("landscape.yaml", ValidSpec.landscape + overlaps)
        let reading = SpecReader.read(SpecSources(own: [landscape] + files(challenges, factors: factors)))
        #expect(reading.landscape != nil, "\(DiagnosticRenderer().text(reading.diagnostics))")
        return reading.diagnostics.filter { $0.code == .overlappingChallenges }
    }

    private static let plain = "- { name: login, status: 401, headers: { \"{headerName}\": required } }"

    @Test func `a second factor comes behind the first, so nothing overlaps`() {
        func count(_ factors: [String]) -> Int { Self.warnings([Self.plain, Self.plain], factors: factors).count }
        #expect(count(["first", "second"]) == 0)
        #expect(count(["first", "first"]) == 1)
        #expect(count(["second", "second"]) == 1)
    }

    @Test func `what a landscape says is intended is no mistake, within a group`() {
        let three = [Self.plain, Self.plain, Self.plain]
        #expect(Self.warnings(three).count == 3)
        #expect(Self.warnings(three, overlaps: "overlaps: [[Method0, Method1, Method2]]\n").isEmpty)
        let left = Self.warnings(three, overlaps: "overlaps: [[Method0, Method1], [Method2, Method1]]\n")
        #expect(left.map(\.location.file) == ["2.yaml"])
        #expect(left.flatMap(\.notes).map(\.location.file) == ["0.yaml"])
    }

    @Test func `a connection that is refused is no response, and overlaps with nothing`() {
        let certificates = ["One", "Two"].map { name in
            SpecFile(
                "\(name).yaml",
                ValidSpec.certificate.changing("method: Certificate", to: "method: \(name)").changing(
                    "  - { name: page, status: 400, text: { contains: Show your \"certificate\". } }\n", to: ""))
        }
        let reading = SpecReader.read(SpecSources(own: [SpecFile("landscape.yaml", ValidSpec.landscape)] + certificates))
        #expect(reading.diagnostics.isEmpty, "\(DiagnosticRenderer().text(reading.diagnostics))")
    }

    @Test func `what a challenge has to bring is a part of the example`() throws {
        let methods = ["Web", "Other"].map { name in
            SpecFile("\(name).yaml", ValidSpec.echo.changing("method: Web", to: "method: \(name)"))
        }
        let reading = SpecReader.read(SpecSources(own: [SpecFile("landscape.yaml", ValidSpec.coreLandscape)] + methods))
        #expect(
            reading.diagnostics.map(\.message) == [
                "a response can match both this challenge and 'conflict' of 'Other', such as 409 with 'X-Id: …'",
                "a response can match both this challenge and 'expired' of 'Other', such as 410 with 'X-Id: …'",
            ])
    }

    @Test func `two methods that share many challenges get no more than twenty messages`() {
        let many = (0..<30).map { "- { name: c\($0), status: 401, headers: { \"{headerName}\": required } }" }.joined(
            separator: "\n  ")
        #expect(Self.warnings([many, many]).count == 20)
        #expect(Self.warnings([many, many, Self.plain]).count == 60)
    }

    @Test func `challenges of any status are compared with all, in the order of the files`() {
        let warnings = Self.warnings([
            Self.plain, "- { name: any, headers: { \"{headerName}\": required } }",
            "- { name: other, status: [403, 401], headers: { \"{headerName}\": required } }",
        ])
        #expect(
            warnings.map(\.message) == [
                "a response can match both this challenge and 'login' of 'Method0', such as 401 with 'X-Login: required'",
                "a response can match both this challenge and 'any' of 'Method1', such as 401 with 'X-Login: required'",
                "a response can match both this challenge and 'login' of 'Method0', such as 401 with 'X-Login: required'",
            ])
    }

    @Test func `two hundred methods with statuses of their own overlap only where two have the same`() {
        let challenges = (0..<200).map { number in
            "- { name: login, status: \(300 + number), headers: { \"{headerName}\": required } }"
        }
        let warnings = Self.warnings(challenges + ["- { name: login, status: 317, headers: { \"{headerName}\": required } }"])
        #expect(warnings.map(\.location.file) == ["200.yaml"])
        #expect(warnings.flatMap(\.notes).map(\.location.file) == ["17.yaml"])
    }
}
