extension FlightCoordinator {
    /// What happens to a flight, reported as it happens.
    ///
    /// Every flight is ``started`` once and has one end: ``ended(_:)``, ``failed(_:)`` or ``discarded``. The end is reported before
    /// the waiters resume. A report is made outside of all locks: its receiver may call the coordinator.
    package enum Report: Sendable {
        /// A flight began.
        case started
        /// One more waits for the running flight; how many wait now.
        case joined(waiters: Int)
        /// The flight ended well, with this generation.
        case ended(Generation)
        /// The flight ended without a new generation.
        case failed(any Error)
        /// The session was ended while the flight was running: whatever it still brings is thrown away.
        case discarded
    }
}
