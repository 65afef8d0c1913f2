/// The first screen, which asks the user for a configuration.
public protocol WelcomeScreen: OnboardingScreen {
    /// The offered kinds of input.
    var configurationOptions: WelcomeScreenOptions { get set }

    /// Asks for a configuration.
    ///
    /// - Parameter problem: The reason why the last answer was invalid; `nil` the first time.
    /// - Returns: The user's input, by the raw values of ``ConfigurationProviderInputKeys``.
    /// - Throws: `CancellationError` if the user cancels.
    func requestConfiguration(after problem: ConfigurationLoadingError?) async throws -> [String: String]
}

/// The welcome screen under the name in the SDK's samples.
public typealias FUIWelcomeScreen = any WelcomeScreen

/// The kinds of input that a welcome screen can offer.
public struct WelcomeScreenOptions: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Scanning a QR code.
    public static let barcodeScanner = WelcomeScreenOptions(rawValue: 1 << 0)
    /// The user's e-mail address or a code, for SAP's discovery service.
    public static let discoveryService = WelcomeScreenOptions(rawValue: 1 << 1)
    /// Pasting a text or a link.
    public static let text = WelcomeScreenOptions(rawValue: 1 << 2)
}

/// A screen of the onboarding, which a customization handler casts to its type.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol OnboardingScreen: AnyObject, Sendable {}
