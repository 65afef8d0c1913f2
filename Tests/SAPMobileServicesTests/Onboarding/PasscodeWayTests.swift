import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The whole path of a passcode on one clock: its link arrives and is loaded, and the passcode is redeemed and sent.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct PasscodeWayTests {
    /// Stands for the time between the welcome screen and the login.
    private final class SlowStep: OnboardingStep {
        private let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
        func onboard(context: OnboardingContext) async throws -> OnboardingContext {
            work()
            return context
        }
        func restore(context: OnboardingContext) async throws -> OnboardingContext { context }
    }

    private func run(_ body: (MockLandscape) async throws -> Void) async throws {
        var options = MockOptions()
        options.protection = "OAuth2"
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options, body)
    }

    /// Makes a session on the clock, without a presenter.
    private func session(_ clock: StepClock) -> SAPURLSession {
        var configuration = SAPURLSession.Configuration()
        configuration.session.clock = clock
        return SAPURLSession(configuration: configuration)
    }

    private func provider(_ mock: MockLandscape, clock: StepClock) throws -> URLConfigurationProvider {
        let provider = URLConfigurationProvider(clock: clock)
        let address = try #require(URL(string: "com.example.app://onboard"))
        let link = try #require(mock.makeCrossContextLink(to: address))
        #expect(provider.handle(link))
        return provider
    }

    @Test(arguments: [(9_999, true), (10_000, false)])
    func `the time of a passcode runs once, from the link to the token request`(last: Int, isSent: Bool) async throws {
        try await run { mock in
            let clock = StepClock()
            let provider = try provider(mock, clock: clock)
            clock.advance(by: .seconds(10))
            let steps: [any OnboardingStep] = [
                WelcomeScreenStep(
                    transformer: DiscoveryServiceConfigurationTransformer(applicationID: "com.example.app"), providers: [provider],
                    clock: clock),
                SlowStep { clock.advance(by: .seconds(10)) },
                // The request is made after the passcode is redeemed.
                OAuth2AuthenticationStep(validationRequest: { context in
                    clock.advance(by: .milliseconds(last))
                    return URLRequest(url: try context.backendURL().appending(path: "orders"))
                }),
            ]
            let session = session(clock)
            defer { session.invalidateAndCancel() }
            let context = OnboardingContext(
                sapURLSession: session, credentialStore: CredentialCodableStore(MemoryCredentialStore()))
            let error = await ending { _ = try await OnboardingFlow(steps: steps, context: context).run() }
            #expect(mock.statistics.oauth2.tokenRequests == (isSent ? [.password: 1] : [:]))
            if isSent {
                #expect(error == nil)
            } else {
                guard case .stepFailed("OAuth2AuthenticationStep", let reason)? = error as? OnboardingError else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect("\(reason)".contains("that time has passed"))
            }
        }
    }

    @Test(arguments: [(9_999, true), (10_000, false)])
    func `an authenticator that an application creates with a passcode gets its remaining lifetime`(
        last: Int, isSent: Bool
    ) async throws {
        try await run { mock in
            let clock = StepClock()
            let provider = try provider(mock, clock: clock)
            clock.advance(by: .seconds(10))
            let loaded = try ConfigurationLoader(providers: [provider], clock: clock).loadConfiguration()
            clock.advance(by: .seconds(10))
            let session = session(clock)
            defer { session.invalidateAndCancel() }
            let authenticator = try authenticator(of: loaded, on: session)
            clock.advance(by: .milliseconds(last))
            let error = await ending { _ = try await authenticator.authenticate() }
            #expect((error == nil) == isSent)
            #expect(mock.statistics.oauth2.tokenRequests == (isSent ? [.password: 1] : [:]))
        }
    }

    @Test func `a lifetime that an application sets is the one that counts to the end`() async throws {
        try await run { mock in
            let clock = StepClock()
            let provider = try provider(mock, clock: clock)
            let loader = ConfigurationLoader(providers: [provider], passcodeLifetime: .seconds(60), clock: clock)
            let loaded = try loader.loadConfiguration()
            let session = session(clock)
            defer { session.invalidateAndCancel() }
            let authenticator = try authenticator(of: loaded, on: session)
            clock.advance(by: .seconds(59))
            _ = try await authenticator.authenticate()
            #expect(mock.statistics.oauth2.tokenRequests == [.password: 1])
        }
    }

    /// Redeems a passcode as an application can do itself.
    private func authenticator(of loaded: LoadedConfiguration, on session: SAPURLSession) throws -> OAuth2Authenticator {
        try #require(loaded.passcode).redeem { passcode in
            let values = try loaded.configuration.values(grantType: "password", passcode: passcode)
            return OAuth2Authenticator(
                passwordAuthenticationParameters: try OAuth2PasswordAuthenticationParameters(configuration: values),
                sapURLSession: session)
        }
    }

    private func ending(_ body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }
}
