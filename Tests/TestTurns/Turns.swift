internal import Synchronization

/// A number of places, given out in the order of asking.
package final class Turns: Sendable {
    private struct State {
        var free: Int
        var waiting: [(places: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Those that can go on, which no longer wait.
        mutating func admit() -> [CheckedContinuation<Void, Never>] {
            var admitted: [CheckedContinuation<Void, Never>] = []
            while let first = waiting.first, first.places <= free {
                free -= first.places
                admitted.append(waiting.removeFirst().continuation)
            }
            return admitted
        }
    }

    private let width: Int
    private let state: Mutex<State>

    package init(width: Int) {
        self.width = width
        state = Mutex(State(free: width))
    }

    /// How many places are taken.
    package var taken: Int { width - state.withLock { $0.free } }

    /// How many wait for places.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` when there are so many places.
    package func take<Success>(_ places: Int = 1, _ body: () async throws -> Success) async throws -> Success {
        await withCheckedContinuation { continuation in
            admit { $0.waiting.append((places, continuation)) }
        }
        defer { admit { $0.free += places } }
        return try await body()
    }

    private func admit(after change: (inout State) -> Void) {
        let admitted = state.withLock { state in
            change(&state)
            return state.admit()
        }
        for continuation in admitted { continuation.resume() }
    }
}
