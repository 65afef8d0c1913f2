public import Countersign

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sees, and may change, what a session sends and receives.
///
/// Observers are asked in the order of their registration, each time that a request is sent: at first, after a redirect, after
/// a challenge. Every method has an implementation that lets things pass. A completion handler has to be called once, on any thread, at
/// once or later; a second call has no effect. An observer that lets go of the handler without calling it, or keeps it for longer than
/// `SessionConfiguration.interactiveTimeout`, ends the request with an error that names the observer.
///
/// They are asked about requests of ``FoundationSession``; a request that was sent by the runtime's session itself has no task to show.
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
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol FoundationSessionObserving: AnyObject, Sendable {
    /// A request is about to be sent.
    func session(
        _ session: FoundationSession, task: FoundationSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (FoundationSession.RequestDisposition) -> Void)

    /// A redirect is about to be followed.
    func session(
        _ session: FoundationSession, task: FoundationSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (FoundationSession.HTTPRedirectDisposition) -> Void)

    /// The head of a response has arrived that is not a redirect. Earlier observers may have answered it as a challenge; then later ones
    /// do not see it.
    func session(
        _ session: FoundationSession, dataTask: FoundationSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (FoundationSession.ResponseDisposition) -> Void)

    /// The runtime's observer that stands for this one on a session, made at registration; it must not keep the session alive. The
    /// default calls the methods above; observers that are generated bring their own.
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
