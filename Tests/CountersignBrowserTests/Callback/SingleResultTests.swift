import TestTurns
import Testing

@testable import CountersignBrowser

@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Single result` {
    private struct Failure: Error, Equatable { let number: Int }

    @Test func `the first that is settled counts, before and after the wait`() async throws {
        let early = SingleResult<Int>()
        #expect(early.settle(.success(1)))
        #expect(!early.settle(.success(2)))
        #expect(try await early.value() == 1)
        #expect(!early.settle(.failure(Failure(number: 3))))
    }

    @Test func `of many results at once the first counts, and the waiter gets it`() async throws {
        for _ in 0..<200 {
            let result = SingleResult<Int>()
            async let value = result.value()
            let winners = await withTaskGroup(of: Int?.self) { group in
                for number in 0..<8 { group.addTask { result.settle(.success(number)) ? number : nil } }
                return await group.reduce(into: [Int]()) { if let winner = $1 { $0.append(winner) } }
            }
            #expect(winners == [try await value])
        }
    }

    @Test func `a cancelled waiter is resumed, and no later result counts`() async throws {
        let result = SingleResult<Int>()
        let task = Task { try await result.value() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!result.settle(.success(1)))
    }
}
