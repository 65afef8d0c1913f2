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

/// The ways to a configuration that a welcome screen can offer.
public struct WelcomeScreenOptions: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A QR code is read.
    public static let barcodeScanner = WelcomeScreenOptions(rawValue: 1 << 0)
    /// The user's address or a code is given, and SAP's discovery service asked.
    public static let discoveryService = WelcomeScreenOptions(rawValue: 1 << 1)
    /// Text or a link is pasted.
    public static let text = WelcomeScreenOptions(rawValue: 1 << 2)
}

/// A screen of the onboarding, before its customization handler knows which.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol OnboardingScreen: AnyObject, Sendable {}
