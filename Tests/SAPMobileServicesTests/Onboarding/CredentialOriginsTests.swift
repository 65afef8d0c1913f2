import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization
import TestTurns
import Testing

/// Only the origins that the user was shown receive a credential; otherwise the onboarding is refused (RFC 9700, section 4.4.2).
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct CredentialOriginsTests {
    /// Screens that were written before origins could be confirmed.
    private struct OlderScreens: OnboardingScreens {
        func makeWelcomeScreen() -> any WelcomeScreen { TerminalOnboardingScreens(reader: { _ in nil }).makeWelcomeScreen() }
    }

    /// Screens that record the origins that they are asked to confirm.
    private final class AskingScreens: OnboardingScreens {
        private let answer: Bool?
        private let questions = Mutex<[[CredentialOrigin]]>([])
        var asked: [[CredentialOrigin]] { questions.withLock { $0 } }

        /// - Parameter answer: `nil` cancels the onboarding.
        init(answer: Bool?) { self.answer = answer }

        func makeWelcomeScreen() -> any WelcomeScreen { OlderScreens().makeWelcomeScreen() }

        func confirmOrigins(
            _ origins: [CredentialOrigin], besides server: URL?, from providerIdentifier: String
        ) async throws -> Bool {
            questions.withLock { $0.append(origins) }
            guard let answer else { throw CancellationError() }
            return answer
        }
    }

    private struct Bench {
        let mock: MockLandscape
        /// Maps `evil.example` and `tokens.example` to the mock, so that a request that is not refused succeeds.
        let transport: NamedServers
        let session: SAPURLSession
        let store = CredentialCodableStore(MemoryCredentialStore())

        init(_ mock: MockLandscape, canLogIn: Bool = true) {
            self.mock = mock
            transport = NamedServers("evil.example", "tokens.example", at: mock.baseURL)
            var configuration = SAPURLSession.Configuration()
            if canLogIn { configuration.presenter = FormFillingPresenter(user: "alice", password: "wonderland") }
            session = SAPURLSession(configuration: configuration, transport: transport)
        }

        var server: Origin? { Origin(mock.baseURL) }
        var tokenEndpoint: String { mock.baseURL.absoluteString + "/oauth2/api/v1/token" }

        /// A link to the server's configuration with another token endpoint.
        func link(token: String, passcode: String? = nil) throws -> URL {
            let client = passcode.map { #""grantType":"password","passcode":"\#($0)""# } ?? #""grantType":"authorization_code""#
            let json = """
                {"auth":[{"type":"oauth2","config":{
                  "oauth2.authorizationEndpoint":"\(mock.baseURL.absoluteString)/oauth2/api/v1/authorize",
                  "oauth2.tokenEndpoint":"\(token)","oauth2.clients":[{"clientID":"countersign",\(client),
                  "redirectURL":"com.example.countersign://oauth2/callback"}]}}],
                 "host":"\(mock.baseURL.host() ?? "")","port":\(mock.baseURL.port ?? 0),"protocol":"http"}
                """
            let value = Data(json.utf8).base64EncodedString().replacing("+", with: "%2B")
            return try #require(URL(string: "com.example.app://onboard?config=\(value)"))
        }

        /// A step that sends all requests with the session of the flow.
        private var login: AuthenticationStep {
            AuthenticationStep(
                name: "login",
                passcodeObserver: { context, passcode in
                    let values = try context.configuration().values(grantType: "password", passcode: passcode)
                    let authenticator = OAuth2Authenticator(
                        passwordAuthenticationParameters: try OAuth2PasswordAuthenticationParameters(configuration: values),
                        sapURLSession: context.sapURLSession)
                    return OAuth2Observer(
                        authenticator: authenticator, tokenStore: OAuth2TokenStorage(store: context.credentialStore),
                        protectedURLs: [try context.backendURL()])
                },
                observer: { context in
                    let authenticator = OAuth2Authenticator(
                        authenticationParameters: try OAuth2AuthenticationParameters(
                            configuration: context.configuration().values()), sapURLSession: context.sapURLSession)
                    return OAuth2Observer(
                        authenticator: authenticator, tokenStore: OAuth2TokenStorage(store: context.credentialStore),
                        protectedURLs: [try context.backendURL()])
                })
        }

        private func steps(_ link: URL?, trusting origins: Set<Origin> = []) -> [any OnboardingStep] {
            let provider = URLConfigurationProvider()
            if let link { #expect(provider.handle(link)) }
            let welcome = WelcomeScreenStep(
                transformer: DiscoveryServiceConfigurationTransformer(applicationID: "com.example.app"), providers: [provider],
                trustedOrigins: origins)
            return [welcome, login]
        }

        func onboard(
            _ link: URL, screens: (any OnboardingScreens)? = nil, trusting origins: Set<Origin> = []
        ) async throws -> OnboardingContext {
            let context = OnboardingContext(sapURLSession: session, credentialStore: store, screens: screens)
            return try await OnboardingFlow(steps: steps(link, trusting: origins), context: context).run()
        }

        func restore(screens: any OnboardingScreens) async throws -> OnboardingContext {
            let context = OnboardingContext(sapURLSession: session, credentialStore: store, screens: screens)
            return try await RestoringFlow(steps: steps(nil), context: context).run()
        }

        /// Returns the stored configuration.
        func kept() throws -> DiscoveryConfiguration? {
            try store.get(DiscoveryConfiguration.self, for: "com.sap.onboarding.configuration")
        }
    }

    private func run(canLogIn: Bool = true, _ body: (Bench) async throws -> Void) async throws {
        var options = MockOptions()
        options.protection = "OAuth2"
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            let bench = Bench(mock, canLogIn: canLogIn)
            defer { bench.session.invalidateAndCancel() }
            try await body(bench)
        }
    }

    private static let evil = "https://evil.example/oauth2/api/v1/token"
    private static let others = "https://tokens.example/oauth2/api/v1/token"

    private func other(_ address: String) throws -> CredentialOrigin {
        CredentialOrigin(try #require(URL(string: address).flatMap { Origin($0) }), keys: ["oauth2.tokenEndpoint"])
    }

    enum Screens: CaseIterable { case none, older, refusing, cancelling }

    @Test(arguments: Screens.allCases, [false, true])
    func `B5 a link whose token endpoint is elsewhere is refused before anything is sent`(
        screens: Screens, hasPasscode: Bool
    ) async throws {
        try await run { bench in
            let passcode = hasPasscode ? bench.mock.makePasscode() : nil
            let link = try bench.link(token: Self.evil, passcode: passcode)
            let shown: (any OnboardingScreens)? =
                switch screens {
                case .none: nil
                case .older: OlderScreens()
                case .refusing: AskingScreens(answer: false)
                case .cancelling: AskingScreens(answer: nil)
                }
            let error = await #expect(throws: OnboardingError.self) { try await bench.onboard(link, screens: shown) }
            if screens == .cancelling {
                #expect(error?.code == "cancelled")
            } else {
                guard case .stepFailed("WelcomeScreenStep", let cause)? = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                let expected = OnboardingStepError.originsNotConfirmed(
                    [try other(Self.evil)], server: bench.server, source: "the link")
                #expect(cause as? OnboardingStepError == expected)
                let text = error?.failureReason ?? ""
                #expect(text.contains("https://evil.example") && text.contains(bench.mock.baseURL.absoluteString), "\(text)")
            }
            #expect(bench.transport.origins == [])
            #expect(bench.mock.statistics.sends == [:])
            #expect(try bench.store.keys().isEmpty)
        }
    }

    @Test func `a link to one origin asks for no confirmation`() async throws {
        try await run { bench in
            let screens = AskingScreens(answer: false)
            _ = try await bench.onboard(bench.link(token: bench.tokenEndpoint), screens: screens)
            #expect(screens.asked.isEmpty)
            #expect(bench.mock.statistics.oauth2.tokenAnswers == [.authorizationCode: 1])
            #expect(Set(bench.transport.origins) == [bench.mock.baseURL.absoluteString])
        }
    }

    @Test func `an origin that the user confirms receives the code, and a restored flow asks no more`() async throws {
        try await run { bench in
            let screens = AskingScreens(answer: true)
            _ = try await bench.onboard(bench.link(token: Self.others), screens: screens)
            #expect(screens.asked == [[try other(Self.others)]])
            #expect(bench.transport.origins.contains("https://tokens.example"))
            #expect(bench.mock.statistics.oauth2.tokenAnswers == [.authorizationCode: 1])
            let restored = try await bench.restore(screens: OlderScreens())
            #expect(try restored.configuration() == bench.kept())
            #expect(screens.asked.count == 1)
        }
    }

    @Test func `an origin that the application trusts needs no confirmation, and another one does`() async throws {
        try await run { bench in
            let trusted = try other(Self.others).origin
            await #expect(throws: OnboardingError.self) {
                try await bench.onboard(bench.link(token: Self.evil), trusting: [trusted])
            }
            #expect(bench.transport.origins == [])
            _ = try await bench.onboard(bench.link(token: Self.others), trusting: [trusted])
            #expect(bench.mock.statistics.oauth2.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `B5 a link that comes in while an onboarding goes on is refused, and the kept configuration stays`() async throws {
        try await run(canLogIn: false) { bench in
            let first = await #expect(throws: OnboardingError.self) {
                try await bench.onboard(bench.link(token: bench.tokenEndpoint))
            }
            #expect(first?.step == "login")
            let kept = try #require(try bench.kept())
            let error = await #expect(throws: OnboardingError.self) {
                try await bench.onboard(bench.link(token: Self.evil), screens: OlderScreens())
            }
            #expect(error?.step == "WelcomeScreenStep")
            #expect(try bench.kept() == kept)
            #expect(!bench.transport.origins.contains("https://evil.example"))
        }
    }
}
