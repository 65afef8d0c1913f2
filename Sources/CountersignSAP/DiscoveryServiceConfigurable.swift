public import Countersign

/// A type that can be created from a configuration of SAP Mobile Services.
public protocol DiscoveryServiceConfigurable {
    /// Creates a value from the texts of a configuration.
    ///
    /// - Throws: `ConfigurationError`.
    init(configuration: ConfigurationValues) throws
}

extension DiscoveryServiceConfigurable {
    /// Creates a value from the SDK's form of a configuration: the dictionary of a property list or of JSON.
    ///
    /// - Throws: `ConfigurationError`.
    public init(discoveryServiceConfig config: Any) throws {
        try self.init(configuration: ConfigurationValues(discoveryServiceConfig: config))
    }
}
