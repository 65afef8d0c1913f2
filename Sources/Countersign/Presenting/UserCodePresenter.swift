#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Shows the user the page for a login on another device, and its code if it needs one (RFC 8628, section 3.3).
///
/// A session uses ``SessionConfiguration/userCodePresenter``, or otherwise its ``SessionConfiguration/presenter`` if it conforms.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol UserCodePresenter: Sendable {
    /// Shows the code, and the URL where the user enters it.
    ///
    /// The task is cancelled when the login has ended, successfully or not. A presenter with a window waits for that and closes it.
    /// A presenter without one may return immediately.
    ///
    /// - Throws: ``PresentationFailure``, which ends the login; `CancellationError`.
    func present(_ presentation: UserCodePresentation) async throws
}

/// The data of a login on another device (RFC 8628, section 3.2).
public struct UserCodePresentation: Sendable {
    /// The method's name in its spec, for a title.
    public let authenticationMethod: String
    /// The user code: at most 64 characters, without control and format characters. It allows the login, so never log it. It is
    /// empty if the page needs no code; then ``verificationURL`` allows the login.
    public let userCode: String
    /// The URL where the user enters the code, or logs in without one.
    public let verificationURL: URL
    /// The URL that includes the code, for a QR code or a link; `nil` if the server sent none.
    public let completeURL: URL?
    /// The time for which the login waits for the user; `nil` if unknown.
    public let lifetime: Duration?

    /// Creates a presentation.
    ///
    /// - Parameters:
    ///   - authenticationMethod: The method's name in its spec.
    ///   - userCode: The user code; empty if the page needs none.
    ///   - verificationURL: The URL where the user enters the code, or logs in without one.
    ///   - completeURL: The URL that includes the code.
    ///   - lifetime: The time for which the login waits for the user; `nil` if unknown.
    public init(
        authenticationMethod: String, userCode: String, verificationURL: URL, completeURL: URL? = nil, lifetime: Duration? = nil
    ) {
        self.authenticationMethod = authenticationMethod
        self.userCode = userCode
        self.verificationURL = verificationURL
        self.completeURL = completeURL
        self.lifetime = lifetime
    }
}

extension UserCodePresentation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the origin of the URL, without the code.
    public var description: String {
        "UserCodePresentation(\(authenticationMethod), \(Origin(verificationURL)?.description ?? "no web address"), redacted)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["authenticationMethod": authenticationMethod], displayStyle: .struct)
    }
}
