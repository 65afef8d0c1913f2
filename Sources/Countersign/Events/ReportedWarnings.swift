internal import Synchronization

/// The warnings that an authenticator has reported. Each is reported only once, rather than at every login.
final class ReportedWarnings: Sendable {
    private let reported = Mutex<Set<SessionEvent.Kind>>([])

    /// Returns whether a warning has not been reported, and notes that it now is.
    func shouldReport(_ warning: SessionEvent.Kind) -> Bool { reported.withLock { $0.insert(warning).inserted } }
}
