public import Countersign
internal import Foundation
internal import Synchronization

/// Finds the configuration: asks the providers, and then the user if none of them has one.
///
/// ```swift
/// let step = WelcomeScreenStep(transformer: DiscoveryServiceConfigurationTransformer(), providers: [JSONConfigurationProvider()])
/// step.welcomeScreenCustomizationHandler = { screen in
///     if let screen = screen as? FUIWelcomeScreen { screen.configurationOptions = [.barcodeScanner] }
/// }
/// ```
///
/// The configuration is stored without its passcode, and used when the flow is restored.
///
/// **Recipients of credentials.** The server is shown to the user. Every other origin to which the configuration sends credentials,
/// such as that of a token endpoint, must be confirmed by the user (``OnboardingScreens/confirmOrigins(_:besides:from:)``) or
/// trusted by the application (`trustedOrigins`) before anything is sent or stored. Otherwise the step throws
/// ``OnboardingStepError/originsNotConfirmed(_:server:source:)``. A stored configuration was confirmed at the onboarding.
public final class WelcomeScreenStep: OnboardingStep {
    /// Changes the screen before it is shown.
    public typealias CustomizationHandler = @Sendable (any OnboardingScreen) -> Void

    /// The maximum number of attempts of the user.
    private static let maximumAttempts = 3

    private let transformer: any ConfigurationTransforming
    private let loader: ConfigurationLoader
    private let trustedOrigins: Set<Origin>
    private let handler = Mutex<CustomizationHandler?>(nil)

    /// Creates the step.
    ///
    /// - Parameters:
    ///   - transformer: Converts the configuration to the values of later steps.
    ///   - providers: The providers in order. They are asked first without input, then with the user's input.
    ///   - passcodeLifetime: The time for which the server accepts a passcode after the scan.
    ///   - clock: The clock for that time.
    ///   - trustedOrigins: Further origins that may receive credentials without the user's confirmation, such as that of a login
    ///     service in the application's own configuration file.
    public init(
        transformer: any ConfigurationTransforming, providers: [any ConfigurationProviding],
        passcodeLifetime: Duration = OnboardingPasscode.defaultLifetime, clock: any Clock<Duration> = ContinuousClock(),
        trustedOrigins: Set<Origin> = []
    ) {
        self.transformer = transformer
        self.trustedOrigins = trustedOrigins
        loader = ConfigurationLoader(providers: providers, passcodeLifetime: passcodeLifetime, clock: clock)
    }

    /// Changes the screen before it is shown.
    @preconcurrency public var welcomeScreenCustomizationHandler: CustomizationHandler? {
        get { handler.withLock { $0 } }
        set { handler.withLock { $0 = newValue } }
    }

    /// - Throws: ``ConfigurationLoadingError``; `ConfigurationError`;
    ///   ``OnboardingStepError/originsNotConfirmed(_:server:source:)``; the errors of the screens and the store.
    public func onboard(context: OnboardingContext) async throws -> OnboardingContext {
        try await take(try await load(context), context)
    }

    /// Resumes an incomplete flow with a configuration that has arrived since, such as a link with another passcode or to another
    /// server; otherwise with the stored one. The user is not asked.
    func resume(context: OnboardingContext) async throws -> OnboardingContext {
        guard let loaded = try? loader.loadConfiguration(), try isNews(loaded, to: context) else {
            return try await restore(context: context)
        }
        return try await take(loaded, context)
    }

    private func isNews(_ loaded: LoadedConfiguration, to context: OnboardingContext) throws -> Bool {
        if loaded.passcode?.isUsable == true { return true }
        let kept = try context.credentialStore.get(DiscoveryConfiguration.self, for: OnboardingKey.configuration)
        let found = try transformer.transform(loaded.configuration)[.configuration] as? DiscoveryConfiguration
        return found?.isEquivalent(to: kept) != true
    }

    private func take(_ loaded: LoadedConfiguration, _ context: OnboardingContext) async throws -> OnboardingContext {
        let info = try transformer.transform(loaded.configuration)
        try await show(info, of: loaded, on: context.screens)
        var context = context
        context.info.merge(info) { _, new in new }
        context.passcode = loaded.passcode
        try context.credentialStore.put(try context.configuration(), for: OnboardingKey.configuration)
        return context
    }

    /// Shows the server, and asks the user to confirm every other origin that would receive credentials.
    private func show(
        _ info: [OnboardingInfoKey: any Sendable], of loaded: LoadedConfiguration, on screens: (any OnboardingScreens)?
    ) async throws {
        // Later steps use the result of the transformer.
        let configuration = info[.configuration] as? DiscoveryConfiguration ?? loaded.configuration
        let server = try info[.backendURL] as? URL ?? configuration.values().baseURL
        let provider = loaded.providerIdentifier
        if let server { try await screens?.willConnect(to: server, from: provider) }
        let shown = server.flatMap { Origin($0) }
        let others = try configuration.credentialOrigins.filter { $0.origin != shown && !trustedOrigins.contains($0.origin) }
        guard !others.isEmpty else { return }
        guard let screens, try await screens.confirmOrigins(others, besides: server, from: provider) else {
            throw OnboardingStepError.originsNotConfirmed(others, server: shown, source: configuration.source)
        }
    }

    /// - Throws: ``OnboardingStepError/noConfiguration`` if none is stored.
    public func restore(context: OnboardingContext) async throws -> OnboardingContext {
        guard let stored = try context.credentialStore.get(DiscoveryConfiguration.self, for: OnboardingKey.configuration) else {
            throw OnboardingStepError.noConfiguration
        }
        var context = context
        context.info.merge(try transformer.transform(stored)) { _, new in new }
        return context
    }

    public func reset(context: OnboardingContext) async { try? context.credentialStore.remove(for: OnboardingKey.configuration) }

    private func load(_ context: OnboardingContext) async throws -> LoadedConfiguration {
        var problem: ConfigurationLoadingError
        do throws(ConfigurationLoadingError) {
            return try loader.loadConfiguration()
        } catch {
            problem = error
        }
        guard let screens = context.screens else { throw problem }
        let screen = screens.makeWelcomeScreen()
        welcomeScreenCustomizationHandler?(screen)
        var isFirst = true
        for _ in 0..<Self.maximumAttempts {
            // At first the user is asked because no provider has a configuration, which is no problem to report.
            let input = try await screen.requestConfiguration(after: isFirst ? nil : problem)
            isFirst = false
            do throws(ConfigurationLoadingError) {
                return try loader.loadConfiguration(userInputs: input)
            } catch {
                problem = error
            }
        }
        throw problem
    }
}
