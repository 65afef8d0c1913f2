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
