public import Foundation

/// How a mock landscape asks for one-time passcodes.
public struct MockPasscodeOptions: Sendable {
    /// Which resources need a passcode, beside those below `/resource/NAME/` of the method.
    public var resources = MockPath { _ in false }
    /// What codes are hashed with.
    public var algorithm = TimeBasedPasscode.Algorithm.sha1
    /// How long a form can be answered.
    public var formLifetime: TimeInterval = 300
    /// The time.
    public var now: @Sendable () -> Date = { Date() }

    /// The defaults.
    public init() {}
}

/// What a mock landscape has counted about one-time passcodes.
public struct MockPasscodeStatistics: Sendable, Hashable {
    /// Requests for resources that were answered with the demand for a passcode.
    public var challenges = 0
    /// Forms that were shown, those after a wrong code included.
    public var forms = 0
    /// Requests for the form by browsers that had not been asked for a passcode, which were answered with 404.
    public var unasked = 0
    /// Codes that were wrong.
    public var wrongCodes = 0
    /// Codes that were right and had been used before.
    public var usedCodes = 0
    /// Codes that were accepted.
    public var logins = 0

    /// Nothing counted.
    public init() {}
}
