import Canaille
import Synchronization

/// Records the events of a session.
final class RecordedEvents: SessionEventObserver {
    private let kinds = Mutex<[SessionEvent.Kind]>([])

    func observe(_ event: SessionEvent) { kinds.withLock { $0.append(event.kind) } }

    func count(_ kind: SessionEvent.Kind) -> Int { kinds.withLock { $0.count { $0 == kind } } }
    /// The number of tokens that were obtained or renewed.
    var authentications: Int {
        kinds.withLock { $0.count { if case .authenticated = $0 { true } else { false } } }
    }
}
