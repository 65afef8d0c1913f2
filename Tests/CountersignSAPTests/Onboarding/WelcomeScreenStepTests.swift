import CountersignSAP
import Foundation
import Synchronization
import Testing

/// The search for a configuration, its storage, and its use at the next start.
@Suite(.timeLimit(.minutes(10))) struct WelcomeScreenStepTests {
    private let store = CredentialCodableStore(MemoryCredentialStore())
    private let transformer = DiscoveryServiceConfigurationTransformer(applicationID: "com.example.orders")

    /// A user who types lines, and the text that the user sees.
    private final class Person: Sendable {
        private let lines: Mutex<[String]>
        private let seen = Mutex<[String]>([])
        init(_ lines: [String]) { self.lines = Mutex(lines) }
        var output: [String] { seen.withLock { $0 } }

        func screens(barcodeReader: TerminalOnboardingScreens.BarcodeReader? = nil) -> TerminalOnboardingScreens {
            TerminalOnboardingScreens(
                reader: { prompt in
                    self.seen.withLock { $0.append(prompt) }
                    return self.lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                }, write: { line in self.seen.withLock { $0.append(line) } }, barcodeReader: barcodeReader)
        }
    }

    @Test func `the seed's sample: a user scans a configuration, and its passcode is used`() async throws {
        let urlConfigurationProvider: URLConfigurationProvider? = URLConfigurationProvider()
        var providers: [any ConfigurationProviding] = [JSONConfigurationProvider()]
        if let configProvider = urlConfigurationProvider {
            providers.insert(configProvider, at: 0)
        }
        let welcomeScreenStep = WelcomeScreenStep(transformer: transformer, providers: providers)
        welcomeScreenStep.welcomeScreenCustomizationHandler = { welcomeStepUI in
            if let welcomeScreen = welcomeStepUI as? FUIWelcomeScreen {
                welcomeScreen.configurationOptions = [.barcodeScanner, .discoveryService]
            }
        }
        let picture = FileManager.default.temporaryDirectory.appending(path: "countersign-\(UUID()).png")
        try Data([1]).write(to: picture)
        defer { try? FileManager.default.removeItem(at: picture) }
        let person = Person(["{}", picture.path])
        let screens = person.screens { file in
            #expect(file.lastPathComponent == picture.lastPathComponent)
            return Configurations.scanned
        }
        let context = try await welcomeScreenStep.onboard(
            context: OnboardingContext(credentialStore: store, screens: screens))
        #expect(try context.backendURL().absoluteString == "https://app.example")
        #expect(context.info[.applicationID] as? String == "com.example.app")
        #expect(try context.passcode?.redeem() == Configurations.passcode)
        #expect(person.output.contains { $0.contains("has no 'host'") })
        #expect(person.output.contains("Server: https://app.example"))
        #expect(!person.output.joined().contains("c4n4ry"))
    }

    @Test func `what a provider has by itself is not asked for, and restoring asks nothing`() async throws {
        let step = WelcomeScreenStep(
            transformer: transformer, providers: [ManagedConfigurationProvider { ["host": "managed.example"] }])
        let context = try await step.onboard(context: OnboardingContext(credentialStore: store))
        #expect(context.info[.applicationID] as? String == "com.example.orders")
        let again = WelcomeScreenStep(transformer: DiscoveryServiceConfigurationTransformer(), providers: [])
        let restored = try await again.restore(context: OnboardingContext(credentialStore: store))
        #expect(try restored.configuration() == context.configuration())
        #expect(restored.info[.applicationID] as? String == "com.example.orders")
        await again.reset(context: restored)
        await #expect(throws: OnboardingStepError.noConfiguration) {
            try await again.restore(context: OnboardingContext(credentialStore: store))
        }
    }

    @Test func `a user may try three times, and may leave`() async throws {
        let step = WelcomeScreenStep(transformer: transformer, providers: [JSONConfigurationProvider()])
        let wrong = Person(["a", "b", "c", Configurations.cloudFoundry])
        await #expect(throws: ConfigurationLoadingError.self) {
            try await step.onboard(context: OnboardingContext(credentialStore: store, screens: wrong.screens()))
        }
        await #expect(throws: CancellationError.self) {
            try await step.onboard(context: OnboardingContext(credentialStore: store, screens: Person([]).screens()))
        }
        await #expect(throws: ConfigurationLoadingError.self) {
            try await step.onboard(context: OnboardingContext(credentialStore: store))
        }
    }

    @Test func `what is kept holds no passcode`() async throws {
        let credentials = MemoryCredentialStore()
        let store = CredentialCodableStore(credentials)
        let step = WelcomeScreenStep(transformer: transformer, providers: [JSONConfigurationProvider()])
        let person = Person(["x://y?config=" + Data(Configurations.scanned.utf8).base64EncodedString()])
        // No provider here reads links, and the user has no other input.
        await #expect(throws: CancellationError.self) {
            try await step.onboard(context: OnboardingContext(credentialStore: store, screens: person.screens()))
        }
        let linked = WelcomeScreenStep(transformer: transformer, providers: [URLConfigurationProvider()])
        let scanned = Person(["x://y?config=" + Data(Configurations.scanned.utf8).base64EncodedString()])
        _ = try await linked.onboard(context: OnboardingContext(credentialStore: store, screens: scanned.screens()))
        let kept = try #require(try store.get(DiscoveryConfiguration.self, for: "com.sap.onboarding.configuration"))
        #expect(try kept.values().values["oauth2.grantType"] == "authorization_code")
        #expect(throws: ConfigurationError.self) { try kept.values(grantType: "password") }
    }

    @Test func `a configuration without a server is none for this transformer`() throws {
        let configuration = try DiscoveryConfiguration(discoveryServiceConfig: ["auth": [["type": "basic.default"]]])
        #expect(throws: ConfigurationError.missingKey("host", source: "the configuration")) {
            try transformer.transform(configuration)
        }
    }
}
