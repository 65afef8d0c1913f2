internal import Synchronization

/// Remembers the warnings of an authenticator, so that each is reported only once rather than at every login.
final class SaidOnce: Sendable {
    private let said = Mutex<Set<SessionEvent.Kind>>([])

    /// Whether an event must be reported. A warning that was reported before must not.
    func isNews(_ kind: SessionEvent.Kind) -> Bool {
        guard case .passedOver = kind else { return true }
        return said.withLock { $0.insert(kind).inserted }
    }
}
