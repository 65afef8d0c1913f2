import Synchronization
import Testing

/// A clock that a test advances.
///
/// Nothing depends on real time or on the order in which tasks run. A test waits until the expected tasks sleep
/// (``sleepers(_:)``), then advances the clock (``advance(by:)``), which resumes the tasks that are due, the earliest first.
final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        let offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    fileprivate struct Sleeper {
        let number: UInt64
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    fileprivate struct Watcher {
        let count: Int
        let gate: Gate
    }

    fileprivate struct State {
        var now = Instant(offset: .zero)
        var sleepersSoFar: UInt64 = 0
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.sleepersSoFar += 1
            return state.sleepersSoFar
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enum Outcome { case asleep([Watcher]), due, cancelled }
                let outcome: Outcome = state.withLock { state in
                    if Task.isCancelled { return .cancelled }
                    if deadline <= state.now { return .due }
                    state.sleepers.append(Sleeper(number: number, deadline: deadline, continuation: continuation))
                    return .asleep(state.takeSatisfiedWatchers())
                }
                switch outcome {
                case .asleep(let watchers): for watcher in watchers { watcher.gate.open() }
                case .due: continuation.resume()
                case .cancelled: continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            let (cancelled, watchers): (Sleeper?, [Watcher]) = state.withLock { state in
                guard let place = state.sleepers.firstIndex(where: { $0.number == number }) else { return (nil, []) }
                return (state.sleepers.remove(at: place), state.takeSatisfiedWatchers())
            }
            cancelled?.continuation.resume(throwing: CancellationError())
            for watcher in watchers { watcher.gate.open() }
        }
    }

    /// Whether a task sleeps on this clock.
    var isAwaited: Bool { state.withLock { !$0.sleepers.isEmpty } }

    /// Advances the clock, and resumes the tasks whose deadlines have passed.
    func advance(by duration: Duration) {
        let (due, watchers): ([Sleeper], [Watcher]) = state.withLock { state in
            let now = state.now.advanced(by: duration)
            state.now = now
            let due = state.sleepers.filter { $0.deadline <= now }
            state.sleepers.removeAll { $0.deadline <= now }
            return (due.sorted { ($0.deadline, $0.number) < ($1.deadline, $1.number) }, state.takeSatisfiedWatchers())
        }
        for sleeper in due { sleeper.continuation.resume() }
        for watcher in watchers { watcher.gate.open() }
    }

    /// Waits until `count` tasks sleep on this clock. Records an issue if that takes longer than five minutes.
    func sleepers(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        let watcher = Watcher(count: count, gate: Gate())
        state.withLock { state in
            if state.sleepers.count == count { watcher.gate.open() } else { state.watchers.append(watcher) }
        }
        await watcher.gate.pass("\(count) tasks sleep on the clock", sourceLocation: sourceLocation)
    }
}

extension ManualClock.State {
    fileprivate mutating func takeSatisfiedWatchers() -> [ManualClock.Watcher] {
        let asleep = sleepers.count
        let satisfied = watchers.filter { $0.count == asleep }
        watchers.removeAll { $0.count == asleep }
        return satisfied
    }
}
