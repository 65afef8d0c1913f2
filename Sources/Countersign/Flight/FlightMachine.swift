/// The rules of the single flight: one authentication for any number of challenged requests.
///
/// The machine is a value without tasks, locks, continuations or a clock. It receives an event, changes its state, and returns
/// the effects of the change. ``FlightCoordinator`` passes events under a lock and performs the effects outside of it. Therefore
/// no event can interrupt another one, and a test can check every order of events.
///
///                    challenged, asked          admit                committed
///     no flight ───────────────────────▶ running ─────▶ committing ───────────▶ no flight, next generation
///         ▲                                 │                │
///         └─────────────────────────────────┴────────────────┘
///            failed · timed out, cancelled, last interactive waiter left (only while running) · session ended
///
/// The rules for a challenge, in this order:
/// 1. The request carried an older generation than the current one: the challenge was late, and nothing is started.
/// 2. A flight is running: the challenge joins it.
/// 3. The user has dismissed a login: the challenge fails if its request was begun before that, or if the cool-down is not over. This does not
///    apply to a caller that requests a credential without a challenge.
/// 4. Too many flights were started in the window: the challenge fails.
/// 5. Otherwise a flight starts.
///
/// A flight that has ended is removed in the same step. Its later events, in particular a late result, have no effect, and the
/// next challenge starts a new flight.
struct FlightMachine: Sendable, Hashable {
    /// A waiting call, identified by a unique number.
    struct Waiter: Sendable, Hashable, Comparable {
        let number: UInt64
        static func < (left: Waiter, right: Waiter) -> Bool { left.number < right.number }
    }

    /// A flight, identified by a number that is never reused, so that a late result is distinguished from a current one.
    struct Flight: Sendable, Hashable, Comparable {
        let number: UInt64
        static func < (left: Flight, right: Flight) -> Bool { left.number < right.number }
    }

    /// An event.
    enum Event: Sendable {
        /// A request that carried the `observed` generation was challenged.
        case challenged(
            Waiter, observed: Generation, begun: ExchangeNumber = .none, at: Duration, FlightCoordinator.Operation)
        /// A caller asks for an authentication without a challenge.
        case asked(Waiter, at: Duration, FlightCoordinator.Operation)
        /// A caller requests a credential newer than `observed`, without a challenge.
        case requested(Waiter, observed: Generation, at: Duration, FlightCoordinator.Operation)
        /// A waiter's task was cancelled.
        case left(Waiter)
        /// The result that ``FlightMachine/admit(_:)`` allowed was committed.
        case committed(Flight)
        /// The operation or the commit threw.
        case failed(Flight, any Error)
        /// The flight has reached its time limit.
        case timedOut(Flight)
        /// The user has dismissed the login of the running flight; `latest` is the exchange that had begun last.
        case dismissed(latest: ExchangeNumber, at: Duration)
        /// The flight itself is cancelled.
        case cancelled
        /// The session was ended. A commit that has begun either has written its result before, or fails.
        case sessionEnded
    }

    /// An action that an event requires. Effects are performed in order.
    enum Effect: Sendable {
        /// Run the operation as this flight.
        case start(Flight, FlightCoordinator.Operation)
        /// Cancel the flight's task; no caller waits for its result.
        case cancel(Flight)
        /// Deliver a report.
        case report(FlightCoordinator.Report)
        /// Resume these waiters, which the machine has already removed.
        case resume([Waiter], Result<Generation, any Error>)
    }

    private struct Course: Sendable, Hashable {
        var waiters: Set<Waiter>
        var isCommitting = false
    }

    /// A login that the user has dismissed.
    private struct Dismissal: Sendable, Hashable {
        /// The latest exchange at the time of the dismissal. Neither it nor an earlier one gets a login.
        let latest: ExchangeNumber
        /// The end of the period in which no exchange gets a login.
        let until: Duration
    }

    private let limits: FlightCoordinator.Limits
    /// The current generation. It only grows.
    private(set) var generation: Generation
    /// The running flights: at most one, unless flights are not shared.
    private var flights: [Flight: Course] = [:]
    private var flightsSoFar: UInt64 = 0
    private var recentStarts: [Duration] = []
    /// The latest dismissal, until an authentication succeeds.
    private var dismissal: Dismissal?

    /// Creates a machine without a flight.
    init(limits: FlightCoordinator.Limits, generation: Generation = .none) {
        self.limits = limits
        self.generation = generation
    }

    /// Whether the flight has not ended.
    func isRunning(_ flight: Flight) -> Bool { flights[flight] != nil }

