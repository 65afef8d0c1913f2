import Foundation

/// The authenticator app of a mock landscape's user.
public struct MockAuthenticatorApp: Sendable {
    /// The user.
    public let user: String
    private let passcode: TimeBasedPasscode
    private let now: @Sendable () -> Date

    init(user: String, passcode: TimeBasedPasscode, now: @escaping @Sendable () -> Date) {
        self.user = user
        self.passcode = passcode
        self.now = now
    }

    /// The current code.
    public var code: String { passcode.code(at: now()) }
}

extension MockAuthenticatorApp: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user, without codes or secrets.
    public var description: String { "MockAuthenticatorApp(for \(user), redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
