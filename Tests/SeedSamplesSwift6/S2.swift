// swift-format-ignore-file
// Between `// sample` and `// end` stands a sample of the seed, line by line; what it does not print is marked with `// ours`.
// `SeedSampleTests` compares.

import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import SeedSampleSupport
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// MARK: API Key Only (Anonymous Access)

extension Application {
    func s2APIKey() async -> (closure: Int?, await: Int?) {
        let closure = Answer(of: Int?.self)
        let awaited = Answer(of: Int?.self)
        // sample S2-APIKey: Using Foundation Framework
        let apiKeyAuthenticationConfig: APIKeyAuthenticationConfig? = getAPIKeyAuthenticationConfig()
        let apiKeyObserver = APIKeyAuthenticationObserver(apikeyCredentialDiscovery: DefaultAPIKeyCredentialDiscovery(using: apiKeyAuthenticationConfig), isAPIKeyAccessOnly: true)
        let session = SAPURLSession()
        session.register(apiKeyObserver)

        //Start request to Resource URL using closure completion callbacks

        let request = URLRequest(url: bench.resourceURL)
        let dataTask = session.dataTask(with: request) { data, response, error in
        // Handle the error and the response
            closure.give((response as? HTTPURLResponse)?.statusCode) // ours
        }

        dataTask.resume()


        //Or start request to Resource URL using `async`/`await` approach (Swift's structured concurrency)

        let resourceURL = bench.resourceURL // ours
        Task {
            do {
                let request = URLRequest(url: resourceURL)
                let result = try await session.data(for: request)
                // Handle the data and response
                awaited.give((result.1 as? HTTPURLResponse)?.statusCode) // ours
            } catch {
                // Handle the error
                awaited.give(nil) // ours
            }
        }
        // end
        let answers = await (closure.value ?? nil, awaited.value ?? nil)
        session.invalidateAndCancel()
        return answers
    }

    // sample S2-Obfuscator: obfuscate and deobfuscate
    func getAPIKeyAuthenticationConfig() -> APIKeyAuthenticationConfig? {
        let obfuscator: Obfuscating = Obfuscator()
        let keyBytes = obfuscator.obfuscate("countersign-api-key")
        let key = obfuscator.deobfuscate([132, 246, 136, 100, 176, 39, 39, 206, 51, 247, 96, 119, 35, 7, 14, 152, 184, 215, 128])
        #expect(keyBytes.count == key.utf8.count) // ours
        return APIKeyAuthenticationConfig(apikeys: [key], isAPIKeyAccessOnly: true, allowAnonymousAccessFlag: false)
    }
    // end
}

/// What a generated application has for its steps.
class StepsProvider {
    let configuration: String

    init(_ configuration: String) { self.configuration = configuration }

    /// A configuration that says where the server is, and what it asks for.
    init(apiKeyAt server: URL) {
        configuration = """
            {"auth":[{"type":"apikey","config":{}}],"host":"\(server.host() ?? "")","port":\(server.port ?? 0),"protocol":"http"}
            """
    }

    func configuredWelcomeScreenStep() -> OnboardingStep {
        WelcomeScreenStep(transformer: DiscoveryServiceConfigurationTransformer(applicationID: "com.example.app"), providers: [Given(text: configuration)])
    }

    func configuredStoreManagerStep() -> OnboardingStep { StoreManagerStep() }

    /// The text of a configuration, without anybody who gives it.
    struct Given: ConfigurationProviding {
        let text: String
        let providerIdentifier = "given"
        var expectedInput: [String: Any] { [:] }

