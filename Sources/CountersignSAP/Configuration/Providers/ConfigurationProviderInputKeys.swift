/// The keys of what the user gives for a configuration to be found.
public enum ConfigurationProviderInputKeys: String, Sendable, CaseIterable {
    /// The text of a configuration: what a QR code holds, or what was pasted.
    case JSONstring
    /// A link with a configuration in it.
    case URLstring
    /// The address of the user, for SAP's discovery service.
    case emailAddress
    /// A code, for SAP's discovery service.
    case onboardingCode
}

extension ConfigurationProviderInputKeys {
    /// The input for the built-in providers that a text is: a link if it has one's form, or else a configuration.
    public static func inputs(from text: String) -> [String: String] {
        let isLink = !text.drop(while: \.isWhitespace).hasPrefix("{") && text.contains("config=")
        return [(isLink ? URLstring : JSONstring).rawValue: text]
    }
}

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
