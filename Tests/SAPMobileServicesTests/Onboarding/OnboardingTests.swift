import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// From no configuration to the first authenticated request, against the mock of SAP Mobile Services (S2, "Using SAP Fiori Flows
/// Framework").
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct OnboardingTests {
    /// The steps of a generated application, in the form of the seeds.
    private struct FlowProvider {
        let json: String

        var onboardingSteps: [any OnboardingStep] {
            [
                WelcomeScreenStep(
                    transformer: DiscoveryServiceConfigurationTransformer(applicationID: "com.example.app"),
                    providers: [JSONConfigurationProvider(), Fixed(json: json)]),
                CompositeStep(steps: SAPcpmsDefaultSteps.configuration),
                OAuth2AuthenticationStep(),
                CompositeStep(steps: SAPcpmsDefaultSteps.settingsDownload),
                CompositeStep(steps: SAPcpmsDefaultSteps.applyDuringOnboard),
            ]
        }
    }

    /// Provides the text of a scanned code without a scanner.
    private struct Fixed: ConfigurationProviding {
        let json: String
        var providerIdentifier: String { "fixed" }
        var expectedInput: [String: Any] { [:] }
        func provideConfiguration(
            input: [String: Any]
        ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
            JSONConfigurationProvider().provideConfiguration(input: ["JSONstring": json])
        }
    }

    private func configuration(of mock: MockLandscape, grant: String = "authorization_code", passcode: String? = nil) -> String {
        let base = mock.baseURL.absoluteString
        let code = passcode.map { #","passcode":"\#($0)""# } ?? ""
        return """
            {"auth":[{"type":"oauth2","config":{"oauth2.authorizationEndpoint":"\(base)/oauth2/api/v1/authorize",
              "oauth2.tokenEndpoint":"\(base)/oauth2/api/v1/token","oauth2.clients":[{"clientID":"countersign",
              "grantType":"\(grant)","redirectURL":"com.example.countersign://oauth2/callback"\(code)}]}}],
             "host":"\(mock.baseURL.host() ?? "")","port":\(mock.baseURL.port ?? 0),"protocol":"http"}
            """
    }

    private func run(_ body: (MockLandscape) async throws -> Void) async throws {
        var options = MockOptions()
        options.protection = "OAuth2"
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options, body)
    }

    private func session(canLogIn: Bool = true) -> SAPURLSession {
        var configuration = SAPURLSession.Configuration()
        if canLogIn { configuration.presenter = FormFillingPresenter(user: "alice", password: "wonderland") }
        return SAPURLSession(configuration: configuration)
    }

    @Test func `one login onboards, and the next start asks nothing`() async throws {
        try await run { mock in
            let store = CredentialCodableStore(MemoryCredentialStore())
            let steps = FlowProvider(json: configuration(of: mock)).onboardingSteps
            let first = try await OnboardingFlow(
                steps: steps, context: OnboardingContext(sapURLSession: session(), credentialStore: store)
            ).run()
            let (data, _) = try await first.sapURLSession.data(from: mock.baseURL.appending(path: "orders"))
            #expect(try JSONDecoder().decode(MockResource.self, from: data).user == "alice")
            #expect(mock.statistics.oauth2.authorizations == 1)
            #expect(first.info[.clientSettings] is ClientSettings)
            first.sapURLSession.invalidateAndCancel()

            let again = FlowProvider(json: "").onboardingSteps
            let second = try await RestoringFlow(
                steps: again, context: OnboardingContext(sapURLSession: session(canLogIn: false), credentialStore: store)
            ).run()
            let (more, _) = try await second.sapURLSession.data(from: mock.baseURL.appending(path: "orders"))
            #expect(try JSONDecoder().decode(MockResource.self, from: more).user == "alice")
            #expect(mock.statistics.oauth2.authorizations == 1)
            #expect(second.onboardingID == first.onboardingID)
            second.sapURLSession.invalidateAndCancel()
        }
    }

    @Test(arguments: [true, false]) func `after a reset the next user logs in`(isSameProcess: Bool) async throws {
        try await run { mock in
            let store = CredentialCodableStore(MemoryCredentialStore())
            let session = session()
            let flow = OnboardingFlow(
                steps: FlowProvider(json: configuration(of: mock)).onboardingSteps,
                context: OnboardingContext(sapURLSession: session, credentialStore: store))
            _ = try await flow.run()
            #expect(mock.statistics.oauth2.authorizations == 1)
            if isSameProcess {
                await flow.reset()
            } else {
                session.invalidateAndCancel()
                await OnboardingFlow(
                    steps: FlowProvider(json: "").onboardingSteps, context: OnboardingContext(credentialStore: store)
                ).reset()
            }
            #expect(try store.keys().isEmpty)
            let next = try await OnboardingFlow(
                steps: FlowProvider(json: configuration(of: mock)).onboardingSteps,
                context: OnboardingContext(sapURLSession: self.session(), credentialStore: store)
            ).run()
            #expect(mock.statistics.oauth2.authorizations == 2)
            next.sapURLSession.invalidateAndCancel()
            session.invalidateAndCancel()
        }
    }

    @Test func `a login that fails is resumed at the login, and names its step`() async throws {
        try await run { mock in
            let store = CredentialCodableStore(MemoryCredentialStore())
            let failing = session(canLogIn: false)
            let error = await #expect(throws: OnboardingError.self) {
                try await OnboardingFlow(
                    steps: FlowProvider(json: configuration(of: mock)).onboardingSteps,
                    context: OnboardingContext(sapURLSession: failing, credentialStore: store)
                ).run()
            }
            #expect(error?.step == "OAuth2AuthenticationStep")
            failing.invalidateAndCancel()
            // No provider has a configuration any longer, so the flow uses the stored one.
            let context = try await OnboardingFlow(
                steps: FlowProvider(json: "").onboardingSteps,
                context: OnboardingContext(sapURLSession: session(), credentialStore: store)
            ).run()
            #expect(mock.statistics.oauth2.authorizations == 1)
            context.sapURLSession.invalidateAndCancel()
        }
    }

    @Test func `a passcode is exchanged by its own observer, and the code grant takes over`() async throws {
        try await run { mock in
            let store = CredentialCodableStore(MemoryCredentialStore())
            let loader = ConfigurationLoader(providers: [
                Fixed(json: configuration(of: mock, grant: "password", passcode: "c4n4ry"))
            ])
            let loaded = try loader.loadConfiguration()
            var context = OnboardingContext(sapURLSession: session(), credentialStore: store)
            context.info = try DiscoveryServiceConfigurationTransformer().transform(loaded.configuration)
            context.passcode = loaded.passcode
            let tokens = OAuth2TokenStorage(store: store)
            let step = AuthenticationStep(
                name: "exchange",
                passcodeObserver: { context, passcode in
                    // Stands for the password grant, in which a client exchanges the passcode for a token.
                    #expect(passcode == "c4n4ry")
                    let values = try context.configuration().values(grantType: "password", passcode: passcode)
                    return OAuth2Observer(
                        authenticationParameters: try OAuth2AuthenticationParameters(configuration: values), tokenStore: tokens)
                },
                observer: { context in
                    OAuth2Observer(
                        authenticationParameters: try OAuth2AuthenticationParameters(
                            configuration: context.configuration().values(grantType: "authorization_code")), tokenStore: tokens)
                })
            let onboarded = try await step.onboard(context: context)
            #expect(onboarded.passcode == nil)
            _ = try await onboarded.sapURLSession.data(from: mock.baseURL.appending(path: "orders"))
            #expect(mock.statistics.oauth2.authorizations == 1)
            #expect(throws: OnboardingPasscodeError.alreadyUsed) { try loaded.passcode?.redeem() }
            // A second redemption of the same passcode, as after a second tap, starts no login.
            await #expect(throws: OnboardingPasscodeError.alreadyUsed) { try await step.onboard(context: context) }
            onboarded.sapURLSession.invalidateAndCancel()
        }
    }

    @Test func `a server that refuses the account ends the step`() async throws {
        try await run { mock in
            mock.inject(.status(403), matching: "/", times: .max)
            let session = session()
            var context = OnboardingContext(
                sapURLSession: session, credentialStore: CredentialCodableStore(MemoryCredentialStore()))
            context.info = try DiscoveryServiceConfigurationTransformer().transform(
                DiscoveryConfiguration(data: Data(configuration(of: mock).utf8)))
            let step = OAuth2AuthenticationStep()
            await #expect(throws: OnboardingStepError.validationRefused(status: 403, origin: Origin(mock.baseURL))) {
                try await step.onboard(context: context)
            }
            session.invalidateAndCancel()
        }
    }

    @Test func `without the server a restore fails, or goes on where the step allows it`() async throws {
        var context = OnboardingContext(credentialStore: CredentialCodableStore(MemoryCredentialStore()))
        context.info = try DiscoveryServiceConfigurationTransformer().transform(
            DiscoveryConfiguration(discoveryServiceConfig: ["host": "127.0.0.1", "port": 1, "protocol": "http"]))
        let strict = AuthenticationStep(name: "strict") { _ in SAPcpmsObserver(applicationID: "a") }
        let error = await #expect(throws: URLError.self) { try await strict.restore(context: context) }
        let reason = OnboardingError.stepFailed(step: "strict", error: try #require(error)).failureReason ?? ""
        #expect(reason.hasPrefix("strict failed: GET http://127.0.0.1:1: "), "\(reason)")
        let lenient = AuthenticationStep(name: "lenient", isAllowingOfflineRestore: true) { _ in SAPcpmsObserver(applicationID: "a")
        }
        _ = try await lenient.restore(context: context)
        context.sapURLSession.invalidateAndCancel()
    }

    /// A context of a server that cannot be reached.
    private func contextOffline() throws -> OnboardingContext {
        let json = """
            {"host":"127.0.0.1","port":1,"protocol":"http","auth":[{"type":"saml2.web.post","config":{}}],
             "oauth2.clientID":"countersign","oauth2.redirectURL":"com.example.countersign://oauth2/callback",
             "oauth2.authorizationEndpoint":"/authorize","oauth2.tokenEndpoint":"/token"}
            """
        var context = OnboardingContext(credentialStore: CredentialCodableStore(MemoryCredentialStore()))
        context.info = try DiscoveryServiceConfigurationTransformer(applicationID: "com.example.app").transform(
            DiscoveryConfiguration(data: Data(json.utf8)))
        return context
    }

    @Test(arguments: [true, false, nil])
    func `M35 each method's step restores without the server where it may, with a token that has expired, too`(
        isAllowed: Bool?
    ) async throws {
        let tokens = MemoryTokenStore()
        let key = APIKeyAuthenticationConfig(apikeys: ["key"], isAPIKeyAccessOnly: true)
        let steps: [any OnboardingStep] =
            if let isAllowed {
                [
                    OAuth2AuthenticationStep(tokenStore: tokens, isAllowingOfflineRestore: isAllowed),
                    BasicAuthenticationStep(isAllowingOfflineRestore: isAllowed),
                    SAMLAuthenticationStep(isAllowingOfflineRestore: isAllowed),
                    APIKeyAuthenticationStep(config: key, isAllowingOfflineRestore: isAllowed),
                ]
            } else {
                [
                    OAuth2AuthenticationStep(tokenStore: tokens), BasicAuthenticationStep(), SAMLAuthenticationStep(),
                    APIKeyAuthenticationStep(config: key),
                ]
            }
        for step in steps {
            let context = try contextOffline()
            let server = try context.backendURL()
            // It would be renewed before the request, so the token endpoint is the first server that cannot be reached.
            try tokens.store(
                token: OAuth2Token(accessToken: "old", tokenType: "Bearer", expiryDate: .distantPast, refreshToken: "kept"),
                for: server)
            if isAllowed ?? (step is APIKeyAuthenticationStep) {
                _ = try await step.restore(context: context)
            } else {
                await #expect(throws: (any Error).self, "\(step.stepName)") { try await step.restore(context: context) }
            }
            if step is OAuth2AuthenticationStep {
                // The observer is registered for the time when the server is there again. Until then, stored settings are used.
                await #expect(throws: OAuth2Error.self) { try await context.sapURLSession.data(from: server) }
                _ = try await SAPcpmsSettingsDownloadStep().restore(context: context)
                #expect(tokens.token(for: server)?.refreshToken == "kept")
            }
            context.sapURLSession.invalidateAndCancel()
        }
    }

    /// Servers that demand a token, and accept requests for one without an answer.
    private final class SilentServers: HTTPTransport {
        func send(_ request: SessionRequest) async throws -> SessionResponse {
            if request.head.method == .post { try await Task.sleep(for: .seconds(3_600)) }
            let head = HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: "Bearer"])
            return SessionResponse(head: head, url: try #require(request.head.url), body: ResponseBody(bytes: []))
        }

        func shutdown() async throws {}
    }

    @Test(arguments: [true, false]) func `M35 a token endpoint that does not answer a client in time counts as unreachable`(
        isAllowed: Bool
    ) async throws {
        var configuration = SAPURLSession.Configuration()
        configuration.session.flightTimeout = .milliseconds(100)
        let session = SAPURLSession(configuration: configuration, transport: SilentServers(), ownsTransport: false)
        var context = OnboardingContext(
            sapURLSession: session, credentialStore: CredentialCodableStore(MemoryCredentialStore()))
        context.info = try DiscoveryServiceConfigurationTransformer().transform(
            DiscoveryConfiguration(discoveryServiceConfig: ["host": "127.0.0.1", "port": 1, "protocol": "http"]))
        let server = try context.backendURL()
        let step = AuthenticationStep(name: "client", isAllowingOfflineRestore: isAllowed) { _ in
            let parameters = try OAuth2ClientCredentialsAuthenticationParameters(
                tokenEndpointURL: server.appending(path: "token"), name: "n", secret: "s")
            return OAuth2Observer(
                authenticator: OAuth2Authenticator(
                    clientCredentialsAuthenticationParameters: parameters, sapURLSession: session),
                tokenStore: MemoryTokenStore())
        }
        if isAllowed {
            _ = try await step.restore(context: context)
        } else {
            await #expect(throws: CountersignError.self) { try await step.restore(context: context) }
        }
        // The observer stays registered for the time when the server is there again.
        let error = await #expect(throws: CountersignError.self) { try await session.data(from: server) }
        #expect(error?.code == .timedOut && error?.authenticationMethod != nil)
        session.invalidateAndCancel()
    }

    @Test func `SAML onboards by the step of its own`() async throws {
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices) { mock in
            let json = """
                {"auth":[{"type":"saml2.web.post","config":{}}],"host":"\(mock.baseURL.host() ?? "")",
                 "port":\(mock.baseURL.port ?? 0),"protocol":"http"}
                """
            let steps: [any OnboardingStep] = [
                WelcomeScreenStep(transformer: DiscoveryServiceConfigurationTransformer(), providers: [Fixed(json: json)]),
                SAMLAuthenticationStep(),
            ]
            let context = try await OnboardingFlow(
                steps: steps,
                context: OnboardingContext(
                    sapURLSession: session(), credentialStore: CredentialCodableStore(MemoryCredentialStore()))
            ).run()
            #expect(mock.statistics.logins == 1)
            context.sapURLSession.invalidateAndCancel()
        }
    }
}
