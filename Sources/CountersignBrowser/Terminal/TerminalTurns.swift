internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Gives a terminal to one login at a time, in the order of their coming.
final class TerminalTurns: Sendable {
    private struct Place {
        let turn: SingleResult<Void>
        let deadline: @Sendable () -> Date
    }

    private struct State {
        /// Until when the login that has the terminal may take; `nil` if none has it.
        var deadline: Date?
        var waiting: [Place] = []
    }

    private let state = Mutex(State())

    /// Runs something that needs the terminal.
    ///
    /// - Parameters:
    ///   - deadline: Until when it may take, asked when it begins.
    ///   - note: Called if the terminal is not free, with the deadline of the login that has it.
    ///   - body: What needs the terminal.
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

    /// Gives the terminal to the next login that still waits.
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
