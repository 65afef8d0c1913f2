import ArgumentParser
import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import Testing

@testable import CountersignCLI

/// The demo as the command runs it: the generated module against its own mock.
@Suite struct DemoCommandTests {
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
        try await run("--json", on: recorded)
        let report = try JSONDecoder().decode(Report.self, from: Data(recorded.output.utf8))
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

    @Test func `the table fits into 80 columns and ends in a verdict`() async throws {
        let recorded = RecordedConsole()
        try await run("--requests", "3", on: recorded)
        let lines = recorded.output.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(lines.first?.hasPrefix("method") == true)
        #expect(lines.last == "ok: one authentication for 3 simultaneous challenges, in each of 13 ways")
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
