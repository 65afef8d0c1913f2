import Synchronization

/// One authentication for any number of challenged requests.
///
/// There is one coordinator for each credential. ``FlightMachine`` decides; this is the thin shell around it: it keeps the lock, the
/// waiters' continuations and the flight's task. The task belongs to the coordinator and to no waiter, so a waiter that is cancelled
/// leaves alone, and nothing of the request that happened to be first reaches the authentication.
///
/// Two locks, always taken in this order, and no foreign code under the second:
/// - `commits` is held while a result is committed and while the session is ended. When ``endSession()`` has returned, nothing of the
///   old session is written any more.
/// - `state` is held for one step of the machine. Operations, reports, continuations and the cancelling of tasks come after it.
package final class FlightCoordinator: Sendable {
    /// Stores what an operation has received and validated. It is short and does not wait; it may read ``FlightCoordinator/generation``
    /// but must not end the session.
    package typealias Commit = @Sendable () throws -> Void
    /// Receives and validates a new credential, and returns how it is stored. It stops when its task is cancelled: one that does not is
    /// left behind, and its result thrown away.
    package typealias Operation = @Sendable () async throws -> Commit

    private struct State {
        var machine: FlightMachine
        var continuations: [FlightMachine.Waiter: CheckedContinuation<Generation, any Error>] = [:]
        var tasks: [FlightMachine.Flight: Task<Void, Never>] = [:]
    }

    private let limits: Limits
    private let timeline: Timeline
    private let report: @Sendable (Report) -> Void
    private let commits = Mutex<Void>(())
    private let state: Mutex<State>
    private let waitersSoFar = Atomic<UInt64>(0)

    /// Makes a coordinator without a credential: its generation is ``Generation/none``.
    package init(
        limits: Limits, clock: any Clock<Duration> = ContinuousClock(), report: @escaping @Sendable (Report) -> Void = { _ in }
    ) {
        self.limits = limits
        self.timeline = Timeline(clock)
        self.report = report
        self.state = Mutex(State(machine: FlightMachine(limits: limits)))
    }

    /// The current generation; a lock and no hop, for it is read for every request.
    ///
    /// A request carries it even if there is no credential yet: after a logout the generation is not ``Generation/none``, and a
    /// challenge to a request that claims so would count as late.
    package var generation: Generation { state.withLock { $0.machine.generation } }

    /// How many calls wait; for tests that no waiter is forgotten.
    var waiterCount: Int { state.withLock { $0.continuations.count } }

    /// Ensures that there is a credential newer than `observed`.
    ///
    /// Returns at once if the current generation is newer: the challenge was late. Otherwise joins the running flight, or starts one.
    ///
    /// - Parameters:
    ///   - observed: The generation that the challenged request carried.
    ///   - begun: The exchange of that request.
    ///   - operation: What a new flight runs, outside of all locks. It must not wait for a newer generation itself: it would wait for
    ///     its own end until the time is over.
    /// - Returns: the new generation.
    /// - Throws: the operation's or the commit's error, the same for all callers that waited; ``FlightFailure``, which is
    ///   ``FlightFailure/busy`` if the running flight waits for one that the caller is a part of; `CancellationError` if the caller's task is
    ///   cancelled.
    package func ensureNewer(
        than observed: Generation, begun: ExchangeNumber = .none, operation: @escaping Operation
    ) async throws -> Generation {
        try await FlightWaits.shared.wait(for: self, as: FlightScope.innermost) {
            try await wait { .challenged($0, observed: observed, begun: begun, at: $1, operation) }
        }
    }

    /// Authenticates although nothing was observed.
    ///
    /// - Throws: ``FlightFailure/busy`` if an authentication is running, and what ``ensureNewer(than:operation:)`` throws.
    package func startAlone(operation: @escaping Operation) async throws -> Generation {
        try await wait { .asked($0, at: $1, operation) }
    }

    /// Ends the running flight: all callers that wait for it get ``FlightFailure/cancelled``.
    ///
    /// Does nothing when none is running, or when its result is being committed already. Counts as a dismissal by the user.
    package func cancel() {
        noteDismissal()
        apply(.cancelled)
    }

    /// The user has dismissed the login of the running flight, which is about to fail.
    ///
    /// Until an authentication succeeds or the session ends, a challenge to a request that was begun before this call fails with
    /// ``FlightFailure/cancelled``; a challenge to a later one does so within ``Limits/dismissalCoolDown``. ``startAlone(operation:)`` is not
    /// affected. Does nothing when no flight is running.
    func noteDismissal() { apply(.dismissed(latest: .latest, at: timeline.elapsed())) }

    /// Ends the user's session: the running flight's result will not be committed, its waiters get ``FlightFailure/sessionEnded``, and
    /// the generation advances so that no request of the old session counts as one of the new.
    ///
    /// Call this first and drop stored credentials after it: a commit that has begun is waited for.
    package func endSession() {
        perform(commits.withLock { _ in step(.sessionEnded) })
    }

    private func wait(
        for event: (FlightMachine.Waiter, Duration) -> FlightMachine.Event
    ) async throws -> Generation {
        let waiter = FlightMachine.Waiter(number: waitersSoFar.add(1, ordering: .relaxed).newValue)
        let event = event(waiter, timeline.elapsed())
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let effects: [FlightMachine.Effect]? = state.withLock { state in
                    // A cancellation before this line shows here; one after it finds the waiter when it gets the lock.
                    if Task.isCancelled { return nil }
                    state.continuations[waiter] = continuation
                    return state.machine.handle(event)
                }
                guard let effects else { return continuation.resume(throwing: CancellationError()) }
                perform(effects)
            }
        } onCancel: {
            apply(.left(waiter))
        }
    }

    private func apply(_ event: FlightMachine.Event) { perform(step(event)) }

    private func step(_ event: FlightMachine.Event) -> [FlightMachine.Effect] {
        state.withLock { $0.machine.handle(event) }
    }

    private func perform(_ effects: [FlightMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .start(let flight, let operation):
                launch(flight, operation)
            case .cancel(let flight):
                state.withLock { $0.tasks.removeValue(forKey: flight) }?.cancel()
            case .report(let event):
                report(event)
            case .resume(let waiters, let result):
                let continuations = state.withLock { state in waiters.compactMap { state.continuations.removeValue(forKey: $0) } }
                for continuation in continuations { continuation.resume(with: result) }
            }
        }
    }

    /// Runs the flight in a task of its own: detached, because priority and task-local values of the first waiter are not the flight's.
    private func launch(_ flight: FlightMachine.Flight, _ operation: @escaping Operation) {
        let task = Task.detached { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { [self] in
                    guard (try? await timeline.sleep(limits.timeout)) != nil else { return }
                    apply(.timedOut(flight))
                }
                await run(flight, operation)
                group.cancelAll()
            }
            state.withLock { _ = $0.tasks.removeValue(forKey: flight) }
        }
        // The flight may be over already: then no event would cancel its task.
        let isRunning = state.withLock { state in
            guard state.machine.isRunning(flight) else { return false }
            state.tasks[flight] = task
            return true
        }
        if !isRunning { task.cancel() }
    }

    private func run(_ flight: FlightMachine.Flight, _ operation: Operation) async {
        do {
            let commit = try await operation()
            perform(commits.withLock { _ in finish(flight, commit) })
        } catch {
            apply(.failed(flight, error))
        }
    }

    /// Commits what the flight has brought, unless the flight was ended meanwhile; `commits` is held.
    private func finish(_ flight: FlightMachine.Flight, _ commit: Commit) -> [FlightMachine.Effect] {
        guard state.withLock({ $0.machine.admit(flight) }) else { return [] }
        do {
            try commit()
            return step(.committed(flight))
        } catch {
            return step(.failed(flight, error))
        }
    }
}

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
