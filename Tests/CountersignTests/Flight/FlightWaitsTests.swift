import Testing

@testable import Countersign

/// Two authentications that wait for each other end, instead of waiting until their time limits.
@Suite(.timeLimit(.minutes(10))) struct FlightWaitsTests {
    private let limits = FlightCoordinator.Limits(timeout: .seconds(3600), isInteractive: true)

    /// Runs a flow of `coordinator`, during which another one is awaited.
    private func ensure(
        _ coordinator: FlightCoordinator, within outer: FlightScope? = nil,
        _ body: @escaping @Sendable (FlightScope) async throws -> Void
    ) async throws {
        _ = try await coordinator.ensureNewer(than: coordinator.generation) {
            let scope = FlightScope(of: coordinator, within: outer)
            try await scope.run { try await body(scope) }
            return {}
        }
    }

    @Test func `the one that comes last gets the error that the other is busy`() async throws {
        let (first, second) = (FlightCoordinator(limits: limits), FlightCoordinator(limits: limits))
        let (started, continuation) = AsyncStream<Void>.makeStream()
        await #expect(throws: FlightFailure.busy) {
            try await ensure(first) { scope in
                // The first flow runs. Its request now needs the second, which needs the first.
                continuation.yield()
                try await ensure(second, within: scope) { _ in
                    for await _ in started { break }
                    _ = try await first.ensureNewer(than: .none) { {} }
                }
            }
        }
        #expect(first.waiterCount == 0)
        #expect(second.waiterCount == 0)
    }

    @Test func `two that were begun by others are found, too`() async throws {
        let (first, second) = (FlightCoordinator(limits: limits), FlightCoordinator(limits: limits))
        let both = Meeting(of: 2)
        let tasks = [
            Task {
                try await ensure(first) { _ in
                    await both.arrive()
                    try await ensure(second) { _ in }
                }
            },
            Task {
                try await ensure(second) { _ in
                    await both.arrive()
                    // The first one has joined this one. It would otherwise begin another one after the end of this one.
                    try await awaitCondition { second.waiterCount == 2 }
                    try await ensure(first) { _ in }
                }
            },
        ]
        for task in tasks { await #expect(throws: FlightFailure.busy) { try await task.value } }
    }

    @Test func `one that waits for another does not keep third ones from it`() async throws {
        let coordinators = (0..<3).map { _ in FlightCoordinator(limits: limits) }
        try await ensure(coordinators[0]) { scope in
            try await ensure(coordinators[1], within: scope) { scope in try await ensure(coordinators[2], within: scope) { _ in } }
        }
        try await ensure(coordinators[2]) { scope in try await ensure(coordinators[0], within: scope) { _ in } }
        #expect(coordinators.map(\.generation.number) == [2, 1, 2])
    }
}

/// Resumes the tasks when all have arrived.
private actor Meeting {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of count: Int) { missing = count }

    func arrive() async {
        missing -= 1
        guard missing > 0 else {
            for continuation in waiting { continuation.resume() }
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }
}
