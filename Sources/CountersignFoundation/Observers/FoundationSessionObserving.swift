public import Countersign

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Observes, and can change, the requests and responses of a session.
///
/// Observers are called in the order of their registration, for each send: the first one, after a redirect, after a challenge. The
/// default implementations change nothing. A completion handler must be called once, on any thread; further calls have no effect.
/// If an observer releases the handler without calling it, or holds it for longer than `SessionConfiguration.interactiveTimeout`,
/// the request fails with an error that names the observer.
///
/// They are called for requests of ``FoundationSession`` only, since requests of the runtime's session have no task.
///
/// ```swift
/// final class VersionObserver: FoundationSessionObserving {
///     func session(
///         _ session: FoundationSession, task: FoundationSessionTask, willSend request: URLRequest,
///         completionHandler: @escaping @Sendable (FoundationSession.RequestDisposition) -> Void
///     ) {
///         var request = request
///         request.setValue("1.2", forHTTPHeaderField: "X-App-Version")
///         completionHandler(.use(request))
///     }
/// }
/// ```
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol FoundationSessionObserving: AnyObject, Sendable {
    /// Called before a request is sent.
    func session(
        _ session: FoundationSession, task: FoundationSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (FoundationSession.RequestDisposition) -> Void)

    /// Called before a redirect is followed.
    func session(
        _ session: FoundationSession, task: FoundationSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (FoundationSession.HTTPRedirectDisposition) -> Void)

    /// Called when the head of a response has arrived that is not a redirect. If an earlier observer answers it as a challenge,
    /// later observers are not called.
    func session(
        _ session: FoundationSession, dataTask: FoundationSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (FoundationSession.ResponseDisposition) -> Void)

    /// Returns the runtime's observer for a session. Called at registration; the observer must not retain the session. The default
    /// implementation calls the methods above.
    func makeSessionObserver(for session: FoundationSession) -> any SessionObserver
}

extension FoundationSessionObserving {
    public func session(
        _ session: FoundationSession, task: FoundationSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (FoundationSession.RequestDisposition) -> Void
    ) {
        completionHandler(.use(request))
    }

    public func session(
        _ session: FoundationSession, task: FoundationSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (FoundationSession.HTTPRedirectDisposition) -> Void
    ) {
        completionHandler(.follow(newRequest))
    }

    public func session(
        _ session: FoundationSession, dataTask: FoundationSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (FoundationSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
    }

    public func makeSessionObserver(for session: FoundationSession) -> any SessionObserver { ApplicationObserver(self) }
}
