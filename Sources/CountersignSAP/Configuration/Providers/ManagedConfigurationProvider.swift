internal import Countersign
public import Foundation

/// Provides the configuration of device management.
///
/// On Apple systems that is the system's value of `com.apple.configuration.managed`; elsewhere the application provides a function.
///
/// ```swift
/// let provider = ManagedConfigurationProvider { try? readManagedSettings() }
/// ```
public struct ManagedConfigurationProvider: ConfigurationProviding {
    public let providerIdentifier = ConfigurationProviderNames.managed
    public var expectedInput: [String: Any] { [:] }
    public var configurationSource: String { "the managed configuration" }

    private let settings: @Sendable () -> [String: Any]?

    /// Creates a provider.
    ///
    /// - Parameter settings: Returns the settings; `nil` if there are none. It is called each time, since they may change.
    @preconcurrency public init(settings: @escaping @Sendable () -> [String: Any]?) { self.settings = settings }

    #if canImport(Darwin)
    /// Creates a provider of the system's settings for this application.
    ///
    /// Apple demands a reason for it in the application's `PrivacyInfo.xcprivacy`: `AC6B.1` of the category
    /// `NSPrivacyAccessedAPICategoryUserDefaults`.
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
                throw .invalidStructure(detail: "there are no values", source: source)
            }
            return try ConfigurationNode(settings, source: source)
        }
    }
}
