/// The reason why a flight has no new generation, if the operation itself has not thrown.
package enum FlightFailure: Error, Sendable, Hashable {
    /// A direct authentication was requested while another authentication was running.
    case busy
    /// The flight was cancelled by ``FlightCoordinator/cancel()``, or because it is interactive and its last waiter left; or no
    /// flight was started because the user has dismissed a login (``FlightCoordinator/noteDismissal()``).
    case cancelled
    /// The flight took longer than ``FlightCoordinator/Limits/timeout``.
    case timedOut
    /// The session ended while the flight was running. Its result was not committed.
    case sessionEnded
    /// ``FlightCoordinator/Limits/maximumAttempts`` flights were started within ``FlightCoordinator/Limits/window``.
    case tooManyAttempts
}
