public import CountersignTesting
public import Foundation

/// SAP Authenticator hands codes to an application by a URL.
///
/// ```swift
/// let app = mock.authenticatorApp(for: "alice")
/// // As the system would, once the user has tapped the link below the form's field:
/// _ = AppDelegateDispatcher.application(
///     open: try #require(app.callback(scheme: "com.example.app.xcallbackurl")),
///     options: OpenURLOptions(sourceApplication: MockAuthenticatorApp.identifier))
/// ```
extension MockAuthenticatorApp {
    /// The bundle identifier of SAP Authenticator.
    public static let identifier = "com.sap.authenticator"

    /// Returns the URL by which it opens an application with its current code; `nil` for an invalid scheme.
    ///
    /// - Parameter scheme: The application's scheme, such as `com.example.app.xcallbackurl`.
    public func callback(scheme: String) -> URL? {
        let query = [
            ("x-source", Self.identifier), ("username_paramname", "j_username"), ("username_paramvalue", user),
            ("passcode_paramname", "j_passcode"), ("passcode_paramvalue", code),
        ]
        return URL(string: "\(scheme)://x-callback-url/setCredential?\(FormFields.encode(query))")
    }
}