        func provideConfiguration(input: [String: Any]) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: Error?) {
            JSONConfigurationProvider().provideConfiguration(input: [ConfigurationProviderInputKeys.JSONstring.rawValue: text])
        }
    }

    /// Stands for the step that opens the application's store.
    final class StoreManagerStep: OnboardingStep {
        func onboard(context: OnboardingContext) async throws -> OnboardingContext { context }
        func restore(context: OnboardingContext) async throws -> OnboardingContext { context }
    }

    // sample S2-Flows: Using SAP Fiori Flows Framework
    public var onboardingSteps: [OnboardingStep] {
        return [
            self.configuredWelcomeScreenStep(),
            CompositeStep(steps: SAPcpmsDefaultSteps.configuration),
            APIKeyAuthenticationStep(config: self.getAPIKeyAuthenticationConfig()),
            CompositeStep(steps: SAPcpmsDefaultSteps.settingsDownload),
            CompositeStep(steps: SAPcpmsDefaultSteps.applyDuringOnboard),
        ]
    }

    public var restoringSteps: [OnboardingStep] {
        return [
            self.configuredStoreManagerStep(),
            self.configuredWelcomeScreenStep(),
            CompositeStep(steps: SAPcpmsDefaultSteps.configuration),
            APIKeyAuthenticationStep(config: self.getAPIKeyAuthenticationConfig()),
            CompositeStep(steps: SAPcpmsDefaultSteps.settingsDownload),
            CompositeStep(steps: SAPcpmsDefaultSteps.applyDuringRestore),
        ]
    }

    func getAPIKeyAuthenticationConfig() -> APIKeyAuthenticationConfig? {
        let obfuscator: Obfuscating = Obfuscator()
        let key = obfuscator.deobfuscate([132, 246, 136, 100, 176, 39, 39, 206, 51, 247, 96, 119, 35, 7, 14, 152, 184, 215, 128])
        return APIKeyAuthenticationConfig(apikeys: [key], isAPIKeyAccessOnly: true, allowAnonymousAccessFlag: false)
    }
    // end
}

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct `S2 API key` {
    @Test func `S2-APIKey and S2-Obfuscator send the key with both requests`() async throws {
        try await SeedBench.run("APIKeyAuthentication") { bench in
            let statuses = await Application(bench).s2APIKey()
            #expect(statuses == (200, 200))
            #expect(bench.mock.statistics.challenges == 0)
        }
    }

    @Test func `S2-Flows onboards, and restores`() async throws {
        try await SeedBench.run("APIKeyAuthentication") { bench in
            let store = CredentialCodableStore(MemoryCredentialStore())
            let provider = StepsProvider(apiKeyAt: bench.mock.baseURL)
            let first = try await OnboardingFlow(steps: provider.onboardingSteps, context: OnboardingContext(credentialStore: store)).run()
            #expect(try await !bench.user(in: first.sapURLSession).isEmpty)
            first.sapURLSession.invalidateAndCancel()

            let second = try await RestoringFlow(steps: provider.restoringSteps, context: OnboardingContext(credentialStore: store)).run()
            #expect(try await !bench.user(in: second.sapURLSession).isEmpty)
            second.sapURLSession.invalidateAndCancel()
            #expect(bench.mock.statistics.challenges == 0)
        }
    }
}

// MARK: Cross Context SSO

class OnboardingFlowProvider {
    let discoveryConfigurationTransformer = DiscoveryServiceConfigurationTransformer(applicationID: "com.example.app")

    func scanning(_ customized: Answer<WelcomeScreenOptions>) -> OnboardingStep {
        // sample S2-Scanner: Enabling Cross Context SSO
        let welcomeScreenStep = WelcomeScreenStep(transformer: discoveryConfigurationTransformer, providers: [JSONConfigurationProvider()])

        welcomeScreenStep.welcomeScreenCustomizationHandler = { welcomeStepUI in
            if let welcomeScreen = welcomeStepUI as? FUIWelcomeScreen {
                welcomeScreen.configurationOptions = [.barcodeScanner, .discoveryService]
                customized.give(welcomeScreen.configurationOptions) // ours
            }
        }
        // end
        return welcomeScreenStep
    }

    // sample S2-Property: the property of OnboardingFlowProvider.swift
    var urlConfigurationProvider: URLConfigurationProvider? = nil
    // end

    func linked() -> OnboardingStep {
        // sample S2-Providers: the providers of the WelcomeScreenStep
        var providers: [ConfigurationProviding] = [JSONConfigurationProvider()]
        if let configProvider = self.urlConfigurationProvider {
            providers.insert(configProvider, at: 0)
        }

        let welcomeScreenStep = WelcomeScreenStep(transformer: discoveryConfigurationTransformer, providers: providers)
        // end
        return welcomeScreenStep
    }
}

@MainActor
private final class S2AppDelegate: UIResponder, UIApplicationDelegate {
    let app = UIApplication.shared
    let window: UIWindow? = UIWindow()
    let flowProvider = OnboardingFlowProvider()

