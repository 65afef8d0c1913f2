internal import Countersign

/// Returns the configuration of the first of several providers that has one.
///
/// ```swift
/// let loader = ConfigurationLoader(providers: [linkProvider, ManagedConfigurationProvider { managed }, FileConfigurationProvider()])
/// let loaded = try loader.loadConfiguration()
/// let parameters = try OAuth2AuthenticationParameters(configuration: loaded.configuration.values())
/// ```
///
/// A passcode's lifetime begins when its configuration arrives. This loader and its copies return the same object for the same
/// passcode, so it can be redeemed only once.
///
/// A provider whose configuration cannot be read, or names neither a server nor a method, is skipped; the error is in
/// ``LoadedConfiguration/skipped``.
public struct ConfigurationLoader: Sendable {
    /// The providers.
    public let providers: [any ConfigurationProviding]
    private let clock: any Clock<Duration>
    private let passcodeLifetime: Duration
    private let ledger = PasscodeLedger()

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - providers: The providers, in the order in which they are asked.
    ///   - passcodeLifetime: The time for which the server accepts a passcode after the scan.
    ///   - clock: The clock for the lifetime of a passcode, from the call of its provider. For a link, ``URLConfigurationProvider``
    ///     measures it from the link's arrival with its own clock.
    public init(
        providers: [any ConfigurationProviding], passcodeLifetime: Duration = OnboardingPasscode.defaultLifetime,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.providers = providers
        self.passcodeLifetime = passcodeLifetime
        self.clock = clock
    }

    /// Asks the providers for a configuration.
    ///
    /// - Parameter userInputs: The values for the providers' expected keys, such as the text of a QR code.
    /// - Throws: ``ConfigurationLoadingError`` with the errors of all providers.
    public func loadConfiguration(userInputs: [String: Any] = [:]) throws(ConfigurationLoadingError) -> LoadedConfiguration {
        var failures: [ConfigurationLoadingError.Failure] = []
        for provider in providers {
            let identifier = provider.providerIdentifier
            let (answer, arrival) = ask(provider, userInputs)
            guard answer.providerSuccess else {
                failures.append(.init(providerIdentifier: identifier, error: answer.returnError))
                continue
            }
            do throws(ConfigurationError) {
                let source = provider.configurationSource
                var configuration = try DiscoveryConfiguration(discoveryServiceConfig: answer.configuration, source: source)
                guard configuration.namesServer else { throw .missingKey("host", source: source) }
                let passcode = configuration.takePasscode().map {
                    ledger.passcode($0, lifetime: passcodeLifetime, arrival: arrival)
                }
                return LoadedConfiguration(
                    configuration: configuration, passcode: passcode, providerIdentifier: identifier, skipped: failures)
            } catch {
                failures.append(.init(providerIdentifier: identifier, error: error))
            }
        }
        throw ConfigurationLoadingError(failures: failures)
    }

    private func ask(_ provider: any ConfigurationProviding, _ input: [String: Any]) -> (ConfigurationAnswer, Arrival) {
        // The time is taken before the call, because the provider's configuration may already have arrived.
        let now = Arrival(clock)
        guard let timed = provider as? any TimedConfigurationProviding else {
            return (provider.provideConfiguration(input: input), now)
        }
        let (answer, arrival) = timed.provideTimedConfiguration(input: input)
        return (answer, arrival ?? now)
    }
}
