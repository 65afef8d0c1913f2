public import Foundation

/// The authenticator app of one user of a mock landscape: it shows codes, and hands them to an application by a URL.
///
/// ```swift
/// let app = mock.authenticatorApp(for: "alice")
/// // As the system would, once the user has tapped the link below the form's field:
/// _ = AppDelegateDispatcher.application(
///     open: try #require(app.callback(scheme: "com.example.app.xcallbackurl")),
///     options: OpenURLOptions(sourceApplication: MockAuthenticatorApp.identifier))
/// ```
public struct MockAuthenticatorApp: Sendable {
    /// How the app calls itself.
    public static let identifier = "com.sap.authenticator"

    /// The user.
    public let user: String
    private let passcode: TimeBasedPasscode
    private let now: @Sendable () -> Date

    init(user: String, passcode: TimeBasedPasscode, now: @escaping @Sendable () -> Date) {
        self.user = user
        self.passcode = passcode
        self.now = now
    }

    /// The code that it shows now.
    public var code: String { passcode.code(at: now()) }

    /// The URL that it opens an application with, with the code that it shows now; `nil` if the scheme is none.
    ///
    /// - Parameter scheme: The application's own, such as `com.example.app.xcallbackurl`.
    public func callback(scheme: String) -> URL? {
        let query = [
            ("x-source", Self.identifier), ("username_paramname", "j_username"), ("username_paramvalue", user),
            ("passcode_paramname", "j_passcode"), ("passcode_paramvalue", code),
        ]
        return URL(string: "\(scheme)://x-callback-url/setCredential?\(FormFields.encode(query))")
    }
}

extension MockAuthenticatorApp: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// No code, and nothing that makes one.
    public var description: String { "MockAuthenticatorApp(for \(user), redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
