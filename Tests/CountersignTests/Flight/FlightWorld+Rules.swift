@testable import Countersign

extension FlightWorld {
    /// The rules that must hold in every world and at every move.
    enum Rule: Hashable {
        case lateChallengeStartsNothing
        case oneFlightAtATime
        case resumedExactlyOnce
        case sameResultForAll
        case discardedIsNeverCommitted
        case generationOnlyGrows
        case waitersLeaveAlone
        case resultIsNewer
        case attemptsAreLimited
        case failureDoesNotStick
        case reportsMatchFlights
    }

    /// The rules that were broken, each with its description.
    struct Findings {
        private(set) var all: [(rule: Rule, what: String)] = []

        mutating func demand(_ holds: Bool, _ rule: Rule, _ what: @autoclosure () -> String) {
            if !holds { all.append((rule, what())) }
        }
    }

    /// Makes a move.
    ///
    /// - Returns: The rules that the move broke.
    mutating func make(_ move: Move) -> Findings {
        let before = self
        var findings = Findings()
        let outcomes = perform(effects(of: move, &findings), before, &findings)

        for place in flights.indices where !machine.isRunning(flights[place].identity) { flights[place].phase = .over }
        for place in requests.indices where requests[place].status == .arriving {
            findings.demand(runningFlight != nil, .resumedExactlyOnce, "request \(place) waits for nothing")
            requests[place].status = runningFlight.map { .waiting(flight: $0) } ?? .resumed
        }

        judgeGeneration(after: move, before, &findings)
        judgeArrival(move, before, outcomes, &findings)
        judgeLeaving(move, before, &findings)
        judgeEnds(after: move, before, outcomes, &findings)
        let running = flights.filter { $0.phase != .over }.count
        findings.demand(reportedRunning == running, .reportsMatchFlights, "\(reportedRunning) run by report, \(running) in fact")
        // The generation that a resumed request had observed is not used any longer. Without it more worlds are equal.
        for place in requests.indices where requests[place].status == .resumed { requests[place].observed = .none }
        for place in flights.indices { flights[place].isCancelled = false }
        return findings
    }

    /// Checks the rules that must hold when no move is possible any longer.
    func lastFindings() -> Findings {
        var findings = Findings()
        guard plan.flightsEnd else { return findings }
        for place in requests.indices {
            findings.demand(requests[place].status == .resumed, .resumedExactlyOnce, "request \(place) is never resumed")
        }
        var later = machine
        let waiter = FlightMachine.Waiter(number: UInt64(requests.count))
        let effects = later.handle(
            .challenged(waiter, observed: later.generation, at: now + plan.limits.window, Self.operation))
        findings.demand(effects.contains(where: \.isStart), .failureDoesNotStick, "nothing starts after all is over")
        return findings
    }

    /// Applies the effects of a move.
    ///
    /// - Returns: The outcomes of the requests that the move resumed.
    private mutating func perform(
        _ effects: [FlightMachine.Effect], _ before: FlightWorld, _ findings: inout Findings
    ) -> [Int: Outcome] {
        var outcomes: [Int: Outcome] = [:]
        for effect in effects {
            switch effect {
            case .start(let flight, _):
                if plan.limits.isShared {
                    findings.demand(before.runningFlight == nil, .oneFlightAtATime, "a second flight starts")
                }
                flights.append(Flight(identity: flight))
                starts.append(now)
                let recent = starts.filter { now - $0 < plan.limits.window }.count
                findings.demand(recent <= plan.limits.maximumAttempts, .attemptsAreLimited, "\(recent) flights in the window")
            case .cancel(let flight):
                for place in flights.indices where flights[place].identity == flight { flights[place].isCancelled = true }
            case .report(.started):
                reportedRunning += 1
            case .report(.ended), .report(.failed), .report(.discarded):
                reportedRunning -= 1
            case .report(.joined(let waiters)):
                let expected = before.runningFlight.map { before.waiters(of: $0).count + 1 }
                findings.demand(waiters == expected, .reportsMatchFlights, "\(waiters) waiters are reported")
            case .resume(let waiters, let result):
                for place in waiters.map({ Int($0.number) }) {
                    let isResumable = requests[place].status != .resumed && requests[place].status != .ahead
                    findings.demand(isResumable, .resumedExactlyOnce, "request \(place) is resumed a second time")
                    requests[place].status = .resumed
                    outcomes[place] = Outcome(result)
                }
            }
        }
        return outcomes
    }

    private static let operation: FlightCoordinator.Operation = { {} }

    private mutating func effects(of move: Move, _ findings: inout Findings) -> [FlightMachine.Effect] {
        switch move {
        case .arrives(let request, let arrival):
            let observed: Generation =
                switch arrival {
                case .withOldGeneration: .none
                case .withFirstGeneration: Self.first
                case .withCurrentGeneration, .directly: machine.generation
                }
            requests[request].status = .arriving
            requests[request].observed = observed
            let waiter = FlightMachine.Waiter(number: UInt64(request))
            return arrival == .directly
                ? machine.handle(.asked(waiter, at: now, Self.operation))
                : machine.handle(.challenged(waiter, observed: observed, at: now, Self.operation))
        case .leaves(let request):
            requests[request].hasLeft = true
            return machine.handle(.left(FlightMachine.Waiter(number: UInt64(request))))
        case .receives(let flight):
            flights[flight].hasDelivered = true
            let isAdmitted = machine.admit(flights[flight].identity)
            let isExpected = flights[flight].phase == .running
            findings.demand(isAdmitted == isExpected, .discardedIsNeverCommitted, "a result is admitted: \(isAdmitted)")
            if isAdmitted { flights[flight].phase = .committing }
            return []
        case .throwsError(let flight):
            flights[flight].hasDelivered = true
            return machine.handle(.failed(flights[flight].identity, AttemptFailure(flight: flight)))
        case .commits(let flight):
            return machine.handle(.committed(flights[flight].identity))
        case .commitThrows(let flight):
            return machine.handle(.failed(flights[flight].identity, AttemptFailure(flight: flight)))
        case .timesOut(let flight):
            flights[flight].hasTimedOut = true
            return machine.handle(.timedOut(flights[flight].identity))
        case .cancels:
            interferences.removeAll { $0 == move }
            return machine.handle(.cancelled)
        case .endsSession:
            interferences.removeAll { $0 == move }
            starts = []
            return machine.handle(.sessionEnded)
        case .timePasses:
            interferences.removeAll { $0 == move }
            now += plan.limits.window
            return []
        }
    }
}

extension FlightMachine.Effect {
    fileprivate var isStart: Bool { if case .start = self { true } else { false } }
}
