import Synchronization

/// Runs one authentication for any number of challenged requests.
///
/// Each credential has one coordinator. ``FlightMachine`` makes the decisions; the coordinator holds the lock, the waiters'
/// continuations and the flight's task. The task belongs to the coordinator, so cancelling one waiter does not affect the others,
/// and the authentication inherits nothing from the first request.
///
/// There are two locks, always taken in this order. No external code runs under the second:
/// - `commits` is held while a result is committed and while ``endSession()`` ends the session. After that has returned, nothing of
///   the old session is written.
/// - `state` is held for one step of the machine. Operations, reports, continuations and cancellation run after it is released.
package final class FlightCoordinator: Sendable {
    /// Stores the validated result of an operation. It must be short and must not wait. It may read
    /// ``FlightCoordinator/generation`` but must not end the session.
    package typealias Commit = @Sendable () throws -> Void
    /// Receives and validates a new credential, and returns the function that stores it. It must stop when its task is cancelled;
    /// otherwise it is abandoned and its result is discarded.
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

    /// Creates a coordinator without a credential, whose generation is ``Generation/none``.
    package init(
        limits: Limits, clock: any Clock<Duration> = ContinuousClock(), report: @escaping @Sendable (Report) -> Void = { _ in }
    ) {
        self.limits = limits
        self.timeline = Timeline(clock)
        self.report = report
        self.state = Mutex(State(machine: FlightMachine(limits: limits)))
    }

    /// The current generation. It takes a lock and no actor hop, since it is read for every request.
    ///
    /// Requests carry it even if there is no credential: after a logout the generation is not ``Generation/none``, and a
    /// challenge to a request with ``Generation/none`` would count as late.
    package var generation: Generation { state.withLock { $0.machine.generation } }

    /// Whether a flight is running.
    var isFlying: Bool { state.withLock { !$0.machine.isIdle } }

    /// The number of waiting calls.
    var waiterCount: Int { state.withLock { $0.continuations.count } }

    /// Ensures that the credential is newer than `observed`.
    ///
    /// Returns at once if the current generation is newer, because the challenge was late. Otherwise joins the running flight or
    /// starts one.
    ///
    /// - Parameters:
    ///   - observed: The generation that the challenged request carried.
    ///   - begun: The exchange of that request.
    ///   - session: The session of that request: the wait ends as by cancellation when it is closed.
    ///   - operation: The operation of a new flight, run without locks. It must not wait for a newer generation itself, since it
    ///     would wait for its own end until the timeout.
    /// - Returns: The new generation.
    /// - Throws: The error of the operation or the commit, the same for all callers that waited; ``FlightFailure``, with
    ///   ``FlightFailure/busy`` if the running flight waits for a flight that the caller is part of; `CancellationError` if the
    ///   caller's task is cancelled.
    package func ensureNewer(
        than observed: Generation, begun: ExchangeNumber = .none, in session: Session? = nil, operation: @escaping Operation
    ) async throws -> Generation {
        try await waitUnlessInside(in: session) { .challenged($0, observed: observed, begun: begun, at: $1, operation) }
    }

    /// Ensures that the credential is newer than `observed`, for a caller that requests it without a challenge.
    ///
    /// Like ``ensureNewer(than:begun:in:operation:)``, but an earlier dismissal of the login has no effect.
    package func request(
        newerThan observed: Generation, in session: Session? = nil, operation: @escaping Operation
    ) async throws -> Generation {
        try await waitUnlessInside(in: session) { .requested($0, observed: observed, at: $1, operation) }
    }

    /// Authenticates without a challenge.
    ///
    /// - Throws: ``FlightFailure/busy`` if an authentication is running; the errors of ``ensureNewer(than:operation:)``.
    package func startAlone(operation: @escaping Operation) async throws -> Generation {
        try await wait(in: nil) { .asked($0, at: $1, operation) }
    }

    /// Cancels the running flight: all callers that wait for it get ``FlightFailure/cancelled``.
    ///
    /// Does nothing if no flight is running, or if its result is already being committed. Counts as a dismissal by the user.
    package func cancel() {
        noteDismissal()
        apply(.cancelled)
    }

    /// Records that the user has dismissed the login of the running flight, which is about to fail.
    ///
    /// Until an authentication succeeds or the session ends, a challenge to a request that was begun before this call fails with
    /// ``FlightFailure/cancelled``; a challenge to a later one does so within ``Limits/dismissalCoolDown``.
    /// ``startAlone(operation:)`` is not affected. Does nothing when no flight is running.
    func noteDismissal() { apply(.dismissed(latest: .latest, at: timeline.elapsed())) }

    /// Ends the user's session: the running flight's result will not be committed, its waiters get ``FlightFailure/sessionEnded``,
    /// and the generation advances so that no request of the old session counts as one of the new.
    ///
    /// Call this first, and drop stored credentials afterwards. The method waits for a commit that has begun.
    package func endSession() {
        perform(commits.withLock { _ in step(.sessionEnded) })
    }

    /// Ends the user's session like ``endSession()``, as a part of one change under the caller's lock.
    ///
    /// It does not wait for a commit that has begun. So each commit must write its result under the same lock, and fail if the
    /// session has ended before.
    ///
    /// - Returns: The new generation, and the function that cancels the running flight and resumes its waiters. Call that without
    ///   locks.
    func endSessionUnderLock() -> (generation: Generation, inform: @Sendable () -> Void) {
        let (effects, generation) = state.withLock { state in
            let effects = state.machine.handle(.sessionEnded)
            return (effects, state.machine.generation)
        }
        return (generation, { [self] in perform(effects) })
    }

    /// Waits for a flight, unless that waits for a flight that the caller is part of.
    private func waitUnlessInside(
        in session: Session?, for event: (FlightMachine.Waiter, Duration) -> FlightMachine.Event
    ) async throws -> Generation {
        let waiting = FlightScope.innermost
        if let waiting { try FlightWaits.shared.begin(waiting, for: self) }
        defer { if let waiting { FlightWaits.shared.end(waiting, for: self) } }
        return try await wait(in: session, for: event)
    }

    private func wait(
        in session: Session?, for event: (FlightMachine.Waiter, Duration) -> FlightMachine.Event
    ) async throws -> Generation {
        let waiter = FlightMachine.Waiter(number: waitersSoFar.add(1, ordering: .relaxed).newValue)
        let event = event(waiter, timeline.elapsed())
        let cancellation = session?.addCancellation { [self] in apply(.left(waiter)) }
        defer { if let cancellation { session?.removeCancellation(cancellation) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let effects: [FlightMachine.Effect]? = state.withLock { state in
                    // A cancellation before this line is detected here. A later one waits for the lock and then finds the waiter.
                    if Task.isCancelled { return nil }
                    state.continuations[waiter] = continuation
                    return state.machine.handle(event)
                }
                guard let effects else { return continuation.resume(throwing: CancellationError()) }
                perform(effects)
                // A session that was closed before the machine knew the waiter has not ended the wait.
                if session?.isClosed == true { apply(.left(waiter)) }
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

    /// Runs the flight in a detached task, so that it does not inherit the priority and the task-local values of the first
    /// waiter.
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
        // The flight may have ended already. Then no later event would cancel its task.
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

    /// Commits the result of the flight, unless the flight has ended meanwhile. Called while `commits` is held.
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
    /// The limits of a coordinator's flights.
    package struct Limits: Sendable, Hashable {
        /// The time limit of one flight.
        package var timeout: Duration
        /// Whether the user takes part. An interactive flight is cancelled when its last waiter leaves, since the login page is no
        /// longer needed. Other flights continue: their result may exist only once, such as a rotated refresh token.
        package var isInteractive: Bool
        /// The maximum number of flights that are started within ``window``. One more would be a loop.
        package var maximumAttempts: Int
        /// The period for ``maximumAttempts``.
        package var window: Duration
        /// The period after a dismissed login in which challenges fail with ``FlightFailure/cancelled`` without another login.
        package var dismissalCoolDown: Duration
        /// Whether challenges share the running flight, and late challenges are answered at once. With `false`, every challenge
        /// authenticates by itself; only tests and the demonstration use this.
        package var isShared: Bool

        /// Creates limits.
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
    /// A report about a flight.
    ///
    /// Every flight is ``started`` once and has one end: ``ended(_:)``, ``failed(_:)`` or ``discarded``. The end is reported before
    /// the waiters resume. Reports are delivered without locks, so the receiver may call the coordinator.
    package enum Report: Sendable {
        /// A flight began.
        case started
        /// A caller joined the running flight. The associated value is the number of waiters.
        case joined(waiters: Int)
        /// The flight succeeded with this generation.
        case ended(Generation)
        /// The flight ended without a new generation.
        case failed(any Error)
        /// The session ended while the flight was running. Its result is discarded.
        case discarded
    }
}
