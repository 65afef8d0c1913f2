import Synchronization

/// Holds requests until a given number of them have arrived.
///
/// A gate opens once and stays open: later requests, such as those resent after a login, pass.
public final class MockGate: Sendable {
    private struct State {
        var arrived = 0
        var hasTimedOut = false
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var limit: Task<Void, Never>?
    }

    private let path: MockPath
    private let count: Int
    private let limit: Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())

    init(
        path: MockPath, count: Int, limit: Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.path = path
        self.count = count
        self.limit = limit
        self.sleep = sleep
    }

    /// The number of requests that arrived while the gate was closed.
    public var arrived: Int { state.withLock { $0.arrived } }

    /// Whether the gate opened at its time limit, with fewer requests than expected.
    public var hasTimedOut: Bool { state.withLock { $0.hasTimedOut } }

    /// Opens the gate for all current and later requests.
    public func open() { open(isTimeout: false) }

    private func open(isTimeout: Bool) {
        let (waiting, limit) = state.withLock { state -> ([CheckedContinuation<Void, Never>], Task<Void, Never>?) in
            guard !state.isOpen else { return ([], nil) }
            state.isOpen = true
            state.hasTimedOut = isTimeout
            defer {
                state.waiting = []
                state.limit = nil
            }
            return (state.waiting, state.limit)
        }
        limit?.cancel()
        waiting.forEach { $0.resume() }
    }

    /// Waits until the gate opens, if it is closed and the path matches.
    func pass(_ path: String) async {
        guard self.path.matches(path) else { return }
        await withCheckedContinuation { continuation in
            let isComplete = state.withLock { state in
                guard !state.isOpen else {
                    continuation.resume()
                    return false
                }
                state.arrived += 1
                state.waiting.append(continuation)
                // The time limit starts with the first request, because the test may take long to send it.
                if state.limit == nil { state.limit = startLimit() }
                return state.arrived >= count
            }
            if isComplete { open() }
        }
    }

    /// Opens the gate when no request has arrived during the time limit, so that a slow machine that still makes progress does
    /// not open it.
    private func startLimit() -> Task<Void, Never> {
        Task { [weak self, limit, sleep] in
            var seen = 0
            while let arrived = self?.arrived, arrived > seen {
                seen = arrived
                guard (try? await sleep(limit)) != nil else { return }
            }
            self?.open(isTimeout: true)
        }
    }
}

/// The gates of a mock landscape.
final class MockGates: Sendable {
    private let gates = Mutex<[MockGate]>([])

    /// Adds a gate that holds requests until a number of them have arrived.
    func hold(_ path: MockPath, until count: Int, limit: Duration) -> MockGate {
        let gate = MockGate(path: path, count: count, limit: limit)
        gates.withLock { $0.append(gate) }
        return gate
    }

    func pass(_ path: String) async {
        for gate in gates.withLock({ $0 }) { await gate.pass(path) }
    }

    func openAll() { gates.withLock { $0 }.forEach { $0.open() } }
}
