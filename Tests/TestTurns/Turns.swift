internal import Synchronization

/// A number of places, assigned in the order of the requests.
package final class Turns: Sendable {
    private struct State {
        var free: Int
        var waiting: [(places: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Removes and returns the waiters for which there are places now.
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

    /// The number of places that are taken.
    package var taken: Int { width - state.withLock { $0.free } }

    /// The number of waiters.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` when the given number of places is free.
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
