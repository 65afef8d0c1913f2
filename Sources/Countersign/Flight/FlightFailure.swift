/// Why a flight gave no new generation, where the operation itself did not say so.
package enum FlightFailure: Error, Sendable, Hashable {
    /// A direct authentication was asked for while another authentication was running.
    case busy
    /// The flight was ended by ``FlightCoordinator/cancel()``, or, being interactive, because no call waited for it any more; or no flight was
    /// started because the user has dismissed a login: see ``FlightCoordinator/noteDismissal()``.
    case cancelled
    /// The flight took longer than ``FlightCoordinator/Limits/timeout``.
    case timedOut
    /// The session was ended while the flight was running; its result was not committed.
    case sessionEnded
    /// ``FlightCoordinator/Limits/maximumAttempts`` flights have been started within ``FlightCoordinator/Limits/window``.
    case tooManyAttempts
}
