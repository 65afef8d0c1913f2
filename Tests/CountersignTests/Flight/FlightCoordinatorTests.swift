import Synchronization
import Testing

@testable import Countersign

/// One authentication for many requests, with real tasks.
@Suite(.timeLimit(.minutes(10))) struct FlightCoordinatorTests {
    @Test func `RT-02 a thousand challenged requests need one authentication`() async throws {
        let bench = FlightBench()
        let tasks = await bench.challenges(1000)
        bench.gate.open()
        for task in tasks { #expect(try await task.value == Generation(1)) }
        #expect(bench.operations == 1)
        #expect(bench.commits == 1)
        #expect(bench.journal.count(of: .started) == 1)
        #expect(bench.coordinator.generation == Generation(1))
        #expect(bench.coordinator.waiterCount == 0)
    }

    @Test func `RT-03 a challenge for an older generation authenticates nothing`() async throws {
        let bench = FlightBench()
        let newer = try await bench.authenticate()
        let late = try await bench.coordinator.ensureNewer(than: .none, operation: bench.unexpected)
        #expect(late == newer)
        #expect(bench.operations == 0)
    }

    @Test func `RT-03 a challenge for an older generation does not wait for the running flight`() async throws {
        let bench = FlightBench()
        let newer = try await bench.authenticate()
        let waiter = bench.challenge(observed: newer)
        await bench.journal.wait(for: .started, times: 2)
        #expect(try await bench.coordinator.ensureNewer(than: .none, operation: bench.unexpected) == newer)
        bench.gate.open()
        #expect(try await waiter.value == newer.next)
        #expect(bench.operations == 1)
    }

    @Test func `RT-04 an operation that ends at once and calls back into the coordinator does not block it`() async throws {
        let bench = FlightBench()
        let first = try await bench.authenticate()
        let coordinator = bench.coordinator
        let second = try await coordinator.ensureNewer(than: first) {
            #expect(coordinator.generation == first)
            let late = try await coordinator.ensureNewer(than: .none) { {} }
            #expect(late == first, "a late challenge returns at once")
            return { #expect(coordinator.generation == first, "a commit may read the generation") }
        }
        #expect(second == first.next)
    }

    @Test func `RT-04 what receives the end of a flight may call the coordinator`() async {
        let listener = Mutex<FlightCoordinator?>(nil)
        let limits = FlightCoordinator.Limits(timeout: .seconds(60), isInteractive: false)
        let coordinator = FlightCoordinator(limits: limits, clock: ManualClock()) { report in
            if case .ended = report { listener.withLock { $0 }?.endSession() }
        }
        listener.withLock { $0 = coordinator }
        await #expect(throws: Never.self) { try await coordinator.startAlone { {} } }
        #expect(coordinator.generation == Generation(2))
        listener.withLock { $0 = nil }
    }

    @Test func `RT-08 a failed attempt gives all waiters the same error`() async {
        let bench = FlightBench()
        let tasks = await bench.challenges(100, bench.refusal)
        bench.gate.open()
        for task in tasks { #expect(await task.error as? FlightBench.Refusal == FlightBench.Refusal(attempt: 1)) }
        #expect(bench.operations == 1)
        #expect(bench.coordinator.generation == .none)
    }

    @Test func `RT-09 a failure does not stick`() async throws {
        let bench = FlightBench()
        bench.gate.open()
        #expect(await bench.challenge(bench.refusal).error is FlightBench.Refusal)
        #expect(try await bench.challenge().value == Generation(1))
        #expect(bench.journal.entries.first == .started)
        #expect(bench.journal.entries.last == .ended(Generation(1)))
    }

    @Test func `RT-09 a commit that throws is a failed attempt, and does not stick`() async throws {
        struct DiskFull: Error, Equatable {}
        let bench = FlightBench()
        let tasks = await bench.challenges(3) {
            await bench.gate.pass()
            return { throw DiskFull() }
        }
        bench.gate.open()
        for task in tasks { #expect(await task.error is DiskFull) }
        #expect(bench.coordinator.generation == .none)
        #expect(try await bench.challenge().value == Generation(1))
    }

    @Test func `RT-10 a challenge that arrives in the instant of the end starts no second flight`() async throws {
        for _ in 0..<100 {
            let bench = FlightBench()
            let coordinator = bench.coordinator
            let arriving = Mutex<[Task<Generation, any Error>]>([])
            let arrive: @Sendable () -> Void = {
                let task = Task { try await coordinator.ensureNewer(than: .none, operation: bench.unexpected) }
                arriving.withLock { $0.append(task) }
            }
            bench.gate.open()
            let first = try await coordinator.ensureNewer(than: .none) {
                for _ in 0..<4 { arrive() }
                return { for _ in 0..<4 { arrive() } }
            }
            arrive()
            for task in arriving.withLock({ $0 }) { #expect(try await task.value == first) }
            #expect(bench.operations == 0)
            #expect(bench.journal.count(of: .started) == 1)
        }
    }

    @Test func `RT-12 fifty simultaneous first requests need one authentication`() async throws {
        let bench = FlightBench(interactive: true)
        let tasks = await bench.challenges(50)
        bench.gate.open()
        for task in tasks { #expect(try await task.value == Generation(1)) }
        #expect(bench.operations == 1)
    }

    @Test func `RT-13 a stuck flight blocks no other credential`() async throws {
        let stuck = FlightBench()
        let other = FlightBench()
        let waiter = await stuck.challenges(1)[0]
        #expect(try await other.authenticate() == Generation(1))
        stuck.gate.open()
        #expect(try await waiter.value == Generation(1))
    }

    @Test func `a direct authentication is refused while another runs`() async throws {
        let bench = FlightBench()
        let waiter = await bench.challenges(1)[0]
        await #expect(throws: FlightFailure.busy) { try await bench.authenticate() }
        bench.gate.open()
        #expect(try await waiter.value == Generation(1))
        #expect(try await bench.authenticate() == Generation(2))
    }

    @Test func `a challenge joins a direct authentication`() async throws {
        let bench = FlightBench()
        let direct = Task { try await bench.coordinator.startAlone(operation: bench.authentication) }
        await bench.journal.wait(for: .started)
        let challenged = bench.challenge()
        await bench.journal.wait(for: .joined(waiters: 2))
        bench.gate.open()
        #expect(try await direct.value == Generation(1))
        #expect(try await challenged.value == Generation(1))
        #expect(bench.operations == 1)
    }

    @Test func `without sharing every challenge authenticates for itself`() async throws {
        let bench = FlightBench(maximumAttempts: 10, isShared: false)
        let tasks = (0..<10).map { _ in bench.challenge() }
        await bench.journal.wait(for: .started, times: 10)
        bench.gate.open()
        let generations = try await tasks.asyncMap { try await $0.value }
        #expect(Set(generations) == Set((1...10).map { Generation($0) }))
        #expect(bench.operations == 10)
        #expect(bench.commits == 10)
    }

    /// Returns the time in seconds from the commit of an authentication until all its waiters have resumed.
    private func resumption(of count: Int) async throws -> Double {
        let bench = FlightBench()
        let ended = Mutex<ContinuousClock.Instant?>(nil)
        let tasks = await bench.challenges(count) {
            await bench.gate.pass()
            return { ended.withLock { $0 = .now } }
        }
        bench.gate.open()
        for task in tasks { _ = try await task.value }
        let begin = try #require(ended.withLock { $0 })
        return begin.duration(to: .now) / .seconds(1)
    }

    @Test func `thousands of waiters resume in a time that grows with their number, not with its square`() async throws {
        // Eight times the waiters: a ratio of 8 when linear, 64 when quadratic. Growth that is too fast shows in each try, but a
        // disturbance by another program does not.
        var ratios: [Double] = []
        while ratios.count < 3, !ratios.contains(where: { $0 < 32 }) {
            let small = try await resumption(of: 1_000)
            ratios.append(try await resumption(of: 8_000) / small)
        }
        #expect(ratios.contains { $0 < 32 }, "eight times the waiters took \(ratios) times as long")
    }
}

extension Sequence {
    /// Maps the elements one after the other.
    fileprivate func asyncMap<Mapped>(_ transform: (Element) async throws -> Mapped) async rethrows -> [Mapped] {
        var mapped: [Mapped] = []
        for element in self { mapped.append(try await transform(element)) }
        return mapped
    }
}