    // sample S2-AppDelegate: AppDelegate, a link that opens the application
    // implementation of this method will be generated by SAP BTP SDK Assistant for iOS
    func application(_: UIApplication, open url: URL, options _: [UIApplication.OpenURLOptionsKey: Any] = [:]) -> Bool {
        if url.absoluteString.range(of: "config=") != nil {
            let provider = URLConfigurationProvider()
            AppDelegateDispatcher.register(provider)
            let result = AppDelegateDispatcher.application(app, open: url)
            AppDelegateDispatcher.unregister(provider)
            if result == false {
                flowProvider.urlConfigurationProvider = nil
            } else {
                flowProvider.urlConfigurationProvider = provider
                window!.rootViewController = FUIInfoViewController.createSplashScreenInstanceFromStoryboard()
            }
            // regular onboarding code
            return result
        } else {
            return false
        }
    }
    // end

    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        // sample S2-Launch: AppDelegate, a start by a link
        if let _ = launchOptions?[.url] as? URL {
            return true
        } else {
            // regular onboarding code
            return false // ours
        }
        // end
    }

    /// What the system does when a link opens the application.
    ///
    /// - Returns: Whether it was taken, the provider that has it, and whether the splash screen is there.
    static func open(_ url: URL) -> (taken: Bool, provider: URLConfigurationProvider?, splash: Bool) {
        let delegate = S2AppDelegate()
        let taken = (delegate as UIApplicationDelegate).application(.shared, open: url, options: [:])
        return (taken, delegate.flowProvider.urlConfigurationProvider, delegate.window?.rootViewController is FUIInfoViewController)
    }

    static func launch(_ url: URL?) -> Bool {
        let delegate: UIApplicationDelegate = S2AppDelegate()
        return delegate.application(.shared, didFinishLaunchingWithOptions: url.map { [.url: $0] })
    }
}

@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct `S2 cross-context SSO` {
    /// Who is signed in after a flow that begins with a step.
    private func user(_ step: OnboardingStep, screens: OnboardingScreens? = nil, at bench: SeedBench) async throws -> String {
        let context = OnboardingContext(credentialStore: CredentialCodableStore(MemoryCredentialStore()), screens: screens)
        let onboarded = try await OnboardingFlow(steps: [step, OAuth2AuthenticationStep()], context: context).run()
        let user = try await bench.user(in: onboarded.sapURLSession)
        onboarded.sapURLSession.invalidateAndCancel()
        return user
    }

    @Test func `S2-Scanner onboards with what a scanner has read, and nobody types anything`() async throws {
        try await SeedBench.run("OAuth2") { bench in
            let scanned = String(decoding: try #require(bench.mock.makeCrossContextConfiguration()), as: UTF8.self)
            let customized = Answer(of: WelcomeScreenOptions.self)
            let screens = TerminalOnboardingScreens(reader: { _ in scanned }, write: { _ in })
            #expect(try await user(OnboardingFlowProvider().scanning(customized), screens: screens, at: bench) == "alice")
            #expect(await customized.value == [.barcodeScanner, .discoveryService])
            #expect(bench.mock.statistics.oauth2.tokenAnswers == [.password: 1])
        }
    }

    @Test func `S2-AppDelegate, S2-Property and S2-Providers onboard with the link that opens the application`() async throws {
        try await SeedBench.run("OAuth2") { bench in
            let address = try #require(URL(string: "com.example.app://onboard"))
            let link = try #require(bench.mock.makeCrossContextLink(to: address))
            let opened = await S2AppDelegate.open(link)
            #expect(opened.taken)
            #expect(opened.splash)
            let provider = OnboardingFlowProvider()
            provider.urlConfigurationProvider = opened.provider
            #expect(try await user(provider.linked(), at: bench) == "alice")
            #expect(bench.mock.statistics.oauth2.tokenAnswers == [.password: 1])
        }
    }

    @Test func `S2-AppDelegate takes neither a link without a configuration nor one with something else`() async throws {
        let plain = await S2AppDelegate.open(try #require(URL(string: "com.example.app://onboard")))
        #expect(!plain.taken && plain.provider == nil && !plain.splash)
        let wrong = await S2AppDelegate.open(try #require(URL(string: "com.example.app://onboard?config=nothing")))
        #expect(!wrong.taken && wrong.provider == nil && !wrong.splash)
    }

    @Test func `S2-Launch tells a start by a link from another`() async throws {
        let link = try #require(URL(string: "com.example.app://onboard?config=x"))
        #expect(await S2AppDelegate.launch(link))
        #expect(await !S2AppDelegate.launch(nil))
    }
}
