@testable import Countersign

extension FlightWorld {
    func judgeGeneration(after move: Move, _ before: FlightWorld, _ findings: inout Findings) {
        let expected: Generation =
            switch move {
            case .commits, .endsSession: before.machine.generation.next
            default: before.machine.generation
            }
        findings.demand(
            machine.generation == expected, .generationOnlyGrows, "\(before.machine.generation) → \(machine.generation)")
    }

    func judgeArrival(_ move: Move, _ before: FlightWorld, _ outcomes: [Int: Outcome], _ findings: inout Findings) {
        guard case .arrives(let request, let arrival) = move else { return }
        let starts = flights.count - before.flights.count
        let isFull = before.starts.filter { now - $0 < plan.limits.window }.count >= plan.limits.maximumAttempts
        if arrival == .directly, before.runningFlight != nil {
            findings.demand(outcomes[request] == .failure(.busy), .oneFlightAtATime, "a direct authentication is not refused")
            findings.demand(starts == 0, .oneFlightAtATime, "a direct authentication starts a second flight")
            return
        }
        if arrival != .directly, plan.limits.isShared {
            if requests[request].observed < before.machine.generation {
                let isResent = outcomes[request] == .generation(before.machine.generation)
                findings.demand(starts == 0, .lateChallengeStartsNothing, "a flight starts for a late challenge")
                findings.demand(isResent, .lateChallengeStartsNothing, "a late challenge does not return at once")
                return
            }
            if let running = before.runningFlight {
                let hasJoined = requests[request].status == .waiting(flight: running)
                findings.demand(starts == 0 && hasJoined, .oneFlightAtATime, "a challenge does not join the running flight")
                return
            }
        }
        if isFull {
            let isRefused = outcomes[request] == .failure(.tooManyAttempts)
            findings.demand(starts == 0 && isRefused, .attemptsAreLimited, "one attempt too many is not refused")
        } else {
            let waits = requests[request].status == .waiting(flight: flights.count - 1)
            findings.demand(starts == 1 && waits, .failureDoesNotStick, "no flight starts where one has to")
        }
    }

    func judgeLeaving(_ move: Move, _ before: FlightWorld, _ findings: inout Findings) {
        guard case .leaves(let request) = move, case .waiting(let flight) = before.requests[request].status else { return }
        let isLast = before.waiters(of: flight) == [request]
        let mustEnd = isLast && plan.limits.isInteractive && before.flights[flight].phase == .running
        let hasEnded = flights[flight].phase == .over
        findings.demand(hasEnded == mustEnd, .waitersLeaveAlone, "the flight has ended: \(hasEnded)")
        findings.demand(requests[request].status == .resumed, .waitersLeaveAlone, "a waiter cannot leave")
    }

    /// Each request that waited for a flight that is over now was resumed with its one result, and no other request was resumed.
    func judgeEnds(after move: Move, _ before: FlightWorld, _ outcomes: [Int: Outcome], _ findings: inout Findings) {
        for (place, flight) in before.flights.enumerated() {
            if flight.phase == .over {
                findings.demand(!flights[place].isCancelled, .reportsMatchFlights, "a flight is cancelled that is over")
                continue
            }
            let hasEnded = flights[place].phase == .over
            let isOwnEnd = move == .throwsError(flight: place) || before.commitEnds(place, with: move)
            findings.demand(
                flights[place].isCancelled == (hasEnded && !isOwnEnd), .reportsMatchFlights,
                "the task of a flight is cancelled: \(flights[place].isCancelled)")
            let mayEnd = flight.phase == .running || before.commitEnds(place, with: move)
            findings.demand(!hasEnded || mayEnd, .discardedIsNeverCommitted, "a flight is stopped within its commit")
            for request in before.waiters(of: place) {
                let expected = hasEnded ? before.outcome(of: move, for: request, of: place) : nil
                let leaves = move == .leaves(request: request)
                findings.demand(
                    outcomes[request] == (leaves ? .cancellation : expected), .sameResultForAll,
                    "request \(request) gets \(String(describing: outcomes[request]))")
                guard case .generation(let generation) = outcomes[request] else { continue }
                findings.demand(generation > requests[request].observed, .resultIsNewer, "request \(request) gets nothing newer")
            }
        }
    }

    private func commitEnds(_ flight: Int, with move: Move) -> Bool {
        move == .commits(flight: flight) || move == .commitThrows(flight: flight)
    }

    /// Returns the outcome for a waiting request if this move ends the flight.
    private func outcome(of move: Move, for request: Int, of flight: Int) -> Outcome? {
        switch move {
        case .commits: .generation(machine.generation.next)
        case .throwsError, .commitThrows: .attempt(AttemptFailure(flight: flight))
        case .timesOut: .failure(.timedOut)
        case .cancels: .failure(.cancelled)
        case .endsSession: .failure(.sessionEnded)
        case .leaves(request): .cancellation
        case .arrives, .leaves, .receives, .timePasses: nil
        }
    }
}
