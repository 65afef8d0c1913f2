/// The result of a ``ConfigurationLoader``.
public struct LoadedConfiguration: Sendable {
    /// The configuration, without a passcode.
    public var configuration: DiscoveryConfiguration
    /// The passcode of the configuration, if there is one. Its lifetime began when the link was opened or when its provider was
    /// asked. Loading it again returns the same object.
    public let passcode: OnboardingPasscode?
    /// The identifier of the provider.
    public let providerIdentifier: String
    /// The failures of the providers that were asked before.
    public let skipped: [ConfigurationLoadingError.Failure]
}
