public import CountersignTesting

/// The options of a mock landscape's Secure Login Server.
public struct MockSecureLoginOptions: Sendable {
    /// A page of a login.
    public enum Round: Sendable, Hashable {
        /// The user name and password of a user of the landscape.
        case password
        /// A passcode.
        case passcode
        /// A new password and its repetition. It is accepted but not stored; the old password stays valid.
        case newPassword
        /// A text to be acknowledged, without fields.
        case disclaimer(String)
    }

    /// The pages of a login, in order. If no page asks for the user name, the user is ``user``.
    public var rounds: [Round] = [.password, .passcode]
    /// The host names of certificates.
    public var alternativeNames: [String] = []
    /// The name of the profile, which is part of the URLs.
    public var profile = "default"
    /// The user of certificates if no page asks for a user name.
    public var user = "alice"
    /// The passcode of ``Round/passcode``.
    public var passcode = "271828"
    /// The time limit of a login between two pages, and the lifetime of its ticket.
    public var loginLifetime: Duration = .seconds(120)
    /// The certification authority; `nil` for the authority of `MockOptions.certificates`, or without TLS a new one.
    public var authority: MockCertificateAuthority?
    /// Returns the current time.
    public var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// Creates options with the default values.
    public init() {}
}
