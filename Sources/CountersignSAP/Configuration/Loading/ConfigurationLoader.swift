internal import Countersign

/// Asks several providers for a configuration, in their order: the first that has one wins.
///
/// ```swift
/// let loader = ConfigurationLoader(providers: [linkProvider, ManagedConfigurationProvider { managed }, FileConfigurationProvider()])
/// let loaded = try loader.loadConfiguration()
/// let parameters = try OAuth2AuthenticationParameters(configuration: loaded.configuration.values())
/// ```
///
/// A provider whose configuration cannot be read, or names neither a server nor a method, is one that has none; what was wrong is in ``LoadedConfiguration/skipped``.
public struct ConfigurationLoader: Sendable {
    /// Who is asked.
    public let providers: [any ConfigurationProviding]
    private let clock: any Clock<Duration>
    private let passcodeLifetime: Duration

    /// Makes a loader.
    ///
    /// - Parameters:
    ///   - providers: Who is asked, in this order.
    ///   - passcodeLifetime: How long the server takes a passcode after the scan.
    ///   - clock: What the lifetime of a passcode is measured with.
    public init(
        providers: [any ConfigurationProviding], passcodeLifetime: Duration = OnboardingPasscode.defaultLifetime,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.providers = providers
        self.passcodeLifetime = passcodeLifetime
        self.clock = clock
    }

    /// Asks the providers.
    ///
    /// - Parameter userInputs: What there is for the keys that providers expect, such as the text of a QR code.
    /// - Throws: ``ConfigurationLoadingError`` with the errors of all.
    public func loadConfiguration(userInputs: [String: Any] = [:]) throws(ConfigurationLoadingError) -> LoadedConfiguration {
        var failures: [ConfigurationLoadingError.Failure] = []
        for provider in providers {
            let answer = provider.provideConfiguration(input: userInputs)
            let identifier = provider.providerIdentifier
            guard answer.providerSuccess else {
                failures.append(.init(providerIdentifier: identifier, error: answer.returnError))
                continue
            }
            do throws(ConfigurationError) {
                var configuration = try DiscoveryConfiguration(discoveryServiceConfig: answer.configuration, source: identifier)
                guard configuration.namesServer else { throw .missingKey("host", source: identifier) }
                let passcode = configuration.takePasscode().map {
                    OnboardingPasscode($0, lifetime: passcodeLifetime, clock: clock)
                }
                return LoadedConfiguration(
                    configuration: configuration, passcode: passcode, providerIdentifier: identifier, skipped: failures)
            } catch {
                failures.append(.init(providerIdentifier: identifier, error: error))
            }
        }
        throw ConfigurationLoadingError(failures: failures)
    }
}
