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

/// Each method's own step, from a configuration to an authenticated request, and at the next start.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct AuthenticationStepsTests {
    /// The flow of an application, with a store that outlives its sessions.
    private struct Application {
        let store = CredentialCodableStore(MemoryCredentialStore())
        let mock: MockLandscape
        let provider: any ConfigurationProviding
        let input: [String: String]
        let step: @Sendable () -> any OnboardingStep

        private var steps: [any OnboardingStep] {
            let transformer = DiscoveryServiceConfigurationTransformer(applicationID: "com.example.app")
            let provider = GivenInput(base: provider, input: input)
            return [
                WelcomeScreenStep(transformer: transformer, providers: [provider]),
                CompositeStep(steps: SAPcpmsDefaultSteps.configuration), step(),
            ]
        }

        /// Runs the flow, and returns the user that the server reports.
        func onboard(_ session: SAPURLSession = SAPURLSession()) async throws -> String {
            let context = OnboardingContext(sapURLSession: session, credentialStore: store)
            return try await user(of: OnboardingFlow(steps: steps, context: context).run())
        }

        func restore() async throws -> String {
            try await user(of: RestoringFlow(steps: steps, context: OnboardingContext(credentialStore: store)).run())
        }

        func reset() async { await OnboardingFlow(steps: steps, context: OnboardingContext(credentialStore: store)).reset() }

        private func user(of context: OnboardingContext) async throws -> String {
            defer { context.sapURLSession.invalidateAndCancel() }
            let (data, _) = try await context.sapURLSession.data(from: mock.baseURL.appending(path: "orders"))
            return try JSONDecoder().decode(MockResource.self, from: data).user
        }
    }

    private struct GivenInput: ConfigurationProviding {
        let base: any ConfigurationProviding
        let input: [String: String]
        var providerIdentifier: String { base.providerIdentifier }
        var expectedInput: [String: Any] { [:] }

        func provideConfiguration(
            input: [String: Any]
        ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
            base.provideConfiguration(input: self.input)
        }
    }

    private func run(_ method: String, _ body: (MockLandscape) async throws -> Void) async throws {
        var options = MockOptions()
        options.protection = method
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options, body)
    }

    private func configuration(of mock: MockLandscape, type: String) -> [String: String] {
        [
            "JSONstring": """
            {"auth":[{"type":"\(type)","config":{}}],"host":"\(mock.baseURL.host() ?? "")","port":\(mock.baseURL.port ?? 0),
             "protocol":"http"}
            """
        ]
    }

    // MARK: Cross-context single sign-on

    @Test func `M34 a scanned code onboards with nobody at the keyboard, and the next start asks nothing`() async throws {
        try await run("OAuth2") { (mock) async throws in
            let scanned = String(decoding: try #require(mock.makeCrossContextConfiguration()), as: UTF8.self)
            let application = Application(
                mock: mock, provider: JSONConfigurationProvider(), input: ["JSONstring": scanned],
                step: { OAuth2AuthenticationStep() })
            #expect(try await application.onboard() == "alice")
            #expect(mock.statistics.oauth2.tokenAnswers == [.password: 1])
            #expect(try await application.restore() == "alice")
            #expect(mock.statistics.oauth2.tokenAnswers == [.password: 1])
            // The passcode's token came with a refresh token for the same client.
            mock.expireAccessTokens()
            #expect(try await application.restore() == "alice")
            #expect(mock.statistics.oauth2.tokenAnswers == [.password: 1, .refreshToken: 1])
        }
    }

    @Test func `S2 a link that opens the application onboards it`() async throws {
        try await run("OAuth2") { (mock) async throws in
            let scanned = try #require(mock.makeCrossContextConfiguration())
            let url = try #require(
                URL(string: "com.example.app://onboard?config=\(scanned.base64EncodedString().replacing("=", with: "%3D"))"))
            let provider = URLConfigurationProvider()
            AppDelegateDispatcher.register(provider)
            let result = AppDelegateDispatcher.application(open: url)
            AppDelegateDispatcher.unregister(provider)
            #expect(result)
            let application = Application(
                mock: mock, provider: provider, input: [:], step: { OAuth2AuthenticationStep() })
            #expect(try await application.onboard() == "alice")
            #expect(mock.statistics.oauth2.tokenAnswers == [.password: 1])
        }
    }

    @Test func `a passcode that was used before is refused, and no login page comes unasked`() async throws {
        try await run("OAuth2") { (mock) async throws in
            let scanned = String(decoding: try #require(mock.makeCrossContextConfiguration()), as: UTF8.self)
            for number in 0..<2 {
                let application = Application(
                    mock: mock, provider: JSONConfigurationProvider(), input: ["JSONstring": scanned],
                    step: { OAuth2AuthenticationStep() })
                var configuration = SAPURLSession.Configuration()
                configuration.presenter = FormFillingPresenter(user: "alice", password: "wonderland")
                let session = SAPURLSession(configuration: configuration)
                if number == 0 {
                    #expect(try await application.onboard(session) == "alice")
                } else {
                    let error = await #expect(throws: OnboardingError.self) { try await application.onboard(session) }
                    #expect("\(error.map { "\($0)" } ?? "")".contains("OAuth2AuthenticationStep"))
                    session.invalidateAndCancel()
                }
            }
            #expect(mock.statistics.oauth2.authorizations == 0)
        }
    }

    @Test func `after an exchange that failed, the next code is exchanged, and no login page comes unasked`() async throws {
        try await run("OAuth2") { (mock) async throws in
            let provider = URLConfigurationProvider()
            let address = try #require(URL(string: "com.example.app://onboard"))
            let application = Application(mock: mock, provider: provider, input: [:], step: { OAuth2AuthenticationStep() })
            func session() -> SAPURLSession {
                var configuration = SAPURLSession.Configuration()
                configuration.presenter = FormFillingPresenter(user: "alice", password: "wonderland")
                return SAPURLSession(configuration: configuration)
            }
            mock.inject(.status(503), matching: .prefix("/oauth2/api/v1/token"), times: .max)
            #expect(provider.handle(try #require(mock.makeCrossContextLink(to: address))))
            let failing = session()
            await #expect(throws: OnboardingError.self) { try await application.onboard(failing) }
            failing.invalidateAndCancel()
            mock.removeFaults()
            #expect(provider.handle(try #require(mock.makeCrossContextLink(to: address))))
            #expect(try await application.onboard(session()) == "alice")
            #expect(mock.statistics.oauth2.authorizations == 0)
        }
    }

    // MARK: Credentials of the application

    @Test func `S2 an API key onboards, and restores`() async throws {
        try await run("APIKeyAuthentication") { (mock) async throws in
            let config = APIKeyAuthenticationConfig(apikeys: ["countersign-api-key"], isAPIKeyAccessOnly: true)
            let application = Application(
                mock: mock, provider: JSONConfigurationProvider(), input: configuration(of: mock, type: "apikey"),
                step: { APIKeyAuthenticationStep(config: config) })
            let first = try await application.onboard()
            #expect(try await application.restore() == first)
            #expect(mock.statistics.challenges == 0, "the key goes with every request")
        }
    }

    @Test func `without a configuration of keys the step says that it is missing`() async throws {
        try await run("APIKeyAuthentication") { (mock) async throws in
            let application = Application(
                mock: mock, provider: JSONConfigurationProvider(), input: configuration(of: mock, type: "apikey"),
                step: { APIKeyAuthenticationStep(config: nil) })
            let error = await #expect(throws: OnboardingError.self) { try await application.onboard() }
            guard case .stepFailed("APIKeyAuthenticationStep", let reason)? = error else {
                Issue.record("another error")
                return
            }
            #expect(reason is APIKeyAuthenticationError)
        }
    }

    @Test func `a password onboards, is kept, and is not asked for again`() async throws {
        try await run("BasicAuthentication") { (mock) async throws in
            let discovery = ScriptedDiscovery(("alice", "wonderland"))
            let application = Application(
                mock: mock, provider: JSONConfigurationProvider(), input: configuration(of: mock, type: "basic.default"),
                step: { BasicAuthenticationStep(basicCredentialDiscovery: discovery) })
            #expect(try await application.onboard() == "alice")
            #expect(try await application.restore() == "alice")
            #expect(discovery.asked.count == 1)
        }
    }

    // MARK: Reset

    @Test func `after a reset in a new process a password is asked for again`() async throws {
        try await run("BasicAuthentication") { (mock) async throws in
            let discovery = ScriptedDiscovery(("alice", "wonderland"), ("alice", "wonderland"))
            let application = Application(
                mock: mock, provider: JSONConfigurationProvider(), input: configuration(of: mock, type: "basic.default"),
                step: { BasicAuthenticationStep(basicCredentialDiscovery: discovery) })
            #expect(try await application.onboard() == "alice")
            await application.reset()
            #expect(try application.store.keys().isEmpty)
            #expect(try await application.onboard() == "alice")
            #expect(discovery.asked.count == 2)
        }
    }
}
