import ArgumentParser
import Countersign
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

    @Test func `RT-12 a hundred requests without a session take one login and at most two sends each`() async throws {
        let recorded = RecordedConsole()
        await #expect(throws: Never.self) { try await run("--json", on: recorded) }
        let report = try JSONDecoder().decode(Report.self, from: Data(recorded.output.utf8))
        for row in report.rows { #expect(row.problems == [], "\(row.method)") }
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

    @Test func `the table has a line for each method, as README shows it, and challenge and steps below it if they are wanted`()
        async throws
    {
        let recorded = RecordedConsole()
        let report = try await DemoCommand.parse(["--requests", "3"]).report(console: recorded.console)
        for row in report.rows { #expect(row.problems == [], "\(row.method)") }
        let table = report.table()
        #expect(table.count == 2 + report.rows.count)
        #expect(try Self.comparable(table + [report.verdict()]) == Self.comparable(Self.transcript()))

        let verbose = report.table(isVerbose: true)
        #expect(verbose.filter { !$0.hasPrefix(" ") } == table)
        #expect((table + verbose).allSatisfy { $0.count <= 80 })
        let words = Set(verbose.flatMap { $0.split(separator: " ") })
        for row in report.rows {
            // The system has the tickets: no step brings them.
            #expect(row.steps.isEmpty == (row.method == "HTTP Negotiate"))
            let whole = [row.challenge, row.steps.joined(separator: ", ")].flatMap { $0.split(separator: " ") }
            #expect(words.isSuperset(of: whole), "\(row.method): no word is broken")
        }
        #expect(verbose.contains("  challenge  200 com.sap.cloud.security.login: login-request"))
    }

    /// The demo's lines in README.md, with the counts of three requests instead of a hundred.
    private static func transcript() throws -> [String] {
        let readme = try String(contentsOf: URL(filePath: #filePath + "/../../../../README.md").standardized, encoding: .utf8)
        let lines = readme.split(separator: "\n").map(String.init)
        let begin = try #require(lines.firstIndex { $0.hasPrefix("method  ") })
        let end = try #require(lines.firstIndex { $0.hasPrefix("ok: ") })
        return lines[begin...end].map { $0.replacing(#/\b([12])00\b/#) { $0.output.1 == "1" ? "3" : "6" } }
    }

    /// Lines without what differs from run to run: times, and how wide they make their column.
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

    @Test func `it is said of each row how few requests a sign-in takes, and another count is a problem`() {
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
