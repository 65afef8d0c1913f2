/// Converts a configuration to the values that the steps of a flow use.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol ConfigurationTransforming: Sendable {
    /// Returns the values of a configuration for ``OnboardingContext/info``.
    ///
    /// - Throws: The error of a configuration that cannot be used, such as `ConfigurationError`.
    func transform(_ configuration: DiscoveryConfiguration) throws -> [OnboardingInfoKey: any Sendable]
}
