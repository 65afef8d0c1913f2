public import CountersignTesting

/// How a mock landscape's Secure Login Server behaves.
public struct MockSecureLoginOptions: Sendable {
    /// A page of a login.
    public enum Round: Sendable, Hashable {
        /// A user's name and password, those of the landscape.
        case password
        /// A passcode, as from a device or a letter.
        case passcode
        /// A new password and its repetition. It is taken and not kept: the old one stays good.
        case newPassword
        /// A text to be acknowledged, without a field.
        case disclaimer(String)
    }

    /// The pages of a login, in order. If no round asks for the user's name, it is ``user``.
    public var rounds: [Round] = [.password, .passcode]
    /// The names of hosts that certificates have.
    public var alternativeNames: [String] = []
    /// The name of the profile, which is part of addresses.
    public var profile = "default"
    /// The user whose certificates are given out where no name is asked for.
    public var user = "alice"
    /// The passcode that ``Round/passcode`` wants.
    public var passcode = "271828"
    /// How long a login may take from one page to the next, and how long its ticket is good.
    public var loginLifetime: Duration = .seconds(120)
    /// The authority that signs; `nil` takes the authority of `MockOptions.certificates`, and without TLS a new one.
    public var authority: MockCertificateAuthority?
    /// What the time is.
    public var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// The defaults.
    public init() {}
}
