/// The rules of the single flight: one authentication for any number of challenged requests.
///
/// This is a value without tasks, locks, continuations or a clock of its own: an event goes in, the state changes, and the effects that
/// the change calls for come out. ``FlightCoordinator`` feeds it under a lock and performs the effects outside of it. That is why no
/// event can fall between two steps of another, and why a test can walk through every order of events there is.
///
///                    challenged, asked          admit                committed
///     no flight ───────────────────────▶ running ─────▶ committing ───────────▶ no flight, next generation
///         ▲                                 │                │
///         └─────────────────────────────────┴────────────────┘
///            failed · timed out, cancelled, last interactive waiter left (only while running) · session ended
///
/// The rules, in the order in which they are asked of a challenge:
/// 1. The request carried an older generation than the current one: the challenge was late, and nothing is started.
/// 2. A flight is running: the challenge joins it.
/// 3. The user has dismissed a login: the challenge fails if its request was begun before that, or if the cool-down is not over.
/// 4. Too many flights were started in the window: the challenge fails.
/// 5. Otherwise a flight starts.
///
/// A flight that has ended is forgotten in the same step. Whatever still comes from it, a late result above all, finds nothing to act
/// on, and the next challenge starts anew.
struct FlightMachine: Sendable, Hashable {
    /// A call that waits, by a number that no other call has.
    struct Waiter: Sendable, Hashable, Comparable {
        let number: UInt64
        static func < (left: Waiter, right: Waiter) -> Bool { left.number < right.number }
    }

    /// A flight, by a number that is never used again; this is what tells a late result from a current one.
    struct Flight: Sendable, Hashable, Comparable {
        let number: UInt64
        static func < (left: Flight, right: Flight) -> Bool { left.number < right.number }
    }

    /// What can happen.
    enum Event: Sendable {
        /// A request was challenged that carried the `observed` generation.
        case challenged(
            Waiter, observed: Generation, begun: ExchangeNumber = .none, at: Duration, FlightCoordinator.Operation)
        /// A caller asks for an authentication without a challenge.
        case asked(Waiter, at: Duration, FlightCoordinator.Operation)
        /// A waiter's task was cancelled.
        case left(Waiter)
        /// The result that ``FlightMachine/admit(_:)`` let through was committed.
        case committed(Flight)
        /// The operation or the commit threw.
        case failed(Flight, any Error)
        /// The flight's time is over.
        case timedOut(Flight)
        /// The user has dismissed the login of the running flight; `latest` is the exchange that had begun last.
        case dismissed(latest: ExchangeNumber, at: Duration)
        /// The flight itself is cancelled.
        case cancelled
        /// The session was ended. The shell keeps this event and a commit apart.
        case sessionEnded
    }

    /// What is then to be done, in this order.
    enum Effect: Sendable {
        /// Run the operation as this flight.
        case start(Flight, FlightCoordinator.Operation)
        /// Cancel the flight's task; no caller waits for its result.
        case cancel(Flight)
        /// Report.
        case report(FlightCoordinator.Report)
        /// Resume these waiters, none of which is known to the machine any more.
        case resume([Waiter], Result<Generation, any Error>)
    }

    private struct Course: Sendable, Hashable {
        var waiters: Set<Waiter>
        var isCommitting = false
    }

    /// A login that the user has dismissed.
    private struct Dismissal: Sendable, Hashable {
        /// Requests up to this one get no login.
        let latest: ExchangeNumber
        /// Until then no request does.
        let until: Duration
    }

    private let limits: FlightCoordinator.Limits
    /// The current generation. It only grows.
    private(set) var generation: Generation
    /// At most one, unless flights are not shared.
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

    /// Asks whether the result of a flight, which is here and valid, may be committed.
    ///
    /// If so, the flight can no longer be cancelled or time out: it will either be committed or fail. Waiters can still join and leave.
    mutating func admit(_ flight: Flight) -> Bool {
        guard flights[flight] != nil else { return false }
        flights[flight]?.isCommitting = true
        return true
    }

    /// Takes in what happened.
    ///
    /// - Returns: what is to be done, in this order.
    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .challenged(let waiter, let observed, let begun, let now, let operation):
            if limits.isShared {
                if observed < generation { return [.resume([waiter], .success(generation))] }
                if let running = flights.keys.first { return join(running, waiter) }
                if let dismissal, begun <= dismissal.latest || now < dismissal.until {
                    return [.resume([waiter], .failure(FlightFailure.cancelled))]
                }
            }
            return start(operation, for: waiter, at: now)
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
        // In place: a copy of the set for every waiter that joins would make a thousand waiters a million insertions.
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

    /// Ends a flight from outside, unless its result is being committed.
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
