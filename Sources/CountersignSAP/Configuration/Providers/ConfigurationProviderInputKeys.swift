/// The keys of the user's input for configuration providers.
public enum ConfigurationProviderInputKeys: String, Sendable, CaseIterable {
    /// The text of a configuration from a QR code or the clipboard.
    case JSONstring
    /// A link with a configuration.
    case URLstring
    /// The user's e-mail address, for SAP's discovery service.
    case emailAddress
    /// A code, for SAP's discovery service.
    case onboardingCode
}

extension ConfigurationProviderInputKeys {
    /// Returns a text as input for the built-in providers: as a link if it has that form, otherwise as a configuration.
    public static func inputs(from text: String) -> [String: String] {
        let isLink = !text.drop(while: \.isWhitespace).hasPrefix("{") && text.contains("config=")
        return [(isLink ? URLstring : JSONstring).rawValue: text]
    }
}

/// The identifiers of the built-in providers.
public struct ConfigurationProviderNames {
    /// Device management: ``ManagedConfigurationProvider``.
    public static let managed = "com.sap.configuration.provider.managed"
    /// A file: ``FileConfigurationProvider``.
    public static let file = "com.sap.configuration.provider.file"
    /// SAP's discovery service, for which the application needs its own provider.
    public static let discoveryService = "com.sap.configuration.provider.discoveryservice"
    /// JSON text: ``JSONConfigurationProvider``.
    public static let json = "com.sap.configuration.provider.json"
    /// A link: ``URLConfigurationProvider``.
    public static let url = "com.sap.configuration.provider.url"
}
