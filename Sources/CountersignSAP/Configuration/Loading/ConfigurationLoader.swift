internal import Countersign

/// Asks several providers for a configuration, in their order: the first that has one wins.
///
/// ```swift
/// let loader = ConfigurationLoader(providers: [linkProvider, ManagedConfigurationProvider { managed }, FileConfigurationProvider()])
/// let loaded = try loader.loadConfiguration()
/// let parameters = try OAuth2AuthenticationParameters(configuration: loaded.configuration.values())
/// ```
///
/// A passcode's time begins when its configuration comes in, and it is one and the same however often this loader, or a copy of it, comes
/// across it: what it has seen once is redeemed once.
///
/// A provider whose configuration cannot be read, or names neither a server nor a method, is one that has none; what was wrong is in ``LoadedConfiguration/skipped``.
public struct ConfigurationLoader: Sendable {
    /// The providers that are asked.
    public let providers: [any ConfigurationProviding]
    private let clock: any Clock<Duration>
    private let passcodeLifetime: Duration
    private let ledger = PasscodeLedger()

    /// Makes a loader.
    ///
    /// - Parameters:
    ///   - providers: The providers that are asked, in this order.
    ///   - passcodeLifetime: How long the server takes a passcode after the scan.
    ///   - clock: What the lifetime of a passcode is measured with, from the moment that its provider is asked. A link that a
    ///     ``URLConfigurationProvider`` has handled is older than that, and measured by that provider's clock.
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
        // Before it is asked: what it reads may be there already.
        let now = Arrival(clock)
        guard let timed = provider as? any TimedConfigurationProviding else {
            return (provider.provideConfiguration(input: input), now)
        }
        let (answer, arrival) = timed.provideTimedConfiguration(input: input)
        return (answer, arrival ?? now)
    }
}
