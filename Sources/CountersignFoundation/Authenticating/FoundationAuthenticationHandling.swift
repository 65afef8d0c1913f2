public import Foundation

/// Called after each login, before pending requests resume, and able to reject it.
///
/// An observer has one as its `authenticationHandler`.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol FoundationAuthenticationHandling: AnyObject, Sendable {
    /// Called when an authentication has succeeded. All requests that need it are held until the completion handler is called. If
    /// it is called with an error, they fail with that error, and the credential is discarded.
    ///
    /// The handler's own requests carry the new credential: those sent from within this method or its child tasks, and tasks with
    /// the identifier as their ``FoundationSessionTask/requestBypassIdentifier``. All other requests wait. The handler shares the
    /// authentication's time limit.
    ///
    /// - Parameters:
    ///   - observer: The observer that authenticated.
    ///   - session: The session.
    ///   - requestBypassIdentifier: The identifier for the handler's own requests.
    ///   - completionHandler: Must be called once: without an error to accept the login.
    func authenticationObserver(
        _ observer: any FoundationSessionObserving, didAuthenticate session: FoundationSession, requestBypassIdentifier: UUID,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// Called when an authentication has failed or was rejected by the handler.
    ///
    /// - Parameters:
    ///   - observer: The observer that authenticated.
    ///   - session: The session.
    ///   - error: The error that pending requests fail with.
    func authenticationObserver(
        _ observer: any FoundationSessionObserving, didFailToAuthenticate session: FoundationSession, error: any Error)
}