    /// Whether no flight is running.
    var isIdle: Bool { flights.isEmpty }

    /// Returns whether the valid result of a flight may be committed.
    ///
    /// If so, the flight can no longer be cancelled or time out: it is either committed or fails. Waiters can still join and
    /// leave.
    mutating func admit(_ flight: Flight) -> Bool {
        guard flights[flight] != nil else { return false }
        flights[flight]?.isCommitting = true
        return true
    }

    /// Handles an event.
    ///
    /// - Returns: The effects, in the order in which to perform them.
    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .challenged(let waiter, let observed, let begun, let now, let operation):
            if let effects = share(with: waiter, observed: observed) { return effects }
            if limits.isShared, let dismissal, begun <= dismissal.latest || now < dismissal.until {
                return [.resume([waiter], .failure(FlightFailure.cancelled))]
            }
            return start(operation, for: waiter, at: now)
        case .requested(let waiter, let observed, let now, let operation):
            return share(with: waiter, observed: observed) ?? start(operation, for: waiter, at: now)
        case .asked(let waiter, let now, let operation):
            guard flights.isEmpty else { return [.resume([waiter], .failure(FlightFailure.busy))] }
            return start(operation, for: waiter, at: now)
        case .left(let waiter):
            return leave(waiter)
        case .committed(let flight):
            guard isRunning(flight) else { return [] }
            generation = generation.next
            dismissal = nil
            return end(flight, with: .success(generation), reporting: .ended(generation))
        case .failed(let flight, let error):
            return end(flight, with: .failure(error), reporting: .failed(error))
        case .timedOut(let flight):
            return stop(flight, because: .timedOut)
        case .dismissed(let latest, let now):
            if !flights.isEmpty { dismissal = Dismissal(latest: latest, until: now + limits.dismissalCoolDown) }
            return []
        case .cancelled:
            return flights.keys.sorted().flatMap { stop($0, because: .cancelled) }
        case .sessionEnded:
            generation = generation.next
            recentStarts = []
            dismissal = nil
            return flights.keys.sorted().flatMap {
                [.cancel($0)] + end($0, with: .failure(FlightFailure.sessionEnded), reporting: .discarded)
            }
        }
    }

    /// Serves a waiter with a newer generation or the running flight; `nil` if there is neither, or flights are not shared.
    private mutating func share(with waiter: Waiter, observed: Generation) -> [Effect]? {
        guard limits.isShared else { return nil }
        if observed < generation { return [.resume([waiter], .success(generation))] }
        return flights.keys.first.map { join($0, waiter) }
    }

    private mutating func start(
        _ operation: @escaping FlightCoordinator.Operation, for waiter: Waiter, at now: Duration
    ) -> [Effect] {
        recentStarts.removeAll { now - $0 >= limits.window }
        guard recentStarts.count < limits.maximumAttempts else {
            return [.resume([waiter], .failure(FlightFailure.tooManyAttempts))]
        }
        recentStarts.append(now)
        flightsSoFar += 1
        let flight = Flight(number: flightsSoFar)
        flights[flight] = Course(waiters: [waiter])
        return [.report(.started), .start(flight, operation)]
    }

    private mutating func join(_ flight: Flight, _ waiter: Waiter) -> [Effect] {
        // Changed in place: if each joining waiter copied the set, a thousand waiters would cause a million insertions.
        flights[flight]?.waiters.insert(waiter)
        return [.report(.joined(waiters: flights[flight]?.waiters.count ?? 0))]
    }

    private mutating func leave(_ waiter: Waiter) -> [Effect] {
        guard let flight = flights.first(where: { $0.value.waiters.contains(waiter) })?.key else { return [] }
        flights[flight]?.waiters.remove(waiter)
        let isDeserted = flights[flight]?.waiters.isEmpty ?? true
        let stopping = isDeserted && limits.isInteractive ? stop(flight, because: .cancelled) : []
        return stopping + [.resume([waiter], .failure(CancellationError()))]
    }

    /// Stops a running flight, unless its result is being committed.
    private mutating func stop(_ flight: Flight, because failure: FlightFailure) -> [Effect] {
        guard flights[flight]?.isCommitting == false else { return [] }
        return [.cancel(flight)] + end(flight, with: .failure(failure), reporting: .failed(failure))
    }

    private mutating func end(
        _ flight: Flight, with result: Result<Generation, any Error>, reporting report: FlightCoordinator.Report
    ) -> [Effect] {
        guard let course = flights.removeValue(forKey: flight) else { return [] }
        // The waiters that came first are resumed first.
        return [.report(report), .resume(course.waiters.sorted(), result)]
    }
}
