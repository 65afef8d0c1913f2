import Testing

@testable import Countersign

@Suite(.timeLimit(.minutes(10))) struct ResponseBodyTests {
    /// An endless body with a chunk for each minute of a clock.
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

    /// Two chunks of a byte, whatever length the server has announced.
    private final class Announced: BodySource {
        let expectedLength: Int?

        init(_ length: Int?) { expectedLength = length }

        func makeReader() -> any BodyReader { Reader() }
        func cancel() {}

        private final class Reader: BodyReader {
            private var pieces: [[UInt8]] = [[1], [2]]

            func next() async throws -> [UInt8]? { pieces.isEmpty ? nil : pieces.removeFirst() }

            func next(_ use: (UnsafeRawBufferPointer) -> Void) async throws -> Bool {
                guard let piece = try await next() else { return false }
                piece.withUnsafeBytes(use)
                return true
            }
        }
    }

    @Test(arguments: [(nil, 2), (Int.min, 2), (-1, 2), (0, 2), (1, 2), (5_000_000, 5_000_000), (.max, 64 << 20)])
    func `an announced length reserves at most 64 MiB and changes nothing`(length: Int?, capacity: Int) async throws {
        let bytes = try await ResponseBody(Announced(length)).collect(upTo: .max)
        #expect(bytes == [1, 2])
        #expect((capacity...max(1_000, 2 * capacity)).contains(bytes.capacity))
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
