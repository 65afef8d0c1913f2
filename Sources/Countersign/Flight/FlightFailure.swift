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

extension CountersignError {
    /// Creates the error of a failed flight, for methods without their own error for it.
    init(_ failure: FlightFailure, authenticationMethod: String, origin: Origin? = nil) {
        let (code, detail): (Code, String) =
            switch failure {
            case .busy: (.busy, "an authentication of the same authenticator is running")
            case .cancelled: (.cancelled, "the authentication was cancelled")
            case .timedOut: (.timedOut, "the authentication exceeded its time limit")
            case .sessionEnded: (.sessionEnded, "the user's session ended during the authentication")
            case .tooManyAttempts: (.tooManyAuthentications, "too many authentications were started in too short a time")
            }
        self.init(code, detail: detail, authenticationMethod: authenticationMethod, origin: origin)
    }
}
