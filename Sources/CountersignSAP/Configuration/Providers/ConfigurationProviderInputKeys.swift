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
