import ArgumentParser
import Countersign
import CountersignDynamic
import CountersignSpec
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

@testable import CountersignCLI

/// The demo as the command runs it: the generated module against its own mock.
@Suite(.takesAllTurns) struct DemoCommandTests {
    private func run(_ arguments: String..., on recorded: RecordedConsole) async throws {
        let command = try DemoCommand.parse(arguments)
        try await command.run(console: recorded.console)
    }

    private struct Report: Decodable {
        let rows: [Row]
        let ok: Bool

        struct Row: Decodable {
            let method: String
            let challenge: String
            let steps: [String]
            let challenged: Int
            let authentications: Int
            let sends: Int
            let seconds: Double
            let problems: [String]
            let ok: Bool
        }
    }

    /// The rows whose challenge is the example in a spec.
    private static let examples: KeyValuePairs = [
        "SAML": "SAPMobileServices.SAML", "SAML + OTP": "SAPMobileServices.OTP", "OAuth2 code": "SAPMobileServices.OAuth2",
        "Basic": "SAPMobileServices.BasicAuthentication", "API key": "SAPMobileServices.APIKeyAuthentication",
        "Certificate": "SAPMobileServices.UserIdentity", "Transmission": "Transmission.TransmissionSession",
        "SAML ECP": "SAMLECP.SAMLECP", "Registry token": "ContainerRegistry.RegistryToken",
        "Keystone": "Keystone.KeystonePassword", "HTTP Digest": "HTTPAuthentication.HTTPDigest",
        "HTTP Negotiate": "HTTPAuthentication.HTTPNegotiate", "Form login": "FormLogin.FormLogin",
        "Browser login": "FormLogin.BrowserLogin", "JSON-RPC login": "FormLogin.JSONRPCLogin",
        "OAuth, user": "OAuth.AuthorizationCode", "OAuth, device": "OAuth.DeviceCode",
        "OAuth, service": "OAuth.ClientCredentials", "OpenID, user": "OpenIDConnect.OpenIDLogin",
        "OpenID, bound": "OpenIDConnect.OpenIDLogin", "OpenID, device": "OpenIDConnect.OpenIDDevice",
        "OpenID, service": "OpenIDConnect.OpenIDService", "OpenID, mTLS": "OpenIDConnect.OpenIDCertificate",
        "OpenID, exchange": "OpenIDConnect.OpenIDExchange", "MCP": "ModelContextProtocol.MCPAuthorization",
        "MCP, service": "ModelContextProtocol.MCPService",
    ]

    /// Checks that the examples of challenges in specs are what the mocks send: the status code, and the field or body that the
    /// row shows. Values that are redacted, or that differ between runs, are compared by their names.
    private static func compare(_ rows: [Report.Row]) throws {
        for (row, name) in examples {
            let shown = try #require(rows.first { $0.method == row }?.challenge, "no row '\(row)'")
            let parts = name.split(separator: ".").map(String.init)
            let method = try ShippedLandscapes.landscape(named: parts[0]).method(named: parts[1])
            let examples = method.resolved.challenges.compactMap(\.example)
            #expect(examples.contains { isShown($0.text.value, status: $0.status, by: shown) }, "\(row): \(shown)")
        }
    }

    private static func isShown(_ example: String, status: Int, by shown: String) -> Bool {
        let words = shown.split(separator: " ", maxSplits: 1).map(String.init)
        guard words[0] == "\(status)" else { return false }
        guard words.count > 1 else { return true }
        let text = example.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        // Names and values, without the values of this run.
        let stable = words[1].lowercased().split(whereSeparator: { " ,".contains($0) }).map { word in
            word.hasSuffix("=<redacted>") || word.contains("127.0.0.1") ? word.prefix { $0 != "=" } : word
        }
        return stable.allSatisfy { text.contains($0) || $0.count > 40 }
    }

