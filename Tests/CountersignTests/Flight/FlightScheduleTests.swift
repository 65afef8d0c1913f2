import Testing

@testable import Countersign

/// Every order of events that three requests and their flights can have, for every kind of flight.
@Suite struct FlightScheduleTests {
    private typealias Plan = FlightWorld.Plan

    /// The explorations that all tests of the suite check, each performed once.
    private static let explorations: [Task<FlightExplorer, Never>] = {
        let refresh = FlightCoordinator.Limits(timeout: .seconds(60), isInteractive: false)
        let login = FlightCoordinator.Limits(timeout: .seconds(60), isInteractive: true)
        let limited = FlightCoordinator.Limits(timeout: .seconds(60), isInteractive: true, maximumAttempts: 1)
        let unshared = FlightCoordinator.Limits(timeout: .seconds(60), isInteractive: false, isShared: false)
        return [
            Task { FlightExplorer(Plan(limits: refresh)) },
            Task { FlightExplorer(Plan(limits: login)) },
            Task { FlightExplorer(Plan(limits: limited, interferences: [.timePasses, .endsSession])) },
            Task { FlightExplorer(Plan(limits: unshared), requests: 2) },
        ]
    }()

    private func expectHolds(_ rule: FlightWorld.Rule, sourceLocation: SourceLocation = #_sourceLocation) async {
        for exploration in Self.explorations {
            guard let violation = await exploration.value.violations[rule] else { continue }
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

    @Test func `there are more schedules than anyone could write down`() async {
        var schedules = 0
        var worlds = 0
        for exploration in Self.explorations {
            schedules += await exploration.value.schedules
            worlds += await exploration.value.worlds
        }
        print("flight schedules explored: \(schedules), through \(worlds) different worlds")
        #expect(schedules > 1_000_000_000)
    }

    @Test func `RT-03 a challenge for an older generation starts no flight`() async {
        await expectHolds(.lateChallengeStartsNothing)
    }

    @Test func `RT-06 a cancelled waiter leaves alone, and ends only an interactive flight by being the last`() async {
        await expectHolds(.waitersLeaveAlone)
    }

    @Test func `RT-08 all waiters of a flight get its one result`() async { await expectHolds(.sameResultForAll) }

    @Test func `RT-09 a failure does not stick`() async { await expectHolds(.failureDoesNotStick) }

    @Test func `RT-10 no second flight starts while one runs`() async { await expectHolds(.oneFlightAtATime) }

    @Test func `RT-11 every waiter is resumed exactly once`() async { await expectHolds(.resumedExactlyOnce) }

    @Test func `RT-15 a discarded result is never committed`() async { await expectHolds(.discardedIsNeverCommitted) }

    @Test func `RT-20 no more flights start in the window than are allowed`() async { await expectHolds(.attemptsAreLimited) }

    @Test func `the generation grows with a commit and with the end of the session, and never otherwise`() async {
        await expectHolds(.generationOnlyGrows)
    }

    @Test func `every waiter gets a newer generation than it observed`() async { await expectHolds(.resultIsNewer) }

    @Test func `every flight is reported once as started and once as over`() async { await expectHolds(.reportsMatchFlights) }
}
