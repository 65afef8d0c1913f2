/// The elapsed time and the waiting function of a clock.
///
/// The instants of `any Clock<Duration>` cannot be stored. The initialiser therefore uses the clock's concrete type once, and all
/// times are durations since that moment.
struct Timeline: Sendable {
    /// Returns the time since the timeline was created.
    let elapsed: @Sendable () -> Duration
    /// Waits for a duration; throws `CancellationError` if the task is cancelled before its end.
    let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a timeline that begins now.
    init(_ clock: some Clock<Duration>) {
        let origin = clock.now
        elapsed = { origin.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }
}
