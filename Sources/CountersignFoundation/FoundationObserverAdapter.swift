internal import Countersign
internal import Foundation
internal import HTTPTypes
internal import HTTPTypesFoundation
internal import Synchronization

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Lets an application's observer, which decides by completion handlers, take part in the runtime's exchanges.
///
/// Every request takes the runtime's slow way (``Countersign/Attachment/later``), because the observer may take its time. A resend that the
/// observer asks for counts as a challenge that brought a new generation, so the runtime's own limits bound it.
final class FoundationObserverAdapter: SessionObserver {
    private let observer: any FoundationSessionObserving
    private weak let session: FoundationSession?
    private let resends = Atomic<UInt64>(0)

    init(_ observer: any FoundationSessionObserving, session: FoundationSession) {
        self.observer = observer
        self.session = session
    }

    var name: String { "\(type(of: observer))" }

    func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment { .later }

    func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Attachment {
        let generation = Generation(resends.load(ordering: .relaxed))
        guard let (session, task) = parties(of: exchange), let seen = URLRequest(httpRequest: request) else { return .ready(generation) }
        let disposition: FoundationSession.RequestDisposition = try await decision(in: exchange) { handler in
            observer.sapURLSession(session, task: task, willSend: seen, completionHandler: handler)
        }
        switch disposition {
        case .use(let changed):
            if changed != seen { request = try head(of: changed) }
            task.note(current: changed)
        case .cancel(let error): throw error
        }
        return .ready(generation)
    }

    func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict {
        guard let (session, task) = parties(of: exchange), let seen = HTTPURLResponse(httpResponse: response, url: exchange.url) else {
            return .pass
        }
        do {
            let disposition: FoundationSession.ResponseDisposition = try await decision(in: exchange) { handler in
                observer.sapURLSession(session, dataTask: task, didReceive: seen, completionHandler: handler)
            }
            switch disposition {
            case .allow: return .pass
            case .use(let changed): return changed.httpResponse.map { .replace($0) } ?? .pass
            case .resend: return .challenge(signature: "application")
            case .cancel(let error): return .refuse(error)
            }
        } catch {
            return .refuse(error)
        }
    }

    func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws {
        resends.add(1, ordering: .relaxed)
    }

    func redirect(_ response: HTTPResponse, to request: inout HTTPRequest, in exchange: ExchangeContext) async throws {
        guard let (session, task) = parties(of: exchange), let target = URLRequest(httpRequest: request),
            let seen = HTTPURLResponse(httpResponse: response, url: exchange.url)
        else { return }
        let disposition: FoundationSession.HTTPRedirectDisposition = try await decision(in: exchange) { handler in
            observer.sapURLSession(
                session, task: task, willPerformHTTPRedirection: seen, newRequest: target, completionHandler: handler)
        }
        switch disposition {
        case .follow(let changed):
            if changed != target { request = try head(of: changed) }
        case .cancel(let error): throw error
        }
    }

    /// Who takes part; `nil` for a request that no caller of the surface has made, such as one of a flow's own.
    private func parties(of exchange: ExchangeContext) -> (FoundationSession, FoundationSessionTask)? {
        guard let session, let task = exchange.task as? FoundationSessionTask else { return nil }
        return (session, task)
    }

    private func head(of request: URLRequest) throws -> HTTPRequest {
        guard let head = request.httpRequest else {
            throw CountersignError(.refusedByObserver, detail: "\(name) changed the request to one that cannot be sent")
        }
        return head
    }

    /// Waits for a completion handler; a second call of it changes nothing.
    ///
    /// - Throws: ``Countersign/CountersignError`` if the handler is not called within the session's limit for requests;
    ///   `CancellationError`.
    private func decision<Value: Sendable>(
        in exchange: ExchangeContext, _ ask: (@escaping @Sendable (Value) -> Void) -> Void
    ) async throws -> Value {
        let answer = SingleAnswer<Value>()
        ask { answer.give($0) }
        let configuration = exchange.session.configuration
        let alarm = Task {
            try await configuration.clock.sleep(for: configuration.requestTimeout)
            answer.give(nil)
        }
        defer { alarm.cancel() }
        let value = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            answer.give(nil)
        }
        try Task.checkCancellation()
        guard let value else {
            throw CountersignError(.timedOut, detail: "\(name) did not decide within \(configuration.requestTimeout)")
        }
        return value
    }
}
