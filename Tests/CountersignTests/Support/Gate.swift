import Synchronization

/// A gate that a test opens once. Tasks that arrive earlier wait.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var arrivals: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Opens the gate for all tasks, now and later.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Waits until the gate is open or the task is cancelled, so that a test whose gate never opens ends at its time limit.
    func pass() async {
        let number = state.withLock { state in
            state.arrivals += 1
            return state.arrivals
        }
        await withTaskCancellationHandler {
            await wait(number, stopsWhenCancelled: true)
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }

    /// Waits until the gate is open, and ignores cancellation.
    func passDeaf() async {
        let number = state.withLock { state in
            state.arrivals += 1
            return state.arrivals
        }
        await wait(number, stopsWhenCancelled: false)
    }

    private func wait(_ number: UInt64, stopsWhenCancelled: Bool) async {
        await withCheckedContinuation { continuation in
            let passes: Bool = state.withLock { state in
                if state.isOpen || (stopsWhenCancelled && Task.isCancelled) { return true }
                state.waiting[number] = continuation
                return false
            }
            if passes { continuation.resume() }
        }
    }
}
