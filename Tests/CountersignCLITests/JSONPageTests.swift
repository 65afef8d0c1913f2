import Countersign
import CountersignDynamic
import CountersignGenerator
import CountersignSpec
import Foundation
import HTTPTypes
import TestTurns
import Testing

@testable import CountersignCLI

/// The page on the JSON of the commands names exactly the members that they write.
@Suite(.computes) struct `The page on JSON` {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/Countersign/Countersign.docc/Guides/JSONOfTheCommand.md")

    /// A documented member.
    private struct Member {
        let path: String
        /// Whether its own members have names that are not documented.
        let isOpen: Bool
    }

    /// Returns the members in the table below a heading.
    private static func members(below heading: String) throws -> [Member] {
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == "### \(heading)" }, "there is no heading '\(heading)'")
        return lines[(start + 1)...].prefix { !$0.hasPrefix("#") }.compactMap { line in
            guard let found = line.firstMatch(of: /^\| `([^`]+)` \| ([^|]+) \| [^|]+ \|$/) else { return nil }
            return Member(path: String(found.1.replacing("?", with: "")), isOpen: found.2 == "object of texts")
        }
    }

    /// Returns the paths of all values in JSON.
    private static func paths(_ value: Any, _ path: String, open: Set<String>) -> Set<String> {
        if let object = value as? [String: Any], !open.contains(path) {
            return object.reduce(into: []) { found, member in
                found.formUnion(paths(member.value, path.isEmpty ? member.key : "\(path).\(member.key)", open: open))
            }
        }
        if let list = value as? [Any] { return list.reduce(into: []) { $0.formUnion(paths($1, "\(path)[]", open: open)) } }
        return [path]
    }

    private func check(_ heading: String, _ texts: String...) throws { try check(heading, texts) }

    private func check(_ heading: String, _ texts: [String]) throws {
        let members = try Self.members(below: heading)
        let open = Set(members.filter(\.isOpen).map(\.path))
        let written = try texts.reduce(into: Set<String>()) {
            $0.formUnion(Self.paths(try JSONSerialization.jsonObject(with: Data($1.utf8)), "", open: open))
        }
        #expect(members.map(\.path).count == Set(members.map(\.path)).count)
        #expect(Set(members.map(\.path)) == written, "\(heading)")
    }

    @Test func `an error`() throws {
        let failure = FailureReport.Failure("m", help: "h", said: ServerWords("s"), exit: CommandExit.refused)
        try check("An error", try JSONText.of(FailureReport(error: failure)))
    }

    @Test func `the demo`() throws {
        let row = DemoRow(method: "SAML", challenge: "401", steps: ["load"], requests: 1, remark: "r", problems: ["p"])
        try check("countersign demo", try DemoReport(landscape: "L", rows: [row]).json())
    }

    @Test func `a comparison`() throws {
        let edits = [
            DiffBench.Edit("    default: web\n", "    default: app\n"), DiffBench.addedAnswer,
            DiffBench.Edit("  tenant: { type: string, optional: true, summary: The tenant. }\n", ""),
            DiffBench.Edit(#", X-Tenant: "{tenant?}""#, ""),
        ]
        try check("countersign diff", try DiffReport(comparison: try DiffBench.comparison(edits)).json())
    }

    @Test func `diagnostics`() throws {
        let place = SourceLocation(file: "a.yaml", line: 1, column: 1)
        let diagnostic = Diagnostic(
            .unknownKey, "m", at: place, suggestion: "s", notes: [Diagnostic.Note("n", at: place)])
        let file = SpecFile(path: "a.yaml", bytes: Array("mistake: 1\n".utf8))
        let corrections = SpecCorrection.suggested(by: [diagnostic], for: file)
        try check("countersign lint", try DiagnosticRenderer.json([diagnostic], after: corrections))
    }

    @Test func `an explanation`() throws {
        let texts = try ["SAPMobileServices", "Keystone", "Matrix"].flatMap { name in
            let landscape = try ShippedLandscapes.landscape(named: name)
            return try landscape.methods.flatMap { method in
                try method.variants.map { try MethodExplanation(method, $0, of: landscape).json() }
            }
        }
        try check("countersign explain", texts)
    }

    @Test func `a new landscape`() throws {
        let entries = ManifestEntries(target: "Parcels", path: nil, products: ["Countersign"])
        try check("countersign new", try entries.json(files: ["Sources/Parcels/landscape.yaml"]))
    }

    @Test func `an onboarding`() throws {
        let report = OnboardReport(
            server: "https://a.example", applicationID: nil, method: "oauth2", restored: false, path: "/", status: 200, bytes: 1)
        try check("countersign onboard", try report.json())
    }

    @Test func `a probe`() throws {
        let url = try #require(URL(string: "https://registry.example/v2/"))
        let head = HTTPResponse(
            status: .unauthorized,
            headerFields: [
                .wwwAuthenticate: #"Bearer realm="https://auth.example/token",service="registry""#, .contentType: "text/plain",
                .location: "/login", .setCookie: "session=1",
            ])
        let answer = ProbeAnswer(head: head, body: [])
        let landscape = try ShippedLandscapes.landscape(named: "ContainerRegistry")
        let matches = landscape.methods.compactMap { ProbeReport.Match($0, of: landscape, answer: answer, from: url) }
        let elsewhere = ProbeAnswer(
            head: HTTPResponse(status: .found, headerFields: [.location: "https://login.microsoftonline.com/"]), body: [])
        let product = ProbedProduct(
            try ShippedLandscapes.landscape(named: "EntraID"), extending: "OpenIDConnect", answer: elsewhere, from: url, beside: [])
        try check(
            "countersign probe", try ProbeReport(url: url, answer: answer, matches: matches).json(),
            try ProbeReport(url: url, answer: elsewhere, matches: [], products: [product]).json())
    }

    @Test func `a status`() throws {
        let credential = StatusReport.Credential(
            method: "m", server: "https://a.example", identity: ["user": "alice"], details: ["read"],
            expires: Date(timeIntervalSince1970: 0), isRenewable: true)
        let report = StatusReport(
            profile: "p", landscape: "l", methods: [StatusReport.Method(name: "m", variant: "v", hasCookies: false)], store: "/s",
            credentials: [credential], values: ["user": "alice"], cookies: ["a.example"])
        try check("countersign status", try report.json())
        #expect(try report.json().contains(#""expires" : "1970-01-01T00:00:00Z""#))
    }
}
