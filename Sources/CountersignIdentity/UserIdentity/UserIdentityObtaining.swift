public import Foundation

/// Obtains the client certificate of a user: from a file, from a service, by asking the user.
///
/// ```swift
/// final class Enrolment: UserIdentityObtaining {
///     func obtainUserIdentity(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) { … }
/// }
/// ```
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol UserIdentityObtaining: AnyObject, Sendable {
    /// Obtains an identity. No two calls of one observer for one server run at once.
    ///
    /// - Parameter completionHandler: Called once, on any thread, with the bytes of a PKCS #12 archive without a password (RFC 7292); with
    ///   an error, which is then that of the requests; or with neither where the user gave up.
    func obtainUserIdentity(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void)
}

/// Obtains an identity in a way that ends when no request waits for it any more: a login page closes, a request is not sent.
///
/// The classes that are generated of specs do so.
public protocol CancellableUserIdentityObtaining: UserIdentityObtaining {
    /// Obtains an identity.
    ///
    /// - Returns: A PKCS #12 archive without a password.
    /// - Throws: What is then the error of the requests; `CancellationError` where the user gave up.
    func obtainUserIdentity() async throws -> Data
}
