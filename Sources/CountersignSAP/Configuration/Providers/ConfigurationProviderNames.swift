/// The identifiers of the providers that are built in.
public struct ConfigurationProviderNames {
    /// What device management gives: ``ManagedConfigurationProvider``.
    public static let managed = "com.sap.configuration.provider.managed"
    /// A file: ``FileConfigurationProvider``.
    public static let file = "com.sap.configuration.provider.file"
    /// SAP's discovery service, for which an application brings a provider of its own.
    public static let discoveryService = "com.sap.configuration.provider.discoveryservice"
    /// JSON text: ``JSONConfigurationProvider``.
    public static let json = "com.sap.configuration.provider.json"
    /// A link: ``URLConfigurationProvider``.
    public static let url = "com.sap.configuration.provider.url"
}
