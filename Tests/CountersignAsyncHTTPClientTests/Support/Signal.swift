import Synchronization

/// Something that happens once, and those who wait for it.
final class Signal: Sendable {
    private struct State {
        var hasFired = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func fire() {
        let waiting = state.withLock { state in
            state.hasFired = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let hasFired = state.withLock { state in
                if !state.hasFired { state.waiting.append(continuation) }
                return state.hasFired
            }
            if hasFired { continuation.resume() }
        }
    }
}

/// A number that several tasks count up.
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
