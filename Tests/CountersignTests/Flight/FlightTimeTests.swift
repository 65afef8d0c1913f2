import Testing

@testable import Countersign

/// Time limits and the window of attempts, on a clock that a test advances.
@Suite(.timeLimit(.minutes(10))) struct FlightTimeTests {
    @Test func `a flight that takes too long ends for all waiters, and its late result is not committed`() async throws {
        let bench = FlightBench()
        let tasks = await bench.challenges(10)
        await bench.clock.sleepers(1)
        bench.clock.advance(by: .seconds(59))
        #expect(bench.coordinator.waiterCount == 10)
        bench.clock.advance(by: .seconds(1))
        for task in tasks { #expect(await task.error as? FlightFailure == .timedOut) }
        #expect(bench.journal.entries.last == .failed("timedOut"))

        let next = bench.challenge()
        await bench.journal.wait(for: .started, times: 2)
        bench.gate.open()
        #expect(try await next.value == Generation(1), "a flight that hangs does not keep the next from starting")
        #expect(bench.operations == 2)
        #expect(bench.commits == 1)
    }

    @Test func `the operation of a flight that takes too long is cancelled`() async {
        let bench = FlightBench()
        let stopped = Gate()
        let task = bench.challenge {
            do { try await bench.clock.sleep(for: .seconds(3600)) } catch { stopped.open() }
            throw CancellationError()
        }
        await bench.clock.sleepers(2)
        bench.clock.advance(by: .seconds(60))
        #expect(await task.error as? FlightFailure == .timedOut)
        await stopped.pass()
        await bench.clock.sleepers(0)
    }

    @Test func `a flight that waits for its own end is ended by the time limit`() async {
        let bench = FlightBench()
        let task = bench.challenge {
            _ = try await bench.coordinator.ensureNewer(than: .none) { {} }
            return {}
        }
        await bench.journal.wait(for: .joined(waiters: 2))
        await bench.clock.sleepers(1)
        bench.clock.advance(by: .seconds(60))
        #expect(await task.error as? FlightFailure == .timedOut)
        #expect(bench.coordinator.waiterCount == 0)
    }

    @Test func `a flight that has ended leaves no timer behind`() async throws {
        let bench = FlightBench()
        let task = bench.challenge()
        await bench.clock.sleepers(1)
        bench.gate.open()
        _ = try await task.value
        await bench.clock.sleepers(0)
    }

    @Test func `RT-20 the sixth attempt within thirty seconds is refused`() async throws {
        let bench = FlightBench()
        bench.gate.open()
        for _ in 0..<5 { #expect(await bench.challenge(bench.refusal).error is FlightBench.Refusal) }
        #expect(await bench.challenge().error as? FlightFailure == .tooManyAttempts)
        await #expect(throws: FlightFailure.tooManyAttempts) { try await bench.authenticate() }
        #expect(bench.operations == 5)
        #expect(bench.journal.count(of: .started) == 5)
        bench.clock.advance(by: .seconds(29))
        #expect(await bench.challenge().error as? FlightFailure == .tooManyAttempts)
        bench.clock.advance(by: .seconds(1))
        #expect(try await bench.challenge().value == Generation(1))
    }

    @Test func `RT-20 the window slides`() async throws {
        let bench = FlightBench(maximumAttempts: 2)
        #expect(try await bench.authenticate() == Generation(1))
        bench.clock.advance(by: .seconds(20))
        #expect(try await bench.authenticate() == Generation(2))
        bench.clock.advance(by: .seconds(10))
        #expect(try await bench.authenticate() == Generation(3), "the first attempt is out of the window")
        bench.clock.advance(by: .seconds(19))
        await #expect(throws: FlightFailure.tooManyAttempts) { try await bench.authenticate() }
        bench.clock.advance(by: .seconds(1))
        #expect(try await bench.authenticate() == Generation(4))
    }

    @Test func `a new session's attempts are counted anew`() async throws {
        let bench = FlightBench(maximumAttempts: 1)
        #expect(try await bench.authenticate() == Generation(1))
        await #expect(throws: FlightFailure.tooManyAttempts) { try await bench.authenticate() }
        bench.coordinator.endSession()
        #expect(try await bench.authenticate() == Generation(3))
    }

    @Test func `RT-03 a late challenge is answered even when the attempts are used up`() async throws {
        let bench = FlightBench(maximumAttempts: 1)
        let newer = try await bench.authenticate()
        #expect(try await bench.challenge(observed: Generation.none, bench.unexpected).value == newer)
    }

    @Test func `a timeline measures from when it was made`() async throws {
        let clock = ManualClock()
        clock.advance(by: .seconds(7))
        let timeline = Timeline(clock)
        #expect(timeline.elapsed() == .zero)
        clock.advance(by: .milliseconds(1500))
        #expect(timeline.elapsed() == .milliseconds(1500))
    }
}
