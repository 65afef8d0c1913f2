internal import Countersign
internal import Synchronization

/// A short-lived passcode that came with a configuration, to be exchanged for tokens without a login (S2, "Cross Context SSO").
///
/// It can be taken out once, and only for so long after the scan as the server takes it.
///
/// ```swift
/// guard let passcode = loaded.passcode else { return }
/// let values = try loaded.configuration.values(grantType: "password", passcode: passcode.redeem())
/// ```
public final class OnboardingPasscode: Sendable {
    /// How long the server takes a passcode after the scan.
    public static let defaultLifetime: Duration = .seconds(30)
    /// How many bytes a passcode has at most; those of SAP Mobile Services have 32.
    static let maximumLength = 1024

    private let text: Mutex<SecretBytes?>
    private let lifetime: Duration
    private let elapsed: @Sendable () -> Duration

    /// Takes a passcode that was scanned just now.
    ///
    /// - Parameters:
    ///   - text: The passcode.
    ///   - lifetime: How long it is good from now on.
    ///   - clock: What the lifetime is measured with.
    public init(
        _ text: String, lifetime: Duration = OnboardingPasscode.defaultLifetime, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.text = Mutex(SecretBytes(utf8: text))
        self.lifetime = lifetime
        elapsed = Self.stopwatch(clock)
    }

    /// Whether it can still be redeemed.
    public var isUsable: Bool { text.withLock { $0 != nil } && elapsed() < lifetime }

    /// Takes the passcode out, once and for all.
    ///
    /// - Throws: ``OnboardingPasscodeError`` if it was taken out before, or if the time is over.
    public func redeem() throws(OnboardingPasscodeError) -> String {
        let secret = text.withLock { text in
            defer { text = nil }
            return text
        }
        guard let secret else { throw .alreadyUsed }
        guard elapsed() < lifetime else { throw .expired }
        return String(decoding: secret.bytes, as: UTF8.self)
    }

    private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}

extension OnboardingPasscode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "OnboardingPasscode(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class) }
}
