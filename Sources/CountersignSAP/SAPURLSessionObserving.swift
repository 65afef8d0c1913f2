public import CountersignFoundation

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Observes, and can change, the requests and responses of a session: `FoundationSessionObserving` under the names of the SDK.
///
/// The default implementations change nothing.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol SAPURLSessionObserving: FoundationSessionObserving {
    /// Called before a request is sent.
    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void)

    /// Called before a redirect is followed.
    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (SAPURLSession.HTTPRedirectDisposition) -> Void)

    /// Called when the head of a response has arrived that is not a redirect. If an earlier observer answers it as a challenge,
    /// later observers are not called.
    func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void)
}

extension SAPURLSessionObserving {
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
    ) {
        completionHandler(.use(request))
    }

    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (SAPURLSession.HTTPRedirectDisposition) -> Void
    ) {
        completionHandler(.follow(newRequest))
    }

    public func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
    }
}

// The session calls these methods, which forward to those of the SDK.
extension SAPURLSessionObserving {
    public func session(
        _ session: FoundationSession, task: FoundationSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (FoundationSession.RequestDisposition) -> Void
    ) {
        sapURLSession(session, task: task, willSend: request, completionHandler: completionHandler)
    }

    public func session(
        _ session: FoundationSession, task: FoundationSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (FoundationSession.HTTPRedirectDisposition) -> Void
    ) {
        sapURLSession(
            session, task: task, willPerformHTTPRedirection: response, newRequest: newRequest, completionHandler: completionHandler)
    }

    public func session(
        _ session: FoundationSession, dataTask: FoundationSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (FoundationSession.ResponseDisposition) -> Void
    ) {
        sapURLSession(session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }
}
