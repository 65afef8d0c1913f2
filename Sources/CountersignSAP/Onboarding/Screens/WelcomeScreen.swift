/// The first screen: asks the user for a configuration.
public protocol WelcomeScreen: OnboardingScreen {
    /// The ways that are offered.
    var configurationOptions: WelcomeScreenOptions { get set }

    /// Asks for a configuration.
    ///
    /// - Parameter problem: Why the last answer was none; `nil` the first time.
    /// - Returns: What the user gave, by the raw values of ``ConfigurationProviderInputKeys``.
    /// - Throws: `CancellationError` if the user does not go on.
    func requestConfiguration(after problem: ConfigurationLoadingError?) async throws -> [String: String]
}

/// The welcome screen under the name that the SDK's samples cast to.
public typealias FUIWelcomeScreen = any WelcomeScreen
