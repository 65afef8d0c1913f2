internal import Foundation
internal import Synchronization
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif
#if canImport(Security)
internal import Security
#endif

/// Passes the events of a session's tasks to their exchanges. The methods are called in the session's serial queue.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let exchanges = Mutex<[Int: DataExchange]>([:])

    #if canImport(Security)
    private let trust: ServerTrust

    init(trust: ServerTrust) { self.trust = trust }
    #endif

    /// Records the exchange of a task.
    func add(_ exchange: DataExchange, as identifier: Int) { exchanges.withLock { $0[identifier] = exchange } }

    private func exchange(of task: URLSessionTask) -> DataExchange? { exchanges.withLock { $0[task.taskIdentifier] } }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // On Linux, interim responses such as 103 are passed on as if they were final (RFC 9110, section 15.2).
        if let response = response as? HTTPURLResponse, response.isFinal {
            #if canImport(Security)
            guard trust.hasChecked(dataTask) else {
                exchange(of: dataTask)?.fail(ServerTrust.unchecked)
                return completionHandler(.cancel)
            }
            #endif
            exchange(of: dataTask)?.receive(response)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.complete(error, response: task.response as? HTTPURLResponse)
    }

    /// Follows no redirect: the redirect is the response.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Provides no second stream: a request is not sent again.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Security)
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust:
            let answer = trust.answer(to: challenge)
            if let failure = answer.failure { exchange(of: task)?.fail(failure) }
            completionHandler(answer.disposition, answer.credential)
        case NSURLAuthenticationMethodClientCertificate:
            // Without a credential, the request continues without a certificate, instead of one that the system has selected.
            completionHandler(.useCredential, trust.clientCredential)
        default:
            // The proxy's credential is in the settings of the system. For a server, the request continues without a credential, and
            // the response with the challenge arrives.
            completionHandler(challenge.protectionSpace.isProxy() ? .performDefaultHandling : .useCredential, nil)
        }
        #else
        // FoundationNetworking asks after the complete response with the challenge. With the default handling, the task never
        // completes (6.3), and without a credential the program stops. Therefore the exchange ends here.
        exchange(of: task)?.complete(nil, response: task.response as? HTTPURLResponse)
        completionHandler(.cancelAuthenticationChallenge, nil)
        #endif
    }
}

extension HTTPURLResponse {
    fileprivate var isFinal: Bool { !(100...199).contains(statusCode) || statusCode == 101 }
}
