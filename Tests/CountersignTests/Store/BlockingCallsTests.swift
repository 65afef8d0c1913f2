import Dispatch
import Synchronization
import Testing

@testable import Countersign

/// Calls that block, one at a time.
@Suite("Blocking calls", .timeLimit(.minutes(10))) struct BlockingCallsTests {
    /// The number of calls that have run.
    private final class Runs: Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock(\.self) }
        func note() { number.withLock { $0 += 1 } }
    }

    /// A call that blocks until the test ends it.
    private final class Pause: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)

        func wait() {
            semaphore.wait()
            semaphore.signal()
        }
        func end() { semaphore.signal() }
    }

    @Test func `a cancelled caller does not wait for its turn, and its call never runs`() async throws {
        let (calls, pause, runs) = (BlockingCalls("test.blocking-calls"), Pause(), Runs())
        defer { pause.end() }
        calls.enqueue { pause.wait() }
        let call = Task { try await calls.performUnlessCancelled { runs.note() } }
        call.cancel()
        let result = await ending(of: call)
        #expect(throws: CancellationError.self) { try result.get() }
        pause.end()
        try await calls.perform {}
        #expect(runs.count == 0)
    }

    @Test func `a cancelled caller does not wait for a call that has begun`() async throws {
        let (calls, pause, begun) = (BlockingCalls("test.blocking-calls"), Pause(), Gate())
        defer { pause.end() }
        let call = Task {
            try await calls.performUnlessCancelled {
                begun.open()
                pause.wait()
            }
        }
        await begun.pass()
        call.cancel()
        let result = await ending(of: call)
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test func `a caller that is not cancelled gets the result or the error`() async throws {
        let calls = BlockingCalls("test.blocking-calls")
        #expect(try await calls.performUnlessCancelled { 1 } == 1)
        await #expect(throws: FlightFailure.busy) {
            try await calls.performUnlessCancelled { () throws -> Int in throw FlightFailure.busy }
        }
    }
}
