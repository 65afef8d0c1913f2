import Synchronization

/// A gate that counts the tasks that arrive. A task that is cancelled stops waiting.
final class Turnstile: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var next: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// The number of tasks that have arrived.
    var arrivals: Int { state.withLock { $0.arrivals } }

    /// Opens the gate for all tasks, now and later.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until the gate is open.
    func pass() async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (isOpen, watchers) = state.withLock { state in
                    state.arrivals += 1
                    let arrivals = state.arrivals
                    let watchers = state.watchers.filter { $0.count <= arrivals }
                    state.watchers.removeAll { $0.count <= arrivals }
                    if !state.isOpen { state.waiting[number] = continuation }
                    return (state.isOpen, watchers)
                }
                for watcher in watchers { watcher.continuation.resume() }
                if isOpen { return continuation.resume() }
                if Task.isCancelled { leave(number) }
            }
        } onCancel: {
            leave(number)
        }
    }

    /// Waits until the given number of tasks have arrived.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrivals >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func leave(_ number: UInt64) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(throwing: CancellationError())
    }
}
