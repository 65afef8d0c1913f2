internal import Synchronization

/// Remembers what an authenticator has warned of, so that it does so once and not at every login.
final class SaidOnce: Sendable {
    private let said = Mutex<Set<SessionEvent.Kind>>([])

    /// Whether an event has still to be reported; a warning that has been reported has not.
    func isNews(_ kind: SessionEvent.Kind) -> Bool {
        guard case .passedOver = kind else { return true }
        return said.withLock { $0.insert(kind).inserted }
    }
}
