public import Countersign

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sees, and may change, what a session sends and receives. Observers are asked in the order of their registration.
///
/// Each method hands its decision to the completion handler, at once or later, and once: a second call is ignored. An exchange waits until
/// the handler is called or the exchange's own limit of time is reached.
///
/// Generated observers answer the challenges of a method; write one of your own to add a field to requests, to watch redirects, or to look
/// at responses.
public protocol FoundationSessionObserving: AnyObject, Sendable {
    /// A request is about to be sent, for the first time or again.
    func sapURLSession(
        _ session: FoundationSession, task: FoundationSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (FoundationSession.RequestDisposition) -> Void)

    /// A redirect is about to be followed.
    func sapURLSession(
        _ session: FoundationSession, task: FoundationSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (FoundationSession.HTTPRedirectDisposition) -> Void)

    /// A response's head has arrived.
    func sapURLSession(
        _ session: FoundationSession, dataTask: FoundationSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (FoundationSession.ResponseDisposition) -> Void)

    /// Makes what the runtime registers for this observer on a session, which it must not keep alive. Generated observers bring their own;
    /// leave it to the default.
    func makeSessionObserver(for session: FoundationSession) -> any SessionObserver
}

extension FoundationSessionObserving {
    public func sapURLSession(
        _ session: FoundationSession, task: FoundationSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (FoundationSession.RequestDisposition) -> Void
    ) { completionHandler(.use(request)) }

    public func sapURLSession(
        _ session: FoundationSession, task: FoundationSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (FoundationSession.HTTPRedirectDisposition) -> Void
    ) { completionHandler(.follow(newRequest)) }

    public func sapURLSession(
        _ session: FoundationSession, dataTask: FoundationSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (FoundationSession.ResponseDisposition) -> Void
    ) { completionHandler(.allow) }

    public func makeSessionObserver(for session: FoundationSession) -> any SessionObserver {
        FoundationObserverAdapter(self, session: session)
    }
}

extension FoundationSession {
    /// What becomes of a request that is about to be sent.
    public enum RequestDisposition: Sendable {
        /// Send this one.
        case use(URLRequest)
        /// End the task with this error.
        case cancel(any Error)
    }

    /// What becomes of a redirect.
    public enum HTTPRedirectDisposition: Sendable {
        /// Follow it with this request.
        case follow(URLRequest)
        /// End the task with this error.
        case cancel(any Error)
    }

    /// What becomes of a response.
    public enum ResponseDisposition: Sendable {
        /// Go on with it.
        case allow
        /// Go on with this one in its place; the body stays.
        case use(HTTPURLResponse)
        /// Send the request again, a few times at most.
        case resend
        /// End the task with this error.
        case cancel(any Error)
    }
}
