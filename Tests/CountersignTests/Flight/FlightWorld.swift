@testable import Countersign

/// Three requests, their flights and the interferences at one moment. Each possible move leads to another world.
///
/// Two schedules that lead to equal worlds have equal futures, because a world contains everything that a rule checks. That
/// allows ``FlightExplorer`` to check every schedule without performing each of them separately.
struct FlightWorld: Hashable {
    /// The way in which a request comes to the coordinator.
    enum Arrival: Hashable, CaseIterable {
        /// Challenged, with a generation that was outdated before the schedule began.
        case withOldGeneration
        /// Challenged, with the generation that was current when the schedule began, which may be outdated now.
        case withFirstGeneration
        /// Challenged, with the current generation.
        case withCurrentGeneration
        /// Not challenged: a direct authentication.
        case directly
    }

    /// A possible next event.
    enum Move: Hashable {
        case arrives(request: Int, Arrival)
        case leaves(request: Int)
        /// The operation has a valid result; a late one if the flight is over.
        case receives(flight: Int)
        /// The operation throws; late if the flight is over.
        case throwsError(flight: Int)
        case commits(flight: Int)
        case commitThrows(flight: Int)
        case timesOut(flight: Int)
        case cancels
        case endsSession
        /// The virtual clock advances by the window of attempts.
        case timePasses
    }

    /// The content of a schedule.
    struct Plan: Hashable {
        var limits: FlightCoordinator.Limits
        var arrivals: [Arrival] = Arrival.allCases
        /// Whether operations come to an end and time limits are reached.
        var flightsEnd = true
        /// The moves that happen once, at any point.
        var interferences: [Move] = [.cancels, .endsSession]
    }

    /// The error of one flight. Two errors are equal only if they belong to one attempt.
    struct AttemptFailure: Error, Hashable { let flight: Int }

    enum Outcome: Hashable {
        case generation(Generation)
        case attempt(AttemptFailure)
        case failure(FlightFailure)
        case cancellation
        case unknown

        init(_ result: Result<Generation, any Error>) {
            switch result {
            case .success(let generation): self = .generation(generation)
            case .failure(let error as AttemptFailure): self = .attempt(error)
            case .failure(let error as FlightFailure): self = .failure(error)
            case .failure(is CancellationError): self = .cancellation
            case .failure: self = .unknown
            }
        }
    }

    struct Request: Hashable {
        enum Status: Hashable { case ahead, arriving, waiting(flight: Int), resumed }
        var status = Status.ahead
        var observed = Generation.none
        var hasLeft = false
    }

    struct Flight: Hashable {
        enum Phase: Hashable { case running, committing, over }
        let identity: FlightMachine.Flight
        var phase = Phase.running
        var hasDelivered = false
        var hasTimedOut = false
        /// Whether its task was cancelled by the latest move.
        var isCancelled = false
    }

    static let first = Generation(1)

    let plan: Plan
    var machine: FlightMachine
    var now = Duration.zero
    var requests: [Request]
    var flights: [Flight] = []
    var interferences: [Move]
    var starts: [Duration] = []
    /// The number of flights whose start was reported and whose end was not.
    var reportedRunning = 0

    init(_ plan: Plan, requests: Int = 3) {
        self.plan = plan
        machine = FlightMachine(limits: plan.limits, generation: Self.first)
        self.requests = Array(repeating: Request(), count: requests)
        interferences = plan.interferences
    }

    /// The index of the flight that is not over; `nil` if there is none.
    var runningFlight: Int? { flights.lastIndex { $0.phase != .over } }

    /// Returns the requests that wait for a flight.
    func waiters(of flight: Int) -> [Int] { requests.indices.filter { requests[$0].status == .waiting(flight: flight) } }

    /// All possible moves.
    var moves: [Move] {
        // The coordinator's own end of a session waits for a commit.
        let isCommitting = flights.contains { $0.phase == .committing }
        var moves = interferences.filter { $0 != .endsSession || !isCommitting }
        // Requests that have not arrived are identical, so they are numbered in the order of their arrival.
        if let next = requests.firstIndex(where: { $0.status == .ahead }) {
            moves += plan.arrivals.map { .arrives(request: next, $0) }
        }
        for (place, request) in requests.enumerated() where request.status != .ahead && !request.hasLeft {
            moves.append(.leaves(request: place))
        }
        guard plan.flightsEnd else { return moves }
        for (place, flight) in flights.enumerated() {
            if flight.phase == .committing { moves += [.commits(flight: place), .commitThrows(flight: place)] }
            if !flight.hasDelivered { moves += [.receives(flight: place), .throwsError(flight: place)] }
            if !flight.hasTimedOut { moves.append(.timesOut(flight: place)) }
        }
        return moves
    }
}
