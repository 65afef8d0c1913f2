import Testing

@testable import Countersign

/// Every order of events that three requests and their flights can have, for every kind of flight.
@Suite struct FlightScheduleTests {
    private typealias Plan = FlightWorld.Plan

    /// What was found, for all tests of the suite: exploring is done once.
    private static let explorations: [FlightExplorer] = {
        let refresh = FlightCoordinator.Limits(timeout: .seconds(60), isInteractive: false)
        let login = FlightCoordinator.Limits(timeout: .seconds(60), isInteractive: true)
        let limited = FlightCoordinator.Limits(timeout: .seconds(60), isInteractive: true, maximumAttempts: 1)
        let unshared = FlightCoordinator.Limits(timeout: .seconds(60), isInteractive: false, isShared: false)
        let explorations = [
            FlightExplorer(Plan(limits: refresh)),
            FlightExplorer(Plan(limits: login)),
            FlightExplorer(Plan(limits: limited, interferences: [.timePasses, .endsSession])),
            FlightExplorer(Plan(limits: unshared, arrivals: [.withCurrentGeneration], interferences: [.endsSession])),
        ]
        let schedules = explorations.map(\.schedules).reduce(0, +)
        let worlds = explorations.map(\.worlds).reduce(0, +)
        print("flight schedules explored: \(schedules) (through \(worlds) different worlds)")
        return explorations
    }()

    private func expectHolds(_ rule: FlightWorld.Rule, sourceLocation: SourceLocation = #_sourceLocation) {
        for violation in Self.explorations.compactMap({ $0.violations[rule] }) {
            Issue.record("\(violation.what) after \(violation.schedule)", sourceLocation: sourceLocation)
        }
    }

    @Test func `every order of arriving and leaving is explored`() {
        let limits = FlightCoordinator.Limits(timeout: .seconds(60), isInteractive: false)
        var plan = Plan(limits: limits, arrivals: [.withCurrentGeneration], flightsEnd: false, interferences: [])
        #expect(FlightExplorer(plan).schedules == 15, "6! / (2! · 2! · 2!) / 3!: three alike pairs of events")
        plan.interferences = [.endsSession]
        #expect(FlightExplorer(plan).schedules == 105, "7! / (2! · 2! · 2!) / 3!: one more event anywhere")
        plan.interferences = [.endsSession, .cancels]
        #expect(FlightExplorer(plan).schedules == 840, "8! / (2! · 2! · 2!) / 3!: and another")
    }

    @Test func `there are more schedules than anyone could write down`() {
        #expect(Self.explorations.map(\.schedules).reduce(0, +) > 1_000_000)
    }

    @Test func `RT-03 a challenge for an older generation starts no flight`() { expectHolds(.lateChallengeStartsNothing) }

    @Test func `RT-06 a cancelled waiter leaves alone, and ends only an interactive flight by being the last`() {
        expectHolds(.waitersLeaveAlone)
    }

    @Test func `RT-08 all waiters of a flight get its one result`() { expectHolds(.sameResultForAll) }

    @Test func `RT-09 a failure does not stick`() { expectHolds(.failureDoesNotStick) }

    @Test func `RT-10 no second flight starts while one runs`() { expectHolds(.oneFlightAtATime) }

    @Test func `RT-11 every waiter is resumed exactly once`() { expectHolds(.resumedExactlyOnce) }

    @Test func `RT-15 a discarded result is never committed`() { expectHolds(.discardedIsNeverCommitted) }

    @Test func `RT-20 no more flights start in the window than are allowed`() { expectHolds(.attemptsAreLimited) }

    @Test func `the generation grows with a commit and with the end of the session, and never otherwise`() {
        expectHolds(.generationOnlyGrows)
    }

    @Test func `whoever waited gets a newer generation than it observed`() { expectHolds(.resultIsNewer) }

    @Test func `every flight is reported once as started and once as over`() { expectHolds(.reportsMatchFlights) }
}
