public import Foundation

/// Obtains the client certificate of a user, for example from a file, a service or the user.
///
/// ```swift
/// final class Enrolment: UserIdentityObtaining {
///     func obtainUserIdentity(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) { … }
/// }
/// ```
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol UserIdentityObtaining: AnyObject, Sendable {
    /// Obtains an identity. Calls of one observer for one server do not overlap.
    ///
    /// - Parameter completionHandler: Called once, on any thread, with the bytes of a PKCS #12 archive without a password (RFC
    ///   7292); with an error that the requests fail with; or with neither if the user cancelled.
    func obtainUserIdentity(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void)
}

/// Obtains an identity with support for cancellation: it ends when no request waits for it any more. Generated classes conform.
public protocol CancellableUserIdentityObtaining: UserIdentityObtaining {
    /// Obtains an identity.
    ///
    /// - Returns: A PKCS #12 archive without a password.
    /// - Throws: The error that the requests fail with; `CancellationError` if the user cancelled.
    func obtainUserIdentity() async throws -> Data
}
