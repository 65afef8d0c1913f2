import Synchronization
import Testing

@_spi(Generated) @testable import Countersign

/// The wait of the flow for an application's own authentication.
@Suite(.timeLimit(.minutes(10))) struct CompletionTests {
    private struct Refused: Error {}

    @Test func `the first call counts`() async throws {
        try await GeneratedCodeVersion3.completion(
            of: { handler in
                handler(nil)
                handler(Refused())
            }, cancel: {})
        await #expect(throws: Refused.self) {
            try await GeneratedCodeVersion3.completion(of: { $0(Refused()) }, cancel: {})
        }
    }

    @Test func `a handler that is let go of without a call ends the wait`() async throws {
        let error = await #expect(throws: CountersignError.self) {
            try await GeneratedCodeVersion3.completion(of: { _ in }, cancel: {})
        }
        #expect(error?.code == .refusedByObserver)
    }

    @Test func `a cancelled wait ends although the handler is never called`() async throws {
        let kept = Mutex<[@Sendable ((any Error)?) -> Void]>([])
        let started = Gate()
        let cancelled = Gate()
        let wait = Task {
            try await GeneratedCodeVersion3.completion(
                of: { handler in
                    kept.withLock { $0.append(handler) }
                    started.open()
                }, cancel: { cancelled.open() })
        }
        await started.pass()
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        await cancelled.pass()
        // A late call has no effect.
        kept.withLock { $0.first }?(nil)
    }

    @Test func `an authentication that is cancelled before it starts is not started`() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await GeneratedCodeVersion3.completion(of: { _ in Issue.record("started") }, cancel: {})
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
