/// Makes of a configuration what the steps of a flow look for.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol ConfigurationTransforming: Sendable {
    /// What the configuration says, for ``OnboardingContext/info``.
    func transform(_ configuration: DiscoveryConfiguration) throws -> [OnboardingInfoKey: any Sendable]
}
