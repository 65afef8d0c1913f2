import Foundation
import Synchronization
import Testing

@testable import Countersign

/// The cancellation of waiters, and of flights from outside.
@Suite(.timeLimit(.minutes(10))) struct FlightCancellationTests {
    @TaskLocal static var owner = "nobody"

    @Test func `RT-06 a cancelled waiter leaves alone, even the one that started the flight`() async throws {
        let bench = FlightBench(interactive: true)
        let starter = await bench.challenges(1)[0]
        let joiner = bench.challenge()
        await bench.journal.wait(for: .joined(waiters: 2))
        starter.cancel()
        #expect(await starter.error is CancellationError)
        bench.gate.open()
        #expect(try await joiner.value == Generation(1))
        #expect(bench.operations == 1)
        #expect(bench.commits == 1)
    }

    @Test func `RT-06 a refresh completes and is committed though all waiters have left`() async {
        let bench = FlightBench(interactive: false)
        let tasks = await bench.challenges(10)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.error is CancellationError) }
        #expect(bench.coordinator.waiterCount == 0)
        bench.gate.open()
        await bench.journal.wait(for: .ended(Generation(1)))
        #expect(bench.commits == 1)
        #expect(bench.coordinator.generation == Generation(1))
    }

    @Test func `RT-06 only the requests of the session that is closed leave`() async throws {
        let bench = FlightBench(interactive: true)
        let sessions = (0..<2).map { _ in Session(configuration: .test(), transport: ScriptedTransport { _ in Reply() }) }
        let tasks = sessions.flatMap { session in
            (0..<3).map { _ in
                Task { [bench] in
                    try await bench.coordinator.ensureNewer(than: .none, in: session, operation: bench.authentication)
                }
            }
        }
        await bench.journal.wait(for: .joined(waiters: 6))
        await sessions[0].invalidate(cancelling: true)
        for task in tasks[..<3] { #expect(await task.error is CancellationError) }
        #expect(bench.coordinator.waiterCount == 3)
        bench.gate.open()
        for task in tasks[3...] { #expect(try await task.value == Generation(1)) }
        #expect(bench.operations == 1)
        #expect(sessions[1].state.withLock { $0.cancellations.isEmpty })
    }

    @Test func `RT-06 a request of a session that is closed already does not wait`() async {
        let bench = FlightBench(interactive: true)
        let session = Session(configuration: .test(), transport: ScriptedTransport { _ in Reply() })
        await session.invalidate(cancelling: true)
        await #expect(throws: CancellationError.self) {
            try await bench.coordinator.ensureNewer(than: .none, in: session) {
                try await bench.clock.sleep(for: .seconds(3600))
                return {}
            }
        }
        #expect(bench.coordinator.waiterCount == 0)
    }

    @Test func `RT-06 an interactive login is cancelled when its last waiter leaves`() async {
        let bench = FlightBench(interactive: true)
        let dismissed = Gate()
        let tasks = await bench.challenges(10) {
            do { try await bench.clock.sleep(for: .seconds(3600)) } catch { dismissed.open() }
            return { Issue.record("committed") }
        }
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.error is CancellationError) }
        await dismissed.pass()
        await bench.clock.sleepers(0)
        #expect(bench.coordinator.generation == .none)
        #expect(bench.journal.entries.last == .failed("cancelled"))
    }

    @Test func `RT-07 nothing of the first waiter reaches the operation`() async throws {
        let bench = FlightBench()
        let starter = Self.$owner.withValue("first waiter") {
            bench.challenge {
                await bench.gate.pass()
                #expect(Self.owner == "nobody")
                #expect(!Task.isCancelled)
                return {}
            }
        }
        await bench.journal.wait(for: .started)
        starter.cancel()
        #expect(await starter.error is CancellationError)
        bench.gate.open()
        await bench.journal.wait(for: .ended(Generation(1)))
        #expect(try await bench.challenge(observed: Generation(1)).value == Generation(2))
    }

    @Test func `RT-11 every waiter is resumed, whichever way the races go`() async {
        for round in 0..<100 {
            let bench = FlightBench(interactive: round.isMultiple(of: 2))
            let tasks = (0..<20).map { _ in bench.challenge(observed: Generation.none, round % 3 == 0 ? bench.refusal : nil) }
            await bench.journal.wait(for: .started)
            async let leaving: Void = { for task in tasks.shuffled().prefix(10) { task.cancel() } }()
            async let ending: Void = { if round % 5 == 0 { bench.coordinator.cancel() } else { bench.gate.open() } }()
            _ = await (leaving, ending)
            bench.gate.open()
            for task in tasks { _ = await task.result }
            #expect(bench.coordinator.waiterCount == 0)
        }
    }

    @Test func `RT-14 a second challenge joins the open login, and a dismissed page ends both with one error`() async {
        struct Dismissed: Error {}
        let bench = FlightBench(interactive: true)
        let tasks = await bench.challenges(2) {
            await bench.gate.pass()
            throw Dismissed()
        }
        bench.gate.open()
        for task in tasks { #expect(await task.error is Dismissed) }
        #expect(bench.journal.count(of: .started) == 1)
    }

    @Test(arguments: [true, false]) func `RT-14 cancelling the flight ends it for all waiters`(isInteractive: Bool) async throws {
        let bench = FlightBench(interactive: isInteractive)
        let tasks = await bench.challenges(10)
        bench.coordinator.cancel()
        for task in tasks { #expect(await task.error as? FlightFailure == .cancelled) }
        bench.gate.open()
        await bench.clock.sleepers(0)
        #expect(bench.commits == 0)
        #expect(bench.coordinator.generation == .none)
        #expect(try await bench.challenge().value == Generation(1), "the next challenge starts anew")
        #expect(bench.commits == 1)
    }

    enum EndFromOutside: CaseIterable { case cancelled, sessionEnded }

    @Test(arguments: EndFromOutside.allCases) func `ending a flight cancels its operation`(end: EndFromOutside) async {
        let bench = FlightBench()
        let stopped = Gate()
        let task = await bench.challenges(1) {
            do { try await bench.clock.sleep(for: .seconds(3600)) } catch { stopped.open() }
            throw CancellationError()
        }[0]
        await bench.clock.sleepers(2)
        switch end {
        case .cancelled: bench.coordinator.cancel()
        case .sessionEnded: bench.coordinator.endSession()
        }
        #expect(await task.error is FlightFailure)
        await stopped.pass()
        await bench.clock.sleepers(0)
    }

    @Test func `a flight that is cancelled while it starts is cancelled all the same`() async {
        let starting = Mutex<FlightCoordinator?>(nil)
        let clock = ManualClock()
        let stopped = Gate()
        let limits = FlightCoordinator.Limits(timeout: .seconds(60), isInteractive: false)
        let coordinator = FlightCoordinator(limits: limits, clock: clock) { report in
            if case .started = report { starting.withLock { $0 }?.cancel() }
        }
        starting.withLock { $0 = coordinator }
        await #expect(throws: FlightFailure.cancelled) {
            try await coordinator.startAlone {
                do { try await clock.sleep(for: .seconds(3600)) } catch { stopped.open() }
                throw CancellationError()
            }
        }
        await stopped.pass()
        starting.withLock { $0 = nil }
    }

    @Test func `cancelling without a flight does nothing`() async throws {
        let bench = FlightBench()
        bench.coordinator.cancel()
        #expect(bench.journal.entries.isEmpty)
        #expect(try await bench.authenticate() == Generation(1))
    }

    @Test func `a task that is cancelled already starts nothing`() async {
        let bench = FlightBench()
        let hold = Gate()
        let task = Task {
            await hold.pass()
            return try await bench.coordinator.ensureNewer(than: .none, operation: bench.unexpected)
        }
        task.cancel()
        hold.open()
        #expect(await task.error is CancellationError)
        #expect(bench.journal.entries.isEmpty)
    }

    @Test func `RT-15 a logout discards the result of the running flight`() async throws {
        let bench = FlightBench()
        let tasks = await bench.challenges(10)
        bench.coordinator.endSession()
        for task in tasks { #expect(await task.error as? FlightFailure == .sessionEnded) }
        #expect(bench.coordinator.generation == Generation(1), "nothing old counts as current")
        bench.gate.open()
        await bench.clock.sleepers(0)
        #expect(bench.commits == 0)
        #expect(bench.journal.entries.last == .discarded)
        #expect(try await bench.challenge().value == Generation(2), "the new session authenticates")
        #expect(bench.commits == 1)
    }

    @Test func `RT-15 a logout under the lock of a commit does not wait for it, and its result does not count`() async throws {
        let bench = FlightBench()
        let coordinator = bench.coordinator
        let task = bench.challenge {
            {
                let (generation, inform) = coordinator.endSessionUnderLock()
                #expect(generation == Generation(1))
                inform()
            }
        }
        #expect(await task.error as? FlightFailure == .sessionEnded)
        #expect(coordinator.generation == Generation(1))
        #expect(bench.journal.entries == [.started, .discarded])
        bench.gate.open()
        #expect(try await bench.challenge().value == Generation(2))
    }

    @Test func `RT-15 a challenge from before the logout starts nothing after it`() async throws {
        let bench = FlightBench()
        let old = try await bench.authenticate()
        bench.coordinator.endSession()
        #expect(try await bench.coordinator.ensureNewer(than: old, operation: bench.unexpected) == old.next)
        #expect(bench.operations == 0)
    }

    #if os(Linux)
    @Test func `RT-15 a session does not end within a commit`() async throws {
        let bench = FlightBench()
        let coordinator = bench.coordinator
        let logout = Gate()
        let hasEnded = Atomic(false)
        let generation = try await coordinator.ensureNewer(than: .none) {
            return {
                let thread = ThreadState()
                Thread.detachNewThread {
                    thread.isThisOne()
                    coordinator.endSession()
                    hasEnded.store(true, ordering: .sequentiallyConsistent)
                    logout.open()
                }
                // Either the logout returns while the commit still runs, or its thread sleeps in the lock until the commit is
                // over.
                let limit = ContinuousClock.now + longestWait
                while !hasEnded.load(ordering: .sequentiallyConsistent), !thread.sleeps, ContinuousClock.now < limit {}
                let sleeps = thread.sleeps
                #expect(sleeps, "the logout waits for the commit")
                #expect(coordinator.generation == .none)
            }
        }
        #expect(generation == Generation(1))
        await logout.pass()
        #expect(coordinator.generation == Generation(2))
    }
    #endif

    @Test func `RT-15 nothing is written after a logout, however close the commit was`() async {
        for _ in 0..<200 {
            let bench = FlightBench()
            let stored = Mutex(false)
            let task = bench.challenge {
                await bench.gate.pass()
                return { stored.withLock { $0 = true } }
            }
            await bench.journal.wait(for: .started)
            async let opening: Void = bench.gate.open()
            async let logout: Void = {
                bench.coordinator.endSession()
                stored.withLock { $0 = false }
            }()
            _ = await (opening, logout)
            _ = await task.result
            await bench.clock.sleepers(0)
            #expect(!stored.withLock { $0 })
        }
    }
}

#if os(Linux)
/// The kernel's state of a thread (proc(5)).
private final class ThreadState: Sendable {
    private let folder = Mutex<String?>(nil)

    /// Selects the calling thread.
    func isThisOne() {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        folder.withLock { $0 = own }
    }

    /// Whether the thread sleeps. A thread that runs or is ready to run does not.
    var sleeps: Bool {
        // The name, in parentheses, comes before the state.
        guard let folder = folder.withLock({ $0 }),
            let line = try? String(contentsOfFile: "/proc/\(folder)/stat", encoding: .utf8),
            let name = line.lastIndex(of: ")")
        else { return false }
        return line[name...].dropFirst(2).first == "S"
    }
}
#endif
