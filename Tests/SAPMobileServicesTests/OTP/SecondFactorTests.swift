import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A passcode after another method, in one request and in many.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct SecondFactorTests {
    @Test(arguments: OTPBench.FirstFactor.allCases)
    func `M16 one request is challenged by both methods and answered in the end`(_ first: OTPBench.FirstFactor) async throws {
        try await OTPBench.run(first) { bench in
            try await bench.expectAlice()
            #expect(bench.firstLogins(first) == 1)
            #expect(
                bench.counted
                    == counted {
                        $0.challenges = 1; $0.forms = 1; $0.logins = 1
                    })
            #expect(bench.mock.statistics.sends["/orders"] == 3)
            #expect(bench.mock.statistics.strayCookies == 0)
            // Both logins remain valid.
            try await bench.expectAlice()
            #expect(bench.mock.statistics.sends["/orders"] == 4)
        }
    }

    @Test func `a body is sent again after each of the two challenges`() async throws {
        try await OTPBench.run { bench in
            var request = URLRequest(url: bench.mock.baseURL.appending(path: "orders"))
            request.httpMethod = "POST"
            request.httpBody = Data("two chairs".utf8)
            let (data, _) = try await bench.session.data(for: request)
            let resource = try JSONDecoder().decode(MockResource.self, from: data)
            #expect(resource.body == "two chairs")
            #expect(bench.mock.statistics.sends["/orders"] == 3)
        }
    }

    @Test(arguments: OTPBench.FirstFactor.allCases)
    func `a hundred requests at once take one login and one passcode`(_ first: OTPBench.FirstFactor) async throws {
        try await OTPBench.run(first) { bench in
            let gate = bench.mock.hold("/orders", until: 100, limit: .seconds(300))
            let users = await withTaskGroup(of: String?.self) { group in
                for _ in 0..<100 { group.addTask { try? await bench.user() } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(!gate.hasTimedOut)
            #expect(users == Array(repeating: "alice", count: 100))
            #expect(bench.firstLogins(first) == 1)
            #expect(bench.counted.logins == 1)
            #expect(bench.counted.usedCodes == 0)
            #expect((bench.mock.statistics.sends["/orders"] ?? 0) <= 300)
        }
    }

    @Test func `what needs no second factor asks for none`() async throws {
        try await OTPBench.run { bench in
            try await bench.expectAlice(at: "public")
            #expect(bench.counted == MockPasscodeStatistics())
        }
    }

    @Test func `an expired passcode is asked for again, and the first login is not`() async throws {
        try await OTPBench.run { bench in
            try await bench.expectAlice()
            bench.mock.endPasscodeSessions()
            bench.mock.advancePasscodes()
            try await bench.expectAlice()
            #expect(bench.mock.statistics.logins == 1)
            #expect(bench.counted.logins == 2)
        }
    }

    @Test func `parameters of one's own make the same observer`() async throws {
        func observer(_ settings: SAPcpmsSettingsParameters) -> OTPObserver {
            OTPObserver(otpParameters: OTPParameters(settingsParameters: settings))
        }
        try await OTPBench.run(otp: observer) { bench in try await bench.expectAlice() }
        func another(_ settings: SAPcpmsSettingsParameters) -> OTPObserver {
            OTPObserver(authenticator: OTPAuthenticator(settingsParameters: settings))
        }
        try await OTPBench.run(otp: another) { bench in try await bench.expectAlice() }
        try await OTPBench.run(otp: { OTPObserver(settingsParameter: $0) }) { bench in try await bench.expectAlice() }
    }

    @Test func `the parameters that follow from the settings are those of the seeds`() throws {
        let base = try #require(URL(string: "https://www.myhost.com/"))
        let parameters = OTPParameters(
            settingsParameters: SAPcpmsSettingsParameters(backendURL: base, applicationID: "com.example.app"))
        #expect(
            parameters.authorizationEndpointURL.absoluteString
                == "https://www.myhost.com/mobileservices/OTPForm?redirecttooriginalurl=false")
        #expect(parameters.finishEndpointURL.absoluteString == "https://www.myhost.com/mobileservices/OTPForm?finished=true")
        #expect(parameters.challengeHeaderName == "x-smp-authentication")
        #expect(parameters.challengeHeaderValue == "otp-challenge")
    }

    private func counted(_ change: (inout MockPasscodeStatistics) -> Void) -> MockPasscodeStatistics {
        var statistics = MockPasscodeStatistics()
        change(&statistics)
        return statistics
    }
}
