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

    /// Two bytes, whatever the server has announced.
    private final class Announced: BodySource {
        let expectedLength: Int?
        private let bytes = BytesSource([1, 2])

        init(_ length: Int?) { expectedLength = length }

        func makeReader() -> any BodyReader { bytes.makeReader() }
        func cancel() { bytes.cancel() }
    }

    @Test(arguments: [nil, Int.min, -1, 0, 1, 2, 1_000_000_000_000, .max])
    func `an announced length reserves at most 16 MiB and changes nothing`(length: Int?) async throws {
        let bytes = try await ResponseBody(Announced(length)).collect(upTo: .max)
        #expect(bytes == [1, 2])
        #expect(bytes.capacity <= 32 << 20)
    }

    @Test func `bytes in memory are read once, and not after the body was cancelled`() async throws {
        let body = ResponseBody(bytes: [1, 2, 3])
        #expect(try await body.collect(upTo: 3) == [1, 2, 3])
        #expect(try await body.collect(upTo: 3) == [])
        let cancelled = ResponseBody(bytes: [1])
        cancelled.cancel()
        #expect(try await cancelled.collect(upTo: 1) == [])
    }
}
