extension FlightCoordinator {
    /// What a coordinator's flights may do.
    package struct Limits: Sendable, Hashable {
        /// The time that one flight may take.
        package var timeout: Duration
        /// Whether the user takes part: such a flight is cancelled when its last waiter leaves, because the login page is no longer
        /// needed. Another flight never is: what it fetches may exist only once, like a rotated refresh token.
        package var isInteractive: Bool
        /// The most flights that are started within ``window``; one more would be a loop.
        package var maximumAttempts: Int
        /// The time over which ``maximumAttempts`` are counted.
        package var window: Duration
        /// After the user has dismissed a login: how long challenges fail, with ``FlightFailure/cancelled``, in place of another login.
        package var dismissalCoolDown: Duration
        /// Whether a challenge joins the running flight, or is answered at once if it was late. `false` makes every challenge
        /// authenticate for itself, only so that a test and the demonstration can show what the flight is for.
        package var isShared: Bool

        /// Makes limits.
        package init(
            timeout: Duration, isInteractive: Bool, maximumAttempts: Int = 5, window: Duration = .seconds(30),
            dismissalCoolDown: Duration = .zero, isShared: Bool = true
        ) {
            self.timeout = timeout
            self.isInteractive = isInteractive
            self.maximumAttempts = maximumAttempts
            self.window = window
            self.dismissalCoolDown = dismissalCoolDown
            self.isShared = isShared
        }
    }
}
