internal import Countersign
public import Foundation

/// Gives the configuration that device management has set.
///
/// On Apple's systems that is what the system keeps under `com.apple.configuration.managed`; elsewhere the application says where it is.
///
/// ```swift
/// let provider = ManagedConfigurationProvider { try? readManagedSettings() }
/// ```
public struct ManagedConfigurationProvider: ConfigurationProviding {
    public let providerIdentifier = ConfigurationProviderNames.managed
    public var expectedInput: [String: Any] { [:] }
    public var configurationSource: String { "the managed configuration" }

    private let settings: @Sendable () -> [String: Any]?

    /// Makes a provider.
    ///
    /// - Parameter settings: Reads the settings; it is called each time, since management may change them. `nil` if there are none.
    @preconcurrency public init(settings: @escaping @Sendable () -> [String: Any]?) { self.settings = settings }

    #if canImport(Darwin)
    /// Makes a provider of what the system keeps for this application.
    public init() {
        self.init { UserDefaults.standard.dictionary(forKey: "com.apple.configuration.managed") }
    }
    #endif

    public func provideConfiguration(
        input: [String: Any]
    ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
        let source = configurationSource
        return answer { () throws(ConfigurationError) in
            guard let settings = settings() else {
                throw .invalidStructure(detail: "nothing is managed", source: source)
            }
            return try ConfigurationNode(settings, source: source)
        }
    }
}
