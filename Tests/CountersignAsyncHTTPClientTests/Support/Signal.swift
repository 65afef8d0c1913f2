import Synchronization

/// An event that happens once, and the tasks that wait for it.
final class Signal: Sendable {
    private struct State {
        var hasFired = false
        var waitersSoFar = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    func fire() {
        let waiting = state.withLock { state in
            state.hasFired = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Waits until the event has happened or the task is cancelled.
    func wait() async {
        let number = state.withLock { state in
            state.waitersSoFar += 1
            return state.waitersSoFar
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let passes = state.withLock { state in
                    if state.hasFired || Task.isCancelled { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if passes { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }
}

/// A counter that several tasks increment.
final class Counter: Sendable {
    private let state = Mutex((value: 0, maximum: 0))

    var value: Int { state.withLock { $0.value } }
    var maximum: Int { state.withLock { $0.maximum } }

    @discardableResult
    func add(_ amount: Int = 1) -> Int {
        state.withLock { state in
            state.value += amount
            state.maximum = max(state.maximum, state.value)
            return state.value
        }
    }
}
