/// The moment at which a configuration came in; the life of its passcode is measured from there.
///
/// `any Clock<Duration>` gives out no instants that could be kept, so this keeps the way to measure the distance from one.
struct Arrival: Sendable {
    /// The time since.
    let age: @Sendable () -> Duration

    /// Marks this moment.
    init(_ clock: any Clock<Duration>) { age = Self.stopwatch(clock) }

    private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
