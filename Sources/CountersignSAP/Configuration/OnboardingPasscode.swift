public import Countersign
internal import Synchronization

/// A short-lived passcode of a configuration that is exchanged for tokens without a login.
///
/// It can be redeemed once, and only within its lifetime after the scan. An observer or authenticator that is created in `redeem`
/// has the remaining lifetime, and does not send the passcode later:
///
/// ```swift
/// guard let passcode = loaded.passcode else { return }
/// let observer = try passcode.redeem { text in
///     let values = try loaded.configuration.values(grantType: "password", passcode: text)
///     return OAuth2Observer(
///         passwordAuthenticationParameters: try OAuth2PasswordAuthenticationParameters(configuration: values), tokenStore: store)
/// }
/// ```
public final class OnboardingPasscode: Sendable {
    /// The default time for which the server accepts a passcode after the scan: 30 seconds.
    public static let defaultLifetime: Duration = .seconds(30)
    /// The maximum length of a passcode in bytes. Those of SAP Mobile Services have 32.
    static let maximumLength = 1024

    private let text: Mutex<SecretBytes?>
    private let lifetime: Duration
    private let arrival: Arrival

    /// Creates a passcode that was scanned now.
    ///
    /// - Parameters:
    ///   - text: The passcode.
    ///   - lifetime: The lifetime from now on.
    ///   - clock: The clock for the lifetime.
    public convenience init(
        _ text: String, lifetime: Duration = OnboardingPasscode.defaultLifetime, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(text, lifetime: lifetime, arrival: Arrival(clock))
    }

    /// Creates a passcode that arrived earlier.
    init(_ text: String, lifetime: Duration, arrival: Arrival) {
        self.text = Mutex(SecretBytes(utf8: text))
        self.lifetime = lifetime
        self.arrival = arrival
    }

    /// Whether the passcode can still be redeemed.
    public var isUsable: Bool { text.withLock { $0 != nil } && remainingLife > .zero }

    /// The remaining lifetime; zero if it has expired.
    public var remainingLife: Duration { max(.zero, lifetime - arrival.age()) }

    /// Returns the passcode, once.
    ///
    /// An authenticator that is created from it starts a new lifetime of thirty seconds. Use ``redeem(_:)`` to pass on the
    /// remaining lifetime.
    ///
    /// - Throws: ``OnboardingPasscodeError`` if it was redeemed before or has expired.
    public func redeem() throws(OnboardingPasscodeError) -> String {
        let secret = text.withLock { text in
            defer { text = nil }
            return text
        }
        guard let secret else { throw .alreadyUsed }
        guard remainingLife > .zero else { throw .expired }
        return String(decoding: secret.bytes, as: UTF8.self)
    }

    /// Passes the passcode, once, to a function that creates its authenticator or observer.
    ///
    /// - Parameter use: Receives the passcode. An authenticator of a single-use grant, or an observer with one, that is created in
    ///   it refuses to send the passcode after its lifetime, measured from the scan.
    /// - Throws: ``OnboardingPasscodeError`` if it was redeemed before or has expired; the error of `use`.
    public func redeem<Result>(_ use: (_ passcode: String) throws -> Result) throws -> Result {
        let text = try redeem()
        let (lifetime, arrival) = (lifetime, arrival)
        return try HandoverLife.$remaining.withValue({ lifetime - arrival.age() }) { try use(text) }
    }
}

extension OnboardingPasscode {
    /// Throws `ConfigurationError` for a text that is too long for a passcode.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - place: The position of the text in errors.
    ///   - source: The name of the configuration in errors.
    static func checkLength(of text: String, place: String, source: String) throws(ConfigurationError) {
        guard text.utf8.count > maximumLength else { return }
        throw .invalidStructure(detail: "'\(place)' has more than \(maximumLength) bytes", source: source)
    }
}

extension OnboardingPasscode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "OnboardingPasscode(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class) }
}

/// The reason why a passcode can no longer be redeemed.
public enum OnboardingPasscodeError: AuthenticationError, SAPError, Hashable {
    /// It has expired.
    case expired
    /// It was redeemed before.
    case alreadyUsed

    public static var authenticationMethod: String { "onboarding" }
    public var code: String {
        switch self {
        case .expired: "expired"
        case .alreadyUsed: "alreadyUsed"
        }
    }
    public var errorDescription: String? { "The passcode cannot be used." }
    public var failureReason: String? {
        switch self {
        case .expired: "More time has passed since it was scanned than the server allows."
        case .alreadyUsed: "It can be used only once, and was used before."
        }
    }
    public var recoverySuggestion: String? { "Open the page with the QR code again, and scan the new code." }
    public var helpAnchor: String? { nil }
}
