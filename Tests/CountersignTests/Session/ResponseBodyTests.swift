import Testing

@testable import Countersign

@Suite(.timeLimit(.minutes(10))) struct ResponseBodyTests {
    /// Comes without end, a piece for each minute of a clock.
    private struct Drip: AsyncSequence, Sendable {
        let clock: ManualClock

        struct AsyncIterator: AsyncIteratorProtocol {
            let clock: ManualClock
            mutating func next() async throws -> [UInt8]? {
                clock.advance(by: .seconds(60))
                return [0]
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(clock: clock) }
    }

    @Test func `a body that never ends is cut off by its time`() async throws {
        let clock = ManualClock()
        let cancelled = Gate()
        let body = ResponseBody(Drip(clock: clock), cancel: { cancelled.open() })
        let error = await #expect(throws: CountersignError.self) {
            _ = try await body.collect(upTo: .max, within: .seconds(600), clock: clock)
        }
        #expect(error?.code == .timedOut)
        #expect(clock.now.offset == .seconds(660))
        await cancelled.pass()
    }

    @Test func `a body that never ends is cut off by its size`() async throws {
        let error = await #expect(throws: CountersignError.self) {
            _ = try await ResponseBody(Drip(clock: ManualClock())).collect(upTo: 1_000)
        }
        #expect(error?.code == .responseTooLarge)
    }
}
