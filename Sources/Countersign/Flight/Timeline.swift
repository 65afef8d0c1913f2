/// Time as a flight needs it: how much has passed, and waiting.
///
/// `any Clock<Duration>` does not give out instants that could be kept. This takes the type of the clock apart once, where it is still
/// known, and measures everything as the distance from that moment.
struct Timeline: Sendable {
    /// The time since the timeline was made.
    let elapsed: @Sendable () -> Duration
    /// Waits; throws `CancellationError` if the task is cancelled before the time is over.
    let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a timeline that begins now.
    init(_ clock: some Clock<Duration>) {
        let origin = clock.now
        elapsed = { origin.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }
}
