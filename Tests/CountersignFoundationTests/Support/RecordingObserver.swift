import CountersignFoundation
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An application's observer made of closures, which records its calls.
final class RecordingObserver: FoundationSessionObserving {
    typealias Handler<Disposition> = @Sendable (Disposition) -> Void

    private let willSend: @Sendable (URLRequest, @escaping Handler<FoundationSession.RequestDisposition>) -> Void
    private let redirected: @Sendable (URLRequest, @escaping Handler<FoundationSession.HTTPRedirectDisposition>) -> Void
    private let received: @Sendable (HTTPURLResponse, @escaping Handler<FoundationSession.ResponseDisposition>) -> Void
    private let asked = Mutex<[String]>([])

    init(
        willSend: @escaping @Sendable (URLRequest, @escaping Handler<FoundationSession.RequestDisposition>) -> Void = {
            $1(.use($0))
        },
        redirected: @escaping @Sendable (URLRequest, @escaping Handler<FoundationSession.HTTPRedirectDisposition>) -> Void = {
            $1(.follow($0))
        },
        received: @escaping @Sendable (HTTPURLResponse, @escaping Handler<FoundationSession.ResponseDisposition>) -> Void = {
            $1(.allow)
        }
    ) {
        self.willSend = willSend
        self.redirected = redirected
        self.received = received
    }

    var calls: [String] { asked.withLock { $0 } }

    func session(
        _ session: FoundationSession, task: FoundationSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (FoundationSession.RequestDisposition) -> Void
    ) {
        asked.withLock { $0.append("send \(request.url?.path ?? "")") }
        willSend(request, completionHandler)
    }

    func session(
        _ session: FoundationSession, task: FoundationSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (FoundationSession.HTTPRedirectDisposition) -> Void
    ) {
        asked.withLock { $0.append("redirect \(response.statusCode) \(newRequest.url?.path ?? "")") }
        redirected(newRequest, completionHandler)
    }

    func session(
        _ session: FoundationSession, dataTask: FoundationSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (FoundationSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.allow) }
        asked.withLock { $0.append("receive \(response.statusCode)") }
        received(response, completionHandler)
    }
}
