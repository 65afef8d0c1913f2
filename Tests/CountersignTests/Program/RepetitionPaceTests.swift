import Testing

@_spi(Generated) @testable import Countersign

/// The pauses of steps that wait for a server (RFC 8628, section 3.5).
struct RepetitionPaceTests {
    private func pace(every interval: Duration, within timeout: Duration = .seconds(600)) throws -> RepetitionPace {
        let repetition = StepRepetition(while: [.absent(0)], limit: 9, every: .slot(0), within: .slot(1), [])
        return try #require(RepetitionPace(of: repetition, [.duration(interval), .duration(timeout)], from: .zero))
    }

    private let silence = StepFailure(
        .network, "", error: TransportError(.timeout, detail: "", requestMayHaveBeenProcessed: true))

    @Test(arguments: [-9e18, 0, 0.2, 1]) func `a pause is a second at least`(seconds: Double) throws {
        #expect(try pace(every: .seconds(seconds)).pause(at: .zero, asking: nil) == .seconds(1))
    }

    @Test func `what the server wants is kept, however long, and each wish makes it longer`() throws {
        var pace = try pace(every: .seconds(120))
        for number in 0..<3 {
            #expect(try pace.pause(at: .zero, asking: nil) == .seconds(120 + 5 * number))
            pace.noteAnswer(delayingBy: .seconds(5))
        }
    }

    @Test(arguments: [1e18, 601]) func `a pause that is longer than the time that is left ends it`(seconds: Double) throws {
        let pace = try pace(every: .seconds(seconds))
        let failure = #expect(throws: StepFailure.self) { try pace.pause(at: .zero, asking: nil) }
        #expect(failure?.kind == .late)
        #expect((failure?.error as? CountersignError)?.code == .timedOut)
    }

    @Test func `the end of a pause may be the end of the time`() throws {
        let pace = try pace(every: .seconds(5), within: .seconds(5))
        #expect(try pace.pause(at: .zero, asking: nil) == .seconds(5))
        #expect(throws: StepFailure.self) { try pace.pause(at: .milliseconds(1), asking: nil) }
    }

    @Test func `a server that is silent is asked more seldom, to once a minute, and to the end of the time`() throws {
        var pace = try pace(every: .seconds(5))
        var pauses: [Duration] = []
        for _ in 0..<5 {
            pace.note(silence)
            pauses.append(try pace.pause(at: .zero, asking: nil))
        }
        #expect(pauses == [10, 20, 40, 60, 60].map { .seconds($0) })
        #expect(try pace.pause(at: .seconds(590), asking: nil) == .seconds(10))
        let failure = #expect(throws: StepFailure.self) { try pace.pause(at: .seconds(596), asking: nil) }
        #expect(failure?.kind == .network)
        pace.noteAnswer(delayingBy: .zero)
        #expect(#expect(throws: StepFailure.self) { try pace.pause(at: .seconds(596), asking: nil) }?.kind == .late)
    }

    @Test func `no repetition goes on for longer than an hour`() throws {
        let pace = try pace(every: .seconds(1), within: .seconds(1e18))
        #expect(throws: StepFailure.self) { try pace.pause(at: .seconds(3600), asking: nil) }
    }
}
