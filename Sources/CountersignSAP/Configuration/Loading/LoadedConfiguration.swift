/// What a ``ConfigurationLoader`` found.
public struct LoadedConfiguration: Sendable {
    /// The configuration, without a passcode.
    public var configuration: DiscoveryConfiguration
    /// The passcode that came with it, if one did; its time runs since it came in: since the link was opened,
    /// or since the provider was asked that read it. A second load that finds the same gives the same.
    public let passcode: OnboardingPasscode?
    /// The identifier of the provider that gave it.
    public let providerIdentifier: String
    /// What providers that were asked before could not give.
    public let skipped: [ConfigurationLoadingError.Failure]
}
