import ArgumentParser
import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

@testable import CountersignCLI

/// The command sends credentials to confirmed origins only.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct OnboardOriginsTests {
    /// Returns the configuration of one server with the token endpoint of another.
    private func configuration(of bench: OnboardBench, tokensAt other: OnboardBench) -> String {
        let endpoint = "/oauth2/api/v1/token"
        return bench.configuration.replacing(
            bench.mock.baseURL.absoluteString + endpoint, with: other.mock.baseURL.absoluteString + endpoint)
    }

    @Test(arguments: [nil, "", "no", "y"])
    func `B5 a token endpoint elsewhere is refused without a yes, and nothing is sent or forgotten`(answer: String?) async throws {
        try await OnboardBench.run { bench in
            try await bench.run(bench.path("configuration.json"))
            let asked = bench.mock.statistics.sends
            try await OnboardBench.run(in: bench.folder) { evil in
                let again = bench.next
                let text = configuration(of: bench, tokensAt: evil)
                await #expect(throws: CommandExit.failed) { try await again.run(text, "--reset", reader: { _ in answer }) }
                let messages = again.recorded.messages
                #expect(messages.contains(bench.origin), "\(messages)")
                #expect(messages.contains("\(evil.origin) (oauth2.tokenEndpoint)"), "\(messages)")
                #expect(messages.contains("--trust"))
                #expect(evil.mock.statistics.sends == [:])
                #expect(bench.mock.statistics.sends == asked)
            }
            let last = bench.next
            try await last.run("--json", canLogIn: false)
            #expect(try last.report().restored && last.report().ok)
        }
    }

    @Test func `B5 without a terminal there is no yes`() async throws {
        try await OnboardBench.run { bench in
            try await OnboardBench.run(in: bench.folder) { evil in
                let text = configuration(of: bench, tokensAt: evil)
                await #expect(throws: CommandExit.failed) { try await bench.run(text) }
                #expect(evil.mock.statistics.sends == [:] && bench.mock.statistics.sends == [:])
            }
        }
    }

    @Test func `an origin is confirmed in the terminal or on the command line, and once`() async throws {
        try await OnboardBench.run { bench in
            let xsuaa = try #require(bench.mock.xsuaaAuthorizationURL)
            let origin = try #require(Origin(xsuaa))
            let text = bench.configuration(with: ["oauth2.xsuaaAuthorizationEndpoint": xsuaa.absoluteString])
            try await bench.run(text, "--json", reader: { _ in "yes" })
            #expect(try bench.report().ok)
            #expect(bench.recorded.messages.components(separatedBy: "\(origin) (").count == 2)
            let again = bench.next
            try await again.run(text, "--reset", "--json", "--trust", "\(origin)/")
            #expect(try again.report().ok)
            #expect(!again.recorded.messages.contains("\(origin) ("))
        }
    }

    @Test(arguments: ["login.example", "ftp://login.example", "https://login.example/path", "https://u@login.example", ""])
    func `what is trusted has to be an origin`(text: String) {
        #expect(throws: (any Error).self) { try OnboardCommand.parse(["--trust", text]) }
    }
}
