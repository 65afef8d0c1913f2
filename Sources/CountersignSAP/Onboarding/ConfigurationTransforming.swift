/// Makes of a configuration what the steps of a flow look for.
public protocol ConfigurationTransforming: Sendable {
    /// What the configuration says, for ``OnboardingContext/info``.
    func transform(_ configuration: DiscoveryConfiguration) throws -> [OnboardingInfoKey: any Sendable]
}
