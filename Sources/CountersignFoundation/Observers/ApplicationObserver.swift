internal import Countersign
internal import Foundation
internal import HTTPTypes
internal import HTTPTypesFoundation
internal import Synchronization

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Adapts an application's observer to the runtime.
///
/// Every request is prepared asynchronously (`Attachment.later`), because the observer may respond later. A resend that the
/// observer requests counts as a challenge that was answered with a new generation, so that the runtime's limits apply.
final class ApplicationObserver: SessionObserver {
    private let observer: any FoundationSessionObserving
    private let resends = Atomic<UInt64>(0)

    init(_ observer: any FoundationSessionObserving) { self.observer = observer }

    var name: String { "\(type(of: observer))" }

    // MARK: Requests

    func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment {
        exchange.task is FoundationSessionTask ? .later : .nothing
    }

    func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Attachment {
        let generation = Generation(resends.load(ordering: .relaxed))
        guard let task = exchange.task as? FoundationSessionTask, let shown = URLRequest(request, like: task.originalRequest) else {
            return .ready(generation)
        }
        task.show(shown.showing(exchange.url, insteadOf: shown))
        let disposition: FoundationSession.RequestDisposition = try await ask("willSend", in: exchange) { handler in
            observer.session(task.session, task: task, willSend: shown, completionHandler: handler)
        }
        switch disposition {
        case .use(let wanted):
            guard wanted.httpBody == shown.httpBody else {
                throw refusal("changed the body of a request, which only the caller may set")
            }
            if !wanted.hasSameHead(as: shown) { request = try head(of: wanted) }
            task.show(wanted.showing(exchange.url, insteadOf: shown))
        case .cancel(let error): throw error
        }
        return .ready(generation)
    }

    // MARK: Redirects

    func redirect(_ response: HTTPResponse, to request: inout HTTPRequest, in exchange: ExchangeContext) async throws {
        guard let task = exchange.task as? FoundationSessionTask, let target = URLRequest(request, like: task.originalRequest),
            let redirect = HTTPURLResponse(httpResponse: response, url: exchange.url)
        else { return }
        let disposition: FoundationSession.HTTPRedirectDisposition = try await ask("willPerformHTTPRedirection", in: exchange) {
            handler in
            observer.session(
                task.session, task: task, willPerformHTTPRedirection: redirect, newRequest: target, completionHandler: handler)
        }
        switch disposition {
        case .follow(let wanted):
            if !wanted.hasSameHead(as: target) { request = try head(of: wanted) }
        case .refuse: throw RefusedRedirect(head: response, url: exchange.url)
        case .cancel(let error): throw error
        }
    }

    // MARK: Responses

    func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict {
        guard let task = exchange.task as? FoundationSessionTask, !response.isRedirect else { return .pass }
        let received = URLResponse.converting(response, url: exchange.url)
        task.show(response: received)
        do {
            let disposition: FoundationSession.ResponseDisposition = try await ask("didReceive", in: exchange) { handler in
                observer.session(task.session, dataTask: task, didReceive: received, completionHandler: handler)
            }
            switch disposition {
            case .allow: return .pass
            case .use(let replacement):
                guard let head = (replacement as? HTTPURLResponse)?.httpResponse else {
                    throw refusal("replaced a response with one that is not an HTTP response")
                }
                return .replace(head)
            case .resend: return .challenge(signature: "resend")
            case .cancel(let error): throw error
            }
        } catch {
            return .refuse(error)
        }
    }

    func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws {
        resends.add(1, ordering: .relaxed)
    }

    // MARK: Asking

    /// Calls a method of the observer and waits for its disposition.
    ///
    /// - Throws: `CountersignError` if the observer releases the handler without calling it, or does not call it within the
    ///   interactive time limit; `CancellationError`.
    private func ask<Answer: Sendable>(
        _ method: String, in exchange: ExchangeContext, _ call: (@escaping @Sendable (Answer) -> Void) -> Void
    ) async throws -> Answer {
        let pending = Once<Result<Answer, any Error>>()
        do {
            let handler = CompletionHandler(
                pending, unanswered: refusal("released the completion handler of \(method) without calling it"))
            call { handler.complete($0) }
        }
        if let answer = pending.valueIfThere() { return try answer.get() }
        let configuration = exchange.session.configuration
        let late = refusal("did not call the completion handler of \(method) within \(configuration.interactiveTimeout)")
        let alarm = Task {
            try await configuration.clock.sleep(for: configuration.interactiveTimeout)
            pending.complete(.failure(late))
        }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            try await pending.value().get()
        } onCancel: {
            pending.complete(.failure(CancellationError()))
        }
    }

    private func head(of request: URLRequest) throws -> HTTPRequest {
        guard let head = request.head else { throw refusal("changed a request to one that cannot be sent") }
        return head
    }

    private func refusal(_ what: String) -> CountersignError {
        CountersignError(.refusedByObserver, detail: "the observer \(name) \(what)")
    }
}

/// A completion handler that reports an error to the waiting caller when it is released without having been called.
private final class CompletionHandler<Answer: Sendable>: Sendable {
    private let pending: Once<Result<Answer, any Error>>
    private let unanswered: CountersignError

    init(_ pending: Once<Result<Answer, any Error>>, unanswered: CountersignError) {
        self.pending = pending
        self.unanswered = unanswered
    }

    deinit { pending.complete(.failure(unanswered)) }

    func complete(_ answer: Answer) { pending.complete(.success(answer)) }
}

extension HTTPResponse {
    fileprivate var isRedirect: Bool {
        [301, 302, 303, 307, 308].contains(status.code) && headerFields.contains(.location)
    }
}

extension URLRequest {
    /// Returns the request without the query parameters of credentials: those that another request has in addition to the URL of
    /// its exchange.
    fileprivate func showing(_ url: URL, insteadOf other: URLRequest) -> URLRequest {
        var request = self
        guard self.url != other.url else {
            request.url = url
            return request
        }
        let credentials = Set(other.url?.queryItems ?? []).subtracting(url.queryItems)
        guard !credentials.isEmpty, let own = self.url, var parts = URLComponents(url: own, resolvingAgainstBaseURL: true) else {
            return self
        }
        let kept = zip(own.queryItems, parts.percentEncodedQueryItems ?? []).filter { !credentials.contains($0.0) }.map { $0.1 }
        parts.percentEncodedQueryItems = kept.isEmpty ? nil : kept
        request.url = parts.url
        return request
    }
}

extension URL {
    fileprivate var queryItems: [URLQueryItem] { URLComponents(url: self, resolvingAgainstBaseURL: true)?.queryItems ?? [] }
}
