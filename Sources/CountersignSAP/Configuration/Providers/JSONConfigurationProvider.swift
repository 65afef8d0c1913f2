internal import Countersign
public import Foundation

/// Provides the configuration in a text of the user, for example from a QR code or an e-mail.
///
/// ```swift
/// let input = [ConfigurationProviderInputKeys.JSONstring.rawValue: scanned]
/// let (isThere, configuration, error) = JSONConfigurationProvider().provideConfiguration(input: input)
/// ```
///
/// The maximum size of the text is 1 MiB.
public struct JSONConfigurationProvider: ConfigurationProviding {
    public let providerIdentifier = ConfigurationProviderNames.json
    public var expectedInput: [String: Any] { [ConfigurationProviderInputKeys.JSONstring.rawValue: ""] }
    public let configurationSource: String

    /// Creates a provider.
    ///
    /// - Parameter source: The name of the text in errors, such as a file name.
    public init(source: String = "the text") { configurationSource = source }

    public func provideConfiguration(
        input: [String: Any]
    ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
        answer { () throws(ConfigurationError) in
            let key = ConfigurationProviderInputKeys.JSONstring.rawValue
            guard let value = input[key] else { throw .missingKey(key, source: "the input") }
            guard let text = value as? String else {
                throw .invalidStructure(detail: "'\(key)' is not a string", source: "the input")
            }
            return try ConfigurationText.readJSON(Data(text.utf8), source: configurationSource)
        }
    }
}
