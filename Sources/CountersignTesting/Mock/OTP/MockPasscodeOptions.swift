public import Foundation

/// The options of one-time passcodes in a mock landscape.
public struct MockPasscodeOptions: Sendable {
    /// The resources that need a passcode, in addition to those below `/resource/NAME/` of the method.
    public var resources = MockPath { _ in false }
    /// The hash algorithm of codes.
    public var algorithm = TimeBasedPasscode.Algorithm.sha1
    /// The time for which a form can be submitted, in seconds.
    public var formLifetime: TimeInterval = 300
    /// Returns the current time.
    public var now: @Sendable () -> Date = { Date() }

    /// Creates options with the default values.
    public init() {}
}

/// The counts of one-time passcodes in a mock landscape.
public struct MockPasscodeStatistics: Sendable, Hashable {
    /// Requests for resources that were challenged for a passcode.
    public var challenges = 0
    /// Forms that were shown, including those after a wrong code.
    public var forms = 0
    /// Requests for the form by browsers without a pending passcode, which were answered with 404.
    public var unasked = 0
    /// Wrong codes.
    public var wrongCodes = 0
    /// Correct codes that had already been used.
    public var usedCodes = 0
    /// Accepted codes.
    public var logins = 0

    /// Creates statistics with zero counts.
    public init() {}
}
