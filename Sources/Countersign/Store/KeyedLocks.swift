import Synchronization

/// One lock per key for tasks. Waiting suspends, ends at cancellation or timeout, and is first come, first served.
package final class KeyedLocks: Sendable {
    /// The result of waiting.
    private enum Outcome { case granted, timedOut, cancelled }

    /// The callers that wait for a lock that is held. Tickets of callers that have left are skipped when their turn comes, so
    /// that leaving takes constant time.
    private struct Line {
        private(set) var waiting: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
        private var order: ArraySlice<UInt64> = []

        mutating func join(_ ticket: UInt64, _ continuation: CheckedContinuation<Outcome, Never>) {
            waiting[ticket] = continuation
            order.append(ticket)
        }

        mutating func leave(_ ticket: UInt64) -> CheckedContinuation<Outcome, Never>? { waiting.removeValue(forKey: ticket) }

        mutating func next() -> CheckedContinuation<Outcome, Never>? {
            while let ticket = order.popFirst() {
                if let continuation = waiting.removeValue(forKey: ticket) { return continuation }
            }
            return nil
        }
    }

    private struct State {
        /// A line for each lock that is held, and for no other lock.
        var lines: [CredentialKey: Line] = [:]
        var tickets: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns the number of callers that wait for a key, for tests.
    package func waiterCount(for key: CredentialKey) -> Int { state.withLock { $0.lines[key]?.waiting.count ?? 0 } }

    /// Whether no lock is held, for tests.
    package var isIdle: Bool { state.withLock { $0.lines.isEmpty } }

    /// Runs an operation while it holds the lock of a key.
    ///
    /// - Returns: The result of the operation, or `nil` if the lock was not available by the deadline.
    /// - Throws: `CancellationError` if the task is cancelled while it waits; the operation's errors.
    package func withLock<Success: Sendable, C: Clock<Duration>>(
        on key: CredentialKey, until deadline: C.Instant, clock: C, _ operation: @Sendable () async throws -> Success
    ) async throws -> Success? {
        switch await acquire(key, until: deadline, clock: clock) {
        case .granted:
            defer { release(key) }
            return try await operation()
        case .timedOut: return nil
        case .cancelled: throw CancellationError()
        }
    }

    private func acquire<C: Clock<Duration>>(_ key: CredentialKey, until deadline: C.Instant, clock: C) async -> Outcome {
        if Task.isCancelled { return .cancelled }
        let (isFree, ticket) = state.withLock { state in
            state.tickets += 1
            guard state.lines[key] == nil else { return (false, state.tickets) }
            state.lines[key] = Line()
            return (true, state.tickets)
        }
        if isFree { return .granted }
        let timer = Task {
            guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
            leave(key, ticket, .timedOut)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = state.withLock { state in
                    // A cancellation before this point is seen here. A later one waits for the mutex and then finds the ticket.
                    if Task.isCancelled { return .cancelled }
                    // The lock may have been released since the first check, or the deadline may have passed.
                    if state.lines[key] == nil {
                        state.lines[key] = Line()
                        return .granted
                    }
                    if clock.now >= deadline { return .timedOut }
                    state.lines[key]?.join(ticket, continuation)
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            leave(key, ticket, .cancelled)
        }
    }

    private func leave(_ key: CredentialKey, _ ticket: UInt64, _ outcome: Outcome) {
        state.withLock { $0.lines[key]?.leave(ticket) }?.resume(returning: outcome)
    }

    private func release(_ key: CredentialKey) {
        let next = state.withLock { state in
            let next = state.lines[key]?.next()
            if next == nil { state.lines[key] = nil }
            return next
        }
        next?.resume(returning: .granted)
    }
}
