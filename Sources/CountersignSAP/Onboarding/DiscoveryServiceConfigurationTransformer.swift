internal import Countersign

/// Uses configurations of SAP Mobile Services unchanged, and adds the application's identifier.
public struct DiscoveryServiceConfigurationTransformer: ConfigurationTransforming {
    /// The application's identifier at the server, for configurations without one.
    public let applicationID: String?

    /// Creates a transformer.
    public init(applicationID: String? = nil) { self.applicationID = applicationID }

    /// - Throws: `ConfigurationError` if the configuration has no `host`.
    public func transform(_ configuration: DiscoveryConfiguration) throws -> [OnboardingInfoKey: any Sendable] {
        var configuration = configuration
        if let applicationID {
            let application = try DiscoveryConfiguration(
                discoveryServiceConfig: [DiscoveryKey.appID: applicationID], source: configuration.source)
            configuration = try configuration.completed(with: application)
        }
        let values = try configuration.values()
        guard let backend = values.baseURL else { throw ConfigurationError.missingKey("host", source: values.source) }
        var info: [OnboardingInfoKey: any Sendable] = [.configuration: configuration, .backendURL: backend]
        info[.applicationID] = values.values[DiscoveryKey.appID]
        return info
    }
}
