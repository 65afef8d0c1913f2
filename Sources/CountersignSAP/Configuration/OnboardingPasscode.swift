public import Countersign
internal import Synchronization

/// A short-lived passcode that came with a configuration, to be exchanged for tokens without a login.
///
/// It can be taken out once, and only for so long after the scan as the server takes it. An observer or authenticator that is made while
/// it is taken out gets what is left of its life, and sends nothing later:
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
    /// How long the server takes a passcode after the scan.
    public static let defaultLifetime: Duration = .seconds(30)
    /// How many bytes a passcode has at most; those of SAP Mobile Services have 32.
    static let maximumLength = 1024

    private let text: Mutex<SecretBytes?>
    private let lifetime: Duration
    private let arrival: Arrival

    /// Takes a passcode that was scanned just now.
    ///
    /// - Parameters:
    ///   - text: The passcode.
    ///   - lifetime: How long it is good from now on.
    ///   - clock: What the lifetime is measured with.
    public convenience init(
        _ text: String, lifetime: Duration = OnboardingPasscode.defaultLifetime, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(text, lifetime: lifetime, arrival: Arrival(clock))
    }

    /// Takes a passcode that came in before.
    init(_ text: String, lifetime: Duration, arrival: Arrival) {
        self.text = Mutex(SecretBytes(utf8: text))
        self.lifetime = lifetime
        self.arrival = arrival
    }

    /// Whether it can still be redeemed.
    public var isUsable: Bool { text.withLock { $0 != nil } && remainingLife > .zero }

    /// How long the server takes it still; zero when its time is over.
    public var remainingLife: Duration { max(.zero, lifetime - arrival.age()) }

    /// Takes the passcode out, once and for all.
    ///
    /// What is made of it does not know how old it is: an authenticator would begin thirty seconds of its own. ``redeem(_:)`` tells it.
    ///
    /// - Throws: ``OnboardingPasscodeError`` if it was taken out before, or if the time is over.
    public func redeem() throws(OnboardingPasscodeError) -> String {
        let secret = text.withLock { text in
            defer { text = nil }
            return text
        }
        guard let secret else { throw .alreadyUsed }
        guard remainingLife > .zero else { throw .expired }
        return String(decoding: secret.bytes, as: UTF8.self)
    }

    /// Takes the passcode out, once and for all, and makes of it what sends it.
    ///
    /// - Parameter use: Gets the passcode. An authenticator of a grant for one use, or an observer with one, that is made in it refuses to
    ///   send the passcode when the time is over, measured from the scan.
    /// - Throws: ``OnboardingPasscodeError`` if it was taken out before, or if the time is over; what `use` throws.
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
    ///   - place: Where it stands, for the error.
    ///   - source: What to call the configuration in the error.
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

/// Why a passcode cannot be exchanged for tokens any more.
public enum OnboardingPasscodeError: AuthenticationError, SAPError, Hashable {
    /// Its time is over.
    case expired
    /// It was taken out before.
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
        case .alreadyUsed: "It can be used once only, and was."
        }
    }
    public var recoverySuggestion: String? { "Open the page with the QR code anew, and scan it again." }
    public var helpAnchor: String? { nil }
}