    @Test func `RT-12 a hundred requests without a session take one login and at most two sends each`() async throws {
        let recorded = RecordedConsole()
        await #expect(throws: Never.self) { try await run("--json", on: recorded) }
        let report = try JSONDecoder().decode(Report.self, from: Data(recorded.output.utf8))
        for row in report.rows { #expect(row.problems == [], "\(row.method)") }
        try Self.compare(report.rows)
        let row = try #require(report.rows.first)
        #expect(row.method == "SAML")
        #expect(row.challenge == "200 com.sap.cloud.security.login: login-request")
        #expect(row.steps == ["present"])
        #expect(row.challenged == 100)
        #expect(row.authentications == 1)
        #expect(row.sends == 200)
        #expect(row.problems == [])
        #expect(report.ok)
        #expect(recorded.messages == "")
        let second = try #require(report.rows.first { $0.method == "SAML + OTP" })
        #expect(second.challenge == "200 x-smp-authentication: otp-challenge")
        #expect(second.challenged == 100)
        #expect(second.authentications == 1)
        #expect(second.sends == 200)
    }

    @Test func `the table has a line for each method, as the documentation shows it, and challenge and steps below it if wanted`()
        async throws
    {
        let recorded = RecordedConsole()
        let report = try await DemoCommand.parse(["--requests", "3"]).report(console: recorded.console)
        for row in report.rows { #expect(row.problems == [], "\(row.method)") }
        let table = report.table()
        #expect(table.count == 2 + report.rows.count)
        let lines = Self.comparable(table + [report.verdict()])
        #expect(try lines == Self.comparable(Self.transcript(in: Self.article)))
        // The README shows some of the rows, in the same order.
        let shown = Self.comparable(try Self.transcript(in: "README.md"))
        #expect(shown.count > 5)
        #expect(lines.filter { shown.contains($0) } == shown)

        let verbose = report.table(isVerbose: true)
        #expect(verbose.filter { !$0.hasPrefix(" ") } == table)
        #expect((table + verbose).allSatisfy { $0.count <= 80 })
        let words = Set(verbose.flatMap { $0.split(separator: " ") })
        for row in report.rows {
            // The system has the tickets, so no step obtains them.
            #expect(row.steps.isEmpty == (row.method == "HTTP Negotiate"))
            let whole = [row.challenge, row.steps.joined(separator: ", ")].flatMap { $0.split(separator: " ") }
            #expect(words.isSuperset(of: whole), "\(row.method): no word is broken")
        }
        #expect(verbose.contains("  challenge  200 com.sap.cloud.security.login: login-request"))
    }

    /// The article with all rows of the demo.
    private static let article = "Sources/Countersign/Countersign.docc/OneAuthenticationForMany.md"

    /// Returns the demo's lines in a page, with the counts of three requests instead of a hundred.
    private static func transcript(in page: String) throws -> [String] {
        let text = try String(contentsOf: URL(filePath: #filePath + "/../../../../\(page)").standardized, encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init)
        let begin = try #require(lines.firstIndex { $0.hasPrefix("method  ") })
        let end = try #require(lines.firstIndex { $0.hasPrefix("ok: ") })
        return lines[begin...end].map { $0.replacing(#/\b([12])00\b/#) { $0.output.1 == "1" ? "3" : "6" } }
    }

    /// Returns the lines without the parts that differ between runs: times, and the width of their column.
    private static func comparable(_ lines: [String]) -> [String] {
        lines.map { $0.replacing(#/[0-9]+\.[0-9]+s/#, with: "time").replacing(#/[ -]{2,}/#, with: " ") }
    }

    @Test func `with --verbose the command shows challenge and steps`() async throws {
        let recorded = RecordedConsole(isTerminal: true)
        let command = try DemoCommand.parse(["--requests", "2", "--verbose"])
        try await command.run(console: recorded.console, scenarios: [SAMLScenario()])
        #expect(recorded.output.contains("\n  challenge  200 com.sap.cloud.security.login: login-request\n  steps      present\n"))
        #expect(!recorded.output.contains("\u{1B}"), "colours are for terminals that allow them")
    }

    @Test func `each row has the number of requests that a sign-in takes, and another count is a problem`() {
        for scenario in DemoCommand.scenarios {
            let plan = ExchangePlan.of(row: scenario.row)
            #expect(plan != nil, "\(scenario.row)")
            var row = DemoRow(method: scenario.row, challenge: "", steps: [], requests: 0)
            row.authentications = 1
            row.exchanges = plan?.count ?? 0
            row.judge()
            #expect(row.problems == [])
            row.exchanges += 1
            row.judge()
            #expect(row.problems.count == 1)
        }
    }

    @Test func `a method that could not be shown has no details`() {
        let report = DemoReport(landscape: "Empty", rows: [DemoRow(method: "SAML", challenge: "", steps: [], requests: 1)])
        #expect(report.table(isVerbose: true) == report.table())
    }

    @Test func `without the shared flight the row fails`() async throws {
        let recorded = RecordedConsole()
        let command = try DemoCommand.parse(["--requests", "4", "--without-flight"])
        await #expect(throws: CommandExit.failed) {
            try await command.run(console: recorded.console, scenarios: [CrowdedScenario(base: SAMLScenario(), logins: 4)])
        }
        #expect(recorded.messages.contains("SAML: 4 authentications instead of 1"))
        #expect(recorded.output.hasSuffix("failed: SAML\n"))
    }

    @Test func `a scenario that cannot be shown is a row that fails`() async throws {
        let recorded = RecordedConsole()
        let command = try DemoCommand.parse(["--requests", "2"])
        let landscape = Landscape(name: "Empty", summary: "", loggingPrefix: "") { _ in [] }
        await #expect(throws: CommandExit.failed) { try await command.run(console: recorded.console, landscape: landscape) }
        #expect(recorded.messages.contains("no method"))
    }

    @Test(arguments: ["0", "401", "-1", "many"])
    func `a count that makes no sense is refused`(count: String) {
        #expect(throws: (any Error).self) { try DemoCommand.parse(["--requests=\(count)"]) }
    }
}
