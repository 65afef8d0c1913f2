internal import Countersign
public import Foundation

/// Gives a configuration from one kind of source.
///
/// A provider of one's own says what it needs, and gives a dictionary, or the error that kept it from giving one:
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
/// The dictionary may hold a passcode: it goes to a ``ConfigurationLoader`` and into no log.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol ConfigurationProviding: Sendable {
    /// Names the provider's kind.
    var providerIdentifier: String { get }

    /// The keys that it needs in its input, with any values; empty if it needs none.
    var expectedInput: [String: Any] { get }

    /// What to call what it reads in an error, such as a file's name or "the link"; never a secret, nor a whole link. Where it is not
    /// said, the provider's identifier.
    var configurationSource: String { get }

    /// Gives a configuration.
    ///
    /// - Parameter input: What the application has for the keys of ``expectedInput``.
    /// - Returns: Whether there is one; the configuration, empty if there is none; what went wrong, or `nil`.
    func provideConfiguration(
        input: [String: Any]
    ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?)
}

/// What a provider answers.
typealias ConfigurationAnswer = (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?)

extension ConfigurationProviding {
    public var configurationSource: String { providerIdentifier }

    /// Gives a configuration of a provider that needs no input.
    public func provideConfiguration() -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
        provideConfiguration(input: [:])
    }

    /// Answers with what a closure reads from the provider's source, or with why it cannot.
    func answer(_ read: () throws(ConfigurationError) -> ConfigurationNode) -> ConfigurationAnswer {
        answer(
            Result { () throws(ConfigurationError) in
                let node = try read()
                // It is looked at here already, so that a text that is no configuration is no success.
                _ = try DiscoveryConfiguration(node, source: configurationSource)
                return node
            })
    }

    /// Answers with what was read and looked at, or with why it could not be.
    func answer(_ content: Result<ConfigurationNode, ConfigurationError>) -> ConfigurationAnswer {
        switch content {
        case .success(let node): (true, NSDictionary(dictionary: node.foundationValue as? [String: Any] ?? [:]), nil)
        case .failure(let error): (false, NSDictionary(), error)
        }
    }
}

/// A provider whose configuration may have come in before it is asked for.
protocol TimedConfigurationProviding: ConfigurationProviding {
    /// Gives a configuration as ``ConfigurationProviding/provideConfiguration(input:)`` does, and when it came in; `nil` for just now.
    func provideTimedConfiguration(input: [String: Any]) -> (answer: ConfigurationAnswer, arrival: Arrival?)
}
