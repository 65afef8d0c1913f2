#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Shows a user the code by which a login on another device is known (RFC 8628, section 3.3).
///
/// A session takes ``SessionConfiguration/userCodePresenter``, and without one its ``SessionConfiguration/presenter`` if that is one of these.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes present without a word about `Sendable`.
@preconcurrency public protocol UserCodePresenter: Sendable {
    /// Shows the code and the address where it is typed.
    ///
    /// The task is cancelled once the login has ended, whether well or not: a presenter that shows a window waits for that, and closes the
    /// window. A presenter with nothing to close may return immediately.
    ///
    /// - Throws: ``PresentationFailure``, which ends the login; `CancellationError`.
    func present(_ presentation: UserCodePresentation) async throws
}

/// What a user needs to allow a login from another device (RFC 8628, section 3.2).
public struct UserCodePresentation: Sendable {
    /// The method's name in its spec, for a title.
    public let authenticationMethod: String
    /// What the user types: at most 64 characters, without control and format characters. Anyone who knows it can allow the login, so it
    /// belongs in no log.
    public let userCode: String
    /// Where the user types it.
    public let verificationURL: URL
    /// The same address with the code in it, for a QR code or a link; `nil` if the server has none.
    public let completeURL: URL?
    /// How long the login waits for the user; `nil` if that is not known.
    public let lifetime: Duration?

    /// Makes a presentation.
    ///
    /// - Parameters:
    ///   - authenticationMethod: The method's name in its spec.
    ///   - userCode: What the user types.
    ///   - verificationURL: Where the user types it.
    ///   - completeURL: The same address with the code in it.
    ///   - lifetime: How long the login waits for the user; `nil` if that is not known.
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
    /// The method and the page's origin, without the code.
    public var description: String {
        "UserCodePresentation(\(authenticationMethod), \(Origin(verificationURL)?.description ?? "no web address"), redacted)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["authenticationMethod": authenticationMethod], displayStyle: .struct)
    }
}
