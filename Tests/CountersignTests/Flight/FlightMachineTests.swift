import Testing

@testable import Countersign

/// The rules one by one, for reading. ``FlightScheduleTests`` checks them in every order.
@Suite struct FlightMachineTests {
    private var machine = FlightMachine(
        limits: FlightCoordinator.Limits(timeout: .seconds(60), isInteractive: false), generation: Generation(7))

    private func waiter(_ number: UInt64) -> FlightMachine.Waiter { FlightMachine.Waiter(number: number) }

    private mutating func challenge(_ number: UInt64, observed: Generation) -> [FlightMachine.Effect] {
        machine.handle(.challenged(waiter(number), observed: observed, at: .zero, { {} }))
    }

    private mutating func startFlight(for number: UInt64) throws -> FlightMachine.Flight {
        let started = challenge(number, observed: machine.generation).compactMap { effect in
            if case .start(let flight, _) = effect { flight } else { nil }
        }
        return try #require(started.first)
    }

    /// Starts a flight whose result is being committed.
    private mutating func startCommit(for number: UInt64) throws -> FlightMachine.Flight {
        let flight = try startFlight(for: number)
        let isAdmitted = machine.admit(flight)
        #expect(isAdmitted)
        return flight
    }

    @Test mutating func `waiters are resumed in the order in which they came, after the report`() throws {
        let flight = try startCommit(for: 1)
        for number in UInt64(2)...50 { _ = challenge(number, observed: Generation(7)) }
        let effects = machine.handle(.committed(flight))
        guard case .report(.ended(Generation(8))) = effects.first, case .resume(let waiters, .success(Generation(8))) = effects.last
        else {
            Issue.record("\(effects)")
            return
        }
        #expect(waiters.map(\.number) == Array(1...50))
    }

    @Test mutating func `a flight that is over publishes nothing`() throws {
        let flight = try startCommit(for: 1)
        _ = machine.handle(.sessionEnded)
        #expect(machine.generation == Generation(8))
        let effects = machine.handle(.committed(flight))
        #expect(effects.isEmpty)
        #expect(machine.generation == Generation(8))
    }

    @Test mutating func `a result that is being committed can no longer be cancelled or time out`() throws {
        let flight = try startCommit(for: 1)
        let effects = machine.handle(.cancelled) + machine.handle(.timedOut(flight))
        #expect(effects.isEmpty)
        #expect(machine.isRunning(flight))
    }

    @Test mutating func `a request for a credential joins the running flight, and is served by a newer generation`() throws {
        let flight = try startCommit(for: 1)
        _ = machine.handle(.requested(waiter(2), observed: Generation(7), at: .zero, { {} }))
        guard case .resume(let waiters, .success(Generation(8))) = machine.handle(.committed(flight)).last else {
            Issue.record("no waiter resumed")
            return
        }
        #expect(waiters.map(\.number) == [1, 2])
        let effects = machine.handle(.requested(waiter(3), observed: Generation(7), at: .zero, { {} }))
        guard effects.count == 1, case .resume([waiter(3)], .success(Generation(8))) = effects.first else {
            Issue.record("\(effects)")
            return
        }
    }

    @Test mutating func `a request for a credential is not affected by an earlier dismissal`() throws {
        let limits = FlightCoordinator.Limits(timeout: .seconds(60), isInteractive: true, dismissalCoolDown: .seconds(600))
        machine = FlightMachine(limits: limits, generation: Generation(7))
        let flight = try startFlight(for: 1)
        _ = machine.handle(.dismissed(latest: .latest, at: .zero))
        _ = machine.handle(.failed(flight, FlightFailure.cancelled))
        let challenged = challenge(2, observed: Generation(7))
        guard challenged.count == 1, case .resume(_, .failure(FlightFailure.cancelled)) = challenged.first else {
            Issue.record("\(challenged)")
            return
        }
        let requested = machine.handle(.requested(waiter(3), observed: Generation(7), at: .zero, { {} }))
        guard requested.count == 2, case .start = requested.last else {
            Issue.record("\(requested)")
            return
        }
    }

    @Test mutating func `a generation nobody has given out yet is no reason not to authenticate`() throws {
        let effects = challenge(1, observed: Generation(9))
        guard case .start = effects.last else {
            Issue.record("\(effects)")
            return
        }
    }
}
