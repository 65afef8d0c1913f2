public import CountersignFoundation

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sees, and may change, what a session sends and receives: `FoundationSessionObserving` in the words of the SDK.
///
/// Every method has an implementation that lets things pass.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol SAPURLSessionObserving: FoundationSessionObserving {
    /// A request is about to be sent.
    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void)

    /// A redirect is about to be followed.
    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (SAPURLSession.HTTPRedirectDisposition) -> Void)

    /// The head of a response has arrived that is not a redirect. Earlier observers may have answered it as a challenge; then later ones
    /// do not see it.
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

// What the session calls.
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
