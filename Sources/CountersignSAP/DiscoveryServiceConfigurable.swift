public import Countersign

/// Can be made from a configuration file of SAP Mobile Services.
public protocol DiscoveryServiceConfigurable {
    /// Reads the configuration's texts.
    ///
    /// - Throws: `ConfigurationError`.
    init(configuration: ConfigurationValues) throws
}

extension DiscoveryServiceConfigurable {
    /// Reads a configuration as the SDK hands it over: the dictionary of a property list or of JSON.
    ///
    /// - Throws: `ConfigurationError`.
    public init(discoveryServiceConfig config: Any) throws {
        try self.init(configuration: ConfigurationValues(discoveryServiceConfig: config))
    }
}
