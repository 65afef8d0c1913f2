import CountersignSAP
import Foundation
import Testing

/// Several providers in order, and the passcode in the loader.
@Suite struct ConfigurationLoaderTests {
    /// An application's own provider, in the form that the documentation shows.
    private struct FixedProvider: ConfigurationProviding {
        struct Unavailable: Error { var secret = "c4n4ry" }

        let providerIdentifier: String
        var expectedInput: [String: Any] { [:] }
        var host: String?

        func provideConfiguration(
            input: [String: Any]
        ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
            guard let host else { return (false, [:], Unavailable()) }
            return (true, ["host": host, "auth": [["type": "basic.default", "config": [:]]]], nil)
        }
    }

    @Test func `the first provider that has a configuration wins`() throws {
        let loader = ConfigurationLoader(providers: [
            FixedProvider(providerIdentifier: "first"), ManagedConfigurationProvider { ["theme": "dark"] },
            FixedProvider(providerIdentifier: "second", host: "host with spaces"),
            FixedProvider(providerIdentifier: "third", host: "third.example"),
            FixedProvider(providerIdentifier: "fourth", host: "fourth.example"),
        ])
        let loaded = try loader.loadConfiguration()
        #expect(loaded.providerIdentifier == "third")
        #expect(try loaded.configuration.values().baseURL?.host() == "third.example")
        #expect(loaded.configuration.source == "third")
        #expect(loaded.skipped.map(\.providerIdentifier) == ["first", ConfigurationProviderNames.managed, "second"])
        #expect(
            loaded.skipped[1].error as? ConfigurationError
                == .missingKey("host", source: "the managed configuration"))
        #expect(loaded.passcode == nil)
    }

    @Test func `if none has one, all errors are reported and none is quoted that is not known`() throws {
        let loader = ConfigurationLoader(providers: [JSONConfigurationProvider(), FixedProvider(providerIdentifier: "own")])
        let error = try #require(throws: ConfigurationLoadingError.self) { try loader.loadConfiguration() }
        #expect(error.failures.count == 2)
        #expect(error.failures.last?.error is FixedProvider.Unavailable)
        #expect(error.description.contains("The input has no 'JSONstring'"))
        #expect(error.description.contains("own: Unavailable"))
        #expect(!error.description.contains("c4n4ry"))
        #expect(throws: ConfigurationLoadingError.self) { try ConfigurationLoader(providers: []).loadConfiguration() }
    }

    @Test func `a scanned passcode is good once, for thirty seconds`() throws {
        let clock = ManualClock()
        let loader = ConfigurationLoader(providers: [JSONConfigurationProvider()], clock: clock)
        let input = ["JSONstring": Configurations.scanned]
        let loaded = try loader.loadConfiguration(userInputs: input)
        let passcode = try #require(loaded.passcode)
        clock.advance(by: .seconds(29))
        #expect(passcode.isUsable)
        let values = try loaded.configuration.values(grantType: "password", passcode: try passcode.redeem())
        #expect(values.values["oauth2.passcode"] == Configurations.passcode)
        #expect(values.values["oauth2.clientID"] == "qr")
        #expect(throws: OnboardingPasscodeError.alreadyUsed) { try passcode.redeem() }
        #expect(!passcode.isUsable)

        let another = ConfigurationLoader(providers: [JSONConfigurationProvider()], clock: clock)
        let late = try #require(try another.loadConfiguration(userInputs: input).passcode)
        clock.advance(by: .seconds(30))
        #expect(!late.isUsable)
        #expect(throws: OnboardingPasscodeError.expired) { try late.redeem() }
        // A late attempt counts as the one use.
        #expect(throws: OnboardingPasscodeError.alreadyUsed) { try late.redeem() }
    }

    @Test func `RT-30 what is loaded shows no passcode`() throws {
        let loader = ConfigurationLoader(providers: [JSONConfigurationProvider()])
        let loaded = try loader.loadConfiguration(userInputs: ["JSONstring": Configurations.scanned])
        #expect(!everything(of: loaded).contains("c4n4ry"))
        #expect(!everything(of: try #require(loaded.passcode)).contains("c4n4ry"))
        #expect(try loaded.configuration.values().values["oauth2.passcode"] == nil)
        for error in [OnboardingPasscodeError.expired, .alreadyUsed] {
            #expect(error.failureReason != nil && error.recoverySuggestion != nil)
        }
    }
}
