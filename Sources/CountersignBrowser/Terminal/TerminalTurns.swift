internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Grants a terminal to one login at a time, in order of arrival.
final class TerminalTurns: Sendable {
    private struct Place {
        let turn: SingleResult<Void>
        let deadline: @Sendable () -> Date
    }

    private struct State {
        /// The time limit of the current login; `nil` if the terminal is free.
        var deadline: Date?
        var waiting: [Place] = []
    }

    private let state = Mutex(State())

    /// Runs `body` when the terminal is free.
    ///
    /// - Parameters:
    ///   - deadline: Returns the end of the time limit. It is called when the turn begins.
    ///   - note: Called if the terminal is not free, with the end of the current login's time limit.
    ///   - body: The code that uses the terminal.
    func take<Result>(
        until deadline: @escaping @Sendable () -> Date, whileWaiting note: (Date) -> Void, _ body: () async throws -> Result
    ) async throws -> Result {
        let turn = SingleResult<Void>()
        let taken: Date? = state.withLock { state in
            if let taken = state.deadline {
                state.waiting.append(Place(turn: turn, deadline: deadline))
                return taken
            }
            state.deadline = deadline()
            return nil
        }
        if let taken {
            note(taken)
            try await turn.value()
        }
        defer { pass() }
        return try await body()
    }

    /// Grants the terminal to the next login that was not cancelled.
    private func pass() {
        state.withLock { state in
            state.deadline = nil
            while state.deadline == nil, !state.waiting.isEmpty {
                let next = state.waiting.removeFirst()
                if next.turn.settle(.success(())) { state.deadline = next.deadline() }
            }
        }
    }
}
