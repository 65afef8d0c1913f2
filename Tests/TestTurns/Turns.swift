internal import Synchronization

/// A number of places, given out in the order of asking.
package final class Turns: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let width: Int
    private let state: Mutex<State>

    package init(width: Int) {
        self.width = width
        state = Mutex(State(free: width))
    }

    /// How many places are taken.
    package var taken: Int { width - state.withLock { $0.free } }

    /// Runs `body` when there is a place.
    package func take<Success>(_ body: () async throws -> Success) async throws -> Success {
        await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free == 0 {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
