internal import Countersign
public import Foundation

/// Provides a configuration from one kind of source.
///
/// A custom provider declares its input, and returns a dictionary or an error:
///
/// ```swift
/// struct FixedProvider: ConfigurationProviding {
///     let providerIdentifier = "com.example.fixed"
///     let expectedInput: [String: Any] = [:]
///     func provideConfiguration(input: [String: Any]) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
///         (true, ["host": "app.example", "auth": [["type": "basic.default", "config": [:]]]], nil)
///     }
/// }
/// ```
///
/// The dictionary can contain a passcode. Pass it to a ``ConfigurationLoader``, and never log it.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol ConfigurationProviding: Sendable {
    /// The identifier of the kind of provider.
    var providerIdentifier: String { get }

    /// The required keys of the input, with any values; empty if none is required.
    var expectedInput: [String: Any] { get }

    /// The name of the source in errors, such as a file name or "the link"; never a secret or a complete link. The default is the
    /// provider's identifier.
    var configurationSource: String { get }

    /// Returns a configuration.
    ///
    /// - Parameter input: The application's values for the keys of ``expectedInput``.
    /// - Returns: Whether there is a configuration; the configuration, empty if there is none; the error, or `nil`.
    func provideConfiguration(
        input: [String: Any]
    ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?)
}

/// The result of a provider.
typealias ConfigurationAnswer = (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?)

extension ConfigurationProviding {
    public var configurationSource: String { providerIdentifier }

    /// Returns a configuration of a provider without input.
    public func provideConfiguration() -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
        provideConfiguration(input: [:])
    }

    /// Returns the result for the configuration that a closure reads, or for its error.
    func answer(_ read: () throws(ConfigurationError) -> ConfigurationNode) -> ConfigurationAnswer {
        answer(
            Result { () throws(ConfigurationError) in
                let node = try read()
                // The configuration is validated here, so that an invalid one is not reported as success.
                _ = try DiscoveryConfiguration(node, source: configurationSource)
                return node
            })
    }

    /// Returns the result for a validated configuration or an error.
    func answer(_ content: Result<ConfigurationNode, ConfigurationError>) -> ConfigurationAnswer {
        switch content {
        case .success(let node): (true, NSDictionary(dictionary: node.foundationValue as? [String: Any] ?? [:]), nil)
        case .failure(let error): (false, NSDictionary(), error)
        }
    }
}

/// A provider whose configuration may have arrived before it is requested.
protocol TimedConfigurationProviding: ConfigurationProviding {
    /// Returns a configuration like ``ConfigurationProviding/provideConfiguration(input:)``, and its time of arrival; `nil` for
    /// now.
    func provideTimedConfiguration(input: [String: Any]) -> (answer: ConfigurationAnswer, arrival: Arrival?)
}
