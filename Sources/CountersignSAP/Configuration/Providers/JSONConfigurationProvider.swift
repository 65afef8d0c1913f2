internal import Countersign
public import Foundation

/// Gives the configuration that the user has as text: from a QR code, from a mail.
///
/// ```swift
/// let input = [ConfigurationProviderInputKeys.JSONstring.rawValue: scanned]
/// let (isThere, configuration, error) = JSONConfigurationProvider().provideConfiguration(input: input)
/// ```
///
/// The text has at most 1 MiB.
public struct JSONConfigurationProvider: ConfigurationProviding {
    public let providerIdentifier = ConfigurationProviderNames.json
    public var expectedInput: [String: Any] { [ConfigurationProviderInputKeys.JSONstring.rawValue: ""] }
    public let configurationSource: String

    /// Makes a provider.
    ///
    /// - Parameter source: What errors call the text, such as the name of its file.
    public init(source: String = "the text") { configurationSource = source }

    public func provideConfiguration(
        input: [String: Any]
    ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
        answer { () throws(ConfigurationError) in
            let key = ConfigurationProviderInputKeys.JSONstring.rawValue
            guard let value = input[key] else { throw .missingKey(key, source: "the input") }
            guard let text = value as? String else {
                throw .invalidStructure(detail: "'\(key)' is not a text", source: "the input")
            }
            return try ConfigurationText.readJSON(Data(text.utf8), source: configurationSource)
        }
    }
}
