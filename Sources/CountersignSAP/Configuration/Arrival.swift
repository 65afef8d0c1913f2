/// The time of arrival of a configuration, from which the lifetime of its passcode is measured.
///
/// An instant of `any Clock<Duration>` cannot be stored, so a function that measures the elapsed time is stored instead.
struct Arrival: Sendable {
    /// Returns the time since the arrival.
    let age: @Sendable () -> Duration

    /// Records the current time.
    init(_ clock: any Clock<Duration>) { age = Self.stopwatch(clock) }

    private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
