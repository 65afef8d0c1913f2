import Synchronization

/// A clock that only a test advances.
final class StepClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        let offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Mutex(Instant(offset: .zero))
    var now: Instant { state.withLock { $0 } }
    var minimumResolution: Duration { .nanoseconds(1) }
    func advance(by duration: Duration) { state.withLock { $0 = $0.advanced(by: duration) } }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws { try await Task.sleep(for: .seconds(3600)) }
}
