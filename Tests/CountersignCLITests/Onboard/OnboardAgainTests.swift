import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

@testable import CountersignCLI

/// Runs with the stored results of earlier runs.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct OnboardAgainTests {
    @Test func `after a failed run another configuration begins anew, at its own server`() async throws {
        try await OnboardBench.run { first in
            await #expect(throws: CommandExit.refused) { try await first.run(first.path("configuration.json"), canLogIn: false) }
            let asked = first.mock.statistics.sends
            try await OnboardBench.run(in: first.folder) { second in
                try second.write("second.json", Data(second.configuration.utf8))
                try await second.run(second.path("second.json"), "--json")
                #expect(try second.report().server == second.origin)
                #expect(second.recorded.messages.contains("Server: \(second.origin)"))
                #expect(first.mock.statistics.sends == asked)
                let third = second.next
                try await third.run("--json", canLogIn: false)
                #expect(try third.report().server == second.origin && third.report().restored)
            }
        }
    }

    @Test func `a passcode that was refused is followed by a new one, and nobody logs in`() async throws {
        try await OnboardBench.run { bench in
            let text = String(decoding: try #require(bench.mock.makeCrossContextConfiguration()), as: UTF8.self)
            let wrong = text.replacing(#/"passcode":"[^"]*"/#, with: #""passcode":"c4n4ry""#)
            #expect(wrong != text)
            await #expect(throws: CommandExit.refused) { try await bench.run(wrong, canLogIn: false) }
            #expect(!bench.recorded.messages.contains("c4n4ry"))
            let second = bench.next
            try await second.run(text, "--json", canLogIn: false)
            #expect(try second.report().ok)
            #expect(bench.mock.statistics.oauth2.tokenAnswers == [.password: 1])
        }
    }

    @Test func `a run that goes on says with which server`() async throws {
        try await OnboardBench.run { bench in
            await #expect(throws: CommandExit.refused) { try await bench.run(bench.path("configuration.json"), canLogIn: false) }
            let second = bench.next
            try await second.run("--json")
            #expect(second.recorded.messages.contains("Server: \(bench.origin)"))
        }
    }

    @Test func `what is complete is kept without --reset, and it is said where that is`() async throws {
        try await OnboardBench.run { first in
            try await first.run(first.path("configuration.json"))
            try await OnboardBench.run(in: first.folder) { second in
                try second.write("second.json", Data(second.configuration.utf8))
                try await second.run(second.path("second.json"), "--json", canLogIn: false)
                #expect(try second.report().restored && second.report().server == first.origin)
                #expect(second.recorded.messages.contains("Already onboarded at \(first.origin)"))
                #expect(second.recorded.messages.contains("--reset"))
                let third = second.next
                try await third.run(third.path("second.json"), "--reset", "--json")
                #expect(try third.report().server == second.origin)
            }
        }
    }

    @Test func `--reset forgets nothing until there is a configuration that can be used`() async throws {
        try await OnboardBench.run { bench in
            try await bench.run(bench.path("configuration.json"))
            try bench.write("broken.json", Data("{".utf8))
            let other = bench.configuration.replacing(#""type":"oauth2""#, with: #""type":"saml2.web.post""#)
            try bench.write("other.json", Data(other.utf8))
            try bench.write("bare.json", Data(#"{"auth":[],"host":"app.example"}"#.utf8))
            let again = bench.next
            await #expect(throws: CommandExit.badData) { try await again.run(bench.path("bare.json"), "--reset") }
            await #expect(throws: CommandExit.noInput) { try await again.run(bench.path("typo.json"), "--reset") }
            await #expect(throws: CommandExit.badData) { try await again.run(bench.path("broken.json"), "--reset") }
            await #expect(throws: CommandExit.badData) { try await again.run(bench.path("other.json"), "--reset") }
            await #expect(throws: CommandExit.noInput) { try await again.run("--reset", reader: { _ in nil }) }
            await #expect(throws: CommandExit.usage) {
                try await again.run(bench.path("configuration.json"), "--reset", "--request", "http://other.example/")
            }
            let last = bench.next
            try await last.run("--json", canLogIn: false)
            #expect(try last.report().restored && last.report().ok)
        }
    }

    @Test func `a page that the browser cannot be sent to is warned of, once, by the key that is in the configuration`()
        async throws
    {
        try await OnboardBench.run { bench in
            let xsuaa = try #require(bench.mock.xsuaaAuthorizationURL)
            let page = xsuaa.absoluteString
            let origin = "\(try #require(Origin(xsuaa)))"
            for key in ["oauth2.xsuaaAuthorizationEndpoint", "oauth2.xsuaaAuthorizationURL"] {
                let run = bench.next
                try await run.run(run.configuration(with: [key: page]), "--reset", "--json", "--trust", origin)
                #expect(try run.report().ok)
                #expect(run.recorded.messages.components(separatedBy: "warning: '\(key)'").count == 2)
                #expect(run.recorded.messages.contains("oauth2.authorizationEndpoint"))
            }
            let restored = bench.next
            try await restored.run("--json")
            #expect(restored.recorded.messages == "")
            let without = bench.next
            try await without.run(without.configuration, "--reset")
            #expect(!without.recorded.messages.contains("warning:"))
        }
    }
}
