public import Countersign
internal import Synchronization
public import Tracing

/// Traces authentications with swift-distributed-tracing: a span for each authentication, with an event for each step.
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.eventObservers = [TracingEventObserver()]
/// ```
///
/// The name of a span is `authenticate` followed by the method's name. It starts in the context of the first request that needs the
/// authentication. Requests that join are events of the span. Spans contain names, origins and codes, and no secrets.
public final class TracingEventObserver: SessionEventObserver {
    private let tracer: (any Tracer)?
    /// The spans of running authentications, by credential.
    private let spans = Mutex<[ObjectIdentifier: Kept]>([:])

    private struct Kept {
        let span: any Span
    }

    /// Creates an observer.
    ///
    /// - Parameter tracer: The tracer; `nil` uses the process's bootstrapped one.
    public init(tracer: (any Tracer)? = nil) { self.tracer = tracer }

    public func observe(_ event: SessionEvent) {
        guard let credential = event.credential else { return }
        switch event.kind {
        case .started(let interactive): begin(event, credential, interactive: interactive)
        case .authenticated: spans.withLock { $0.removeValue(forKey: credential) }?.span.end()
        case .failed(let code):
            guard let span = spans.withLock({ $0.removeValue(forKey: credential) })?.span else { return }
            span.attributes["countersign.code"] = code
            span.setStatus(SpanStatus(code: .error, message: code))
            span.end()
        case .ran(let step): note("ran", credential, ["countersign.step": .string(step)])
        case .joined(let waiters): note("joined", credential, ["countersign.waiters": .int64(Int64(waiters))])
        case .waited(let time): note("waited", credential, ["countersign.milliseconds": .int64(Int64(time / .milliseconds(1)))])
        case .renewed: note("renewed", credential)
        case .adopted: note("adopted", credential)
        case .superseded: note("superseded", credential)
        case .notStored: note("not stored", credential)
        case .damaged: note("damaged", credential)
        case .expired: note("expired", credential)
        case .challenged, .unanswered, .passedOver, .withheld, .resent, .redirected, .ended: break
        }
    }

    private func begin(_ event: SessionEvent, _ credential: ObjectIdentifier, interactive: Bool) {
        let tracer = tracer ?? InstrumentationSystem.tracer
        let span: any Span = tracer.startAnySpan("authenticate \(event.observer ?? "")", ofKind: .client)
        if let method = event.observer { span.attributes["countersign.method"] = method }
        if let origin = event.origin { span.attributes["server.origin"] = origin.description }
        span.attributes["countersign.interactive"] = interactive
        // If authentications are not shared, there may already be one for the same credential.
        let replaced = spans.withLock { spans in
            defer { spans[credential] = Kept(span: span) }
            return spans[credential]
        }
        replaced?.span.end()
    }

    private func note(_ name: String, _ credential: ObjectIdentifier, _ attributes: [String: SpanAttribute] = [:]) {
        spans.withLock { $0[credential] }?.span.addEvent(SpanEvent(name: name, attributes: SpanAttributes(attributes)))
    }
}
