public import CoreMetrics
public import Countersign
internal import Synchronization

/// Reports the events of sessions as counters and timers of swift-metrics.
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.eventObservers = [MetricsEventObserver()]
/// ```
///
/// | label | kind | dimensions | what |
/// |---|---|---|---|
/// | `countersign_authentications` | counter | `method`, `outcome` | authentications that ended: `succeeded`, or the code of the error; `needs-challenge` for one that was tried ahead of time and left for the next challenge |
/// | `countersign_authentication_seconds` | timer | `method` | how long one took |
/// | `countersign_events` | counter | `method`, `event` | `challenged`, `joined`, `renewed`, `adopted`, `superseded`, `not_stored`, `damaged`, `expired`, `resent` |
/// | `countersign_lock_seconds` | timer | `method` | how long the lock of a store was waited for, from 50 milliseconds on |
///
/// The events `ran`, `unanswered`, `passedOver`, `withheld`, `redirected` and `ended` are not counted. The session's logger has
/// them; to count them, add an observer of your own.
///
/// `method` is the observer's name without `Observer`, which comes from a spec. No dimension contains a value of a server, a user
/// or an application.
public final class MetricsEventObserver: SessionEventObserver {
    private let factory: (any MetricsFactory)?
    /// When authentications that are under way began.
    private let begun = Mutex<[ObjectIdentifier: ContinuousClock.Instant]>([:])

    /// Creates an observer.
    ///
    /// - Parameter factory: The factory of the metrics; `nil` uses the process's bootstrapped one.
    public init(factory: (any MetricsFactory)? = nil) { self.factory = factory }

    public func observe(_ event: SessionEvent) {
        let method = Self.method(of: event)
        switch event.kind {
        case .started: if let credential = event.credential { begun.withLock { $0[credential] = .now } }
        case .authenticated: end(event, "succeeded")
        case .failed(let code): end(event, code)
        case .waited(let time): record(time, "countersign_lock_seconds", method)
        case .challenged: count("challenged", method)
        case .joined: count("joined", method)
        case .renewed: count("renewed", method)
        case .adopted: count("adopted", method)
        case .superseded: count("superseded", method)
        case .notStored: count("not_stored", method)
        case .damaged: count("damaged", method)
        case .expired: count("expired", method)
        case .resent: count("resent", method)
        case .ran, .unanswered, .passedOver, .withheld, .redirected, .ended: break
        }
    }

    /// Some events name the observer, such as `SAMLObserver`, and some its method.
    private static func method(of event: SessionEvent) -> String {
        guard let observer = event.observer else { return "none" }
        return observer.hasSuffix("Observer") ? String(observer.dropLast(8)) : observer
    }

    private func end(_ event: SessionEvent, _ outcome: String) {
        let method = Self.method(of: event)
        counter("countersign_authentications", [("method", method), ("outcome", outcome)]).increment()
        guard let credential = event.credential, let start = begun.withLock({ $0.removeValue(forKey: credential) }) else { return }
        record(start.duration(to: .now), "countersign_authentication_seconds", method)
    }

    private func count(_ event: String, _ method: String) {
        counter("countersign_events", [("method", method), ("event", event)]).increment()
    }

    private func counter(_ label: String, _ dimensions: [(String, String)]) -> Counter {
        factory.map { Counter(label: label, dimensions: dimensions, factory: $0) } ?? Counter(label: label, dimensions: dimensions)
    }

    private func record(_ time: Duration, _ label: String, _ method: String) {
        let dimensions = [("method", method)]
        let timer =
            factory.map { Timer(label: label, dimensions: dimensions, factory: $0) } ?? Timer(label: label, dimensions: dimensions)
        timer.recordNanoseconds(Int64(time / .nanoseconds(1)))
    }
}
