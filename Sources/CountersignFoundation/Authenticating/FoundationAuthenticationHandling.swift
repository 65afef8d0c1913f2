public import Foundation

/// Is notified of each login, and decides on it before the requests that wait for it go on.
///
/// An observer has one as its `authenticationHandler`.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol FoundationAuthenticationHandling: AnyObject, Sendable {
    /// An authentication has succeeded. All requests that need it are held until the completion handler is called; called with an error, they
    /// fail with it, and nothing of the login is kept.
    ///
    /// What the handler asks the server meanwhile carries the new credential: requests that it sends from within this method, or from tasks
    /// that begin there, and tasks that carry the identifier as their ``FoundationSessionTask/requestBypassIdentifier``, from wherever they
    /// are sent. A request without either waits with all others. The handler shares the authentication's limit of time.
    ///
    /// - Parameters:
    ///   - observer: The observer that authenticated.
    ///   - session: The session.
    ///   - requestBypassIdentifier: Marks the handler's own requests.
    ///   - completionHandler: To be called once: without an error to let the login stand.
    func authenticationObserver(
        _ observer: any FoundationSessionObserving, didAuthenticate session: FoundationSession, requestBypassIdentifier: UUID,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// An authentication has failed, or was refused by the handler.
    ///
    /// - Parameters:
    ///   - observer: The observer that authenticated.
    ///   - session: The session.
    ///   - error: What all requests get that waited.
    func authenticationObserver(
        _ observer: any FoundationSessionObserving, didFailToAuthenticate session: FoundationSession, error: any Error)
}
