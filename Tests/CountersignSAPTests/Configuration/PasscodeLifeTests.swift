import CountersignSAP
import Foundation
import Testing

/// The lifetime of a passcode, from the arrival of its configuration through all its uses.
@Suite struct PasscodeLifeTests {
    private let clock = ManualClock()

    private func link() throws -> URL {
        let config = try #require(Configurations.scanned.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return try #require(URL(string: "com.example.app://onboard?config=\(config)"))
    }

    @Test(arguments: [(Duration.milliseconds(29_999), true), (.seconds(30), false), (.seconds(300), false)])
    func `the time of a link begins when it is opened, whenever it is loaded`(age: Duration, isGood: Bool) throws {
        let provider = URLConfigurationProvider(clock: clock)
        #expect(provider.handle(try link()))
        clock.advance(by: age)
        let passcode = try #require(try ConfigurationLoader(providers: [provider], clock: clock).loadConfiguration().passcode)
        #expect(passcode.isUsable == isGood)
        #expect(passcode.remainingLife == max(.zero, .seconds(30) - age))
        if isGood {
            #expect(try passcode.redeem() == Configurations.passcode)
        } else {
            #expect(throws: OnboardingPasscodeError.expired) { try passcode.redeem() }
        }
    }

    @Test func `a link is given once`() throws {
        let provider = URLConfigurationProvider(clock: clock)
        #expect(provider.handle(try link()))
        #expect(provider.expectedInput.isEmpty)
        let loader = ConfigurationLoader(providers: [provider], clock: clock)
        #expect(try loader.loadConfiguration().passcode != nil)
        #expect(Array(provider.expectedInput.keys) == ["URLstring"])
        let error = #expect(throws: ConfigurationLoadingError.self) { try loader.loadConfiguration() }
        #expect(error?.failures.first?.error as? ConfigurationError == .missingKey("URLstring", source: "the input"))
        #expect(provider.handle(try link()))
        #expect(provider.provideConfiguration().providerSuccess)
        #expect(!provider.provideConfiguration().providerSuccess)
    }

    @Test func `a direct call of a provider returns no expired passcode`() throws {
        for (age, isThere) in [(Duration.seconds(29), true), (.seconds(30), false)] {
            let provider = URLConfigurationProvider(clock: clock)
            #expect(provider.handle(try link()))
            clock.advance(by: age)
            let configuration = provider.provideConfiguration().configuration
            #expect(configuration["host"] as? String == "app.example")
            #expect("\(configuration)".contains(Configurations.passcode) == isThere)
        }
    }

    @Test func `a passcode that is loaded again is the same one, and its time goes on`() throws {
        let loader = ConfigurationLoader(providers: [JSONConfigurationProvider()], clock: clock)
        let input = ["JSONstring": Configurations.scanned]
        let first = try #require(try loader.loadConfiguration(userInputs: input).passcode)
        clock.advance(by: .seconds(20))
        let again = try #require(try loader.loadConfiguration(userInputs: input).passcode)
        #expect(again.remainingLife == .seconds(10))
        _ = try first.redeem()
        #expect(throws: OnboardingPasscodeError.alreadyUsed) { try again.redeem() }
        let once = try #require(try loader.loadConfiguration(userInputs: input).passcode)
        #expect(!once.isUsable)
    }

    @Test func `a flow after a reset, over the same file, does not use the passcode again`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "countersign-\(UUID()).json")
        try Data(Configurations.scanned.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let step = WelcomeScreenStep(
            transformer: DiscoveryServiceConfigurationTransformer(), providers: [FileConfigurationProvider(file: file)],
            clock: clock)
        let context = OnboardingContext(credentialStore: CredentialCodableStore(MemoryCredentialStore()))
        let first = try await step.onboard(context: context)
        _ = try first.passcode?.redeem()
        await step.reset(context: first)
        let second = try await step.onboard(context: context)
        #expect(throws: OnboardingPasscodeError.alreadyUsed) { try second.passcode?.redeem() }
        context.sapURLSession.invalidateAndCancel()
    }

    @Test func `a passcode is redeemed for a closure once, and its errors are handed on`() throws {
        struct Refused: Error {}
        let passcode = OnboardingPasscode("c4n4ry", clock: clock)
        #expect(throws: Refused.self) { try passcode.redeem { _ in throw Refused() } }
        #expect(throws: OnboardingPasscodeError.alreadyUsed) { try passcode.redeem { $0 } }
        #expect(try OnboardingPasscode("c4n4ry", clock: clock).redeem(\.count) == 6)
        let late = OnboardingPasscode("c4n4ry", lifetime: .seconds(5), clock: clock)
        clock.advance(by: .seconds(5))
        #expect(throws: OnboardingPasscodeError.expired) { try late.redeem { $0 } }
    }

    @Test func `RT-30 a provider shows nothing of its link`() throws {
        let provider = URLConfigurationProvider(clock: clock)
        #expect(provider.handle(try link()))
        #expect(!everything(of: provider).contains("c4n4ry"))
    }
}
