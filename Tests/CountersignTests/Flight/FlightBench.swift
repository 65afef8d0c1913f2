import Synchronization
import Testing

@testable import Countersign

/// A coordinator with the clock, the journal and the counts that tests check.
struct FlightBench: Sendable {
    /// The server's refusal, by attempt.
    struct Refusal: Error, Hashable { let attempt: Int }

    let clock = ManualClock()
    let journal = Journal()
    let coordinator: FlightCoordinator
    /// The gate at which operations wait until the test opens it.
    let gate = Gate()
    private let counts = Counts()

    private final class Counts: Sendable {
        let operations = Atomic<Int>(0)
        let commits = Atomic<Int>(0)
    }

    /// The number of operations that have started.
    var operations: Int { counts.operations.load(ordering: .sequentiallyConsistent) }
    /// The number of commits that have run.
    var commits: Int { counts.commits.load(ordering: .sequentiallyConsistent) }

    init(interactive: Bool = false, maximumAttempts: Int = 5, isShared: Bool = true) {
        let limits = FlightCoordinator.Limits(
            timeout: .seconds(60), isInteractive: interactive, maximumAttempts: maximumAttempts, isShared: isShared)
        coordinator = FlightCoordinator(limits: limits, clock: clock, report: journal.write)
    }

    /// An operation that waits for ``gate`` and then succeeds. It ignores cancellation, so that it causes late results.
    var authentication: FlightCoordinator.Operation {
        { [counts, gate] in
            counts.operations.add(1, ordering: .sequentiallyConsistent)
            await gate.passDeaf()
            return { counts.commits.add(1, ordering: .sequentiallyConsistent) }
        }
    }

    /// An operation that waits for ``gate`` and then fails.
    var refusal: FlightCoordinator.Operation {
        { [counts, gate] in
            let attempt = counts.operations.add(1, ordering: .sequentiallyConsistent).newValue
            await gate.passDeaf()
            throw Refusal(attempt: attempt)
        }
    }

    /// An operation that must not be called.
    var unexpected: FlightCoordinator.Operation {
        { [counts] in
            counts.operations.add(1, ordering: .sequentiallyConsistent)
            Issue.record("an authentication was begun that nobody needed")
            return {}
        }
    }

    /// Starts a request that was challenged with the current generation, and waits.
    func challenge(
        observed: Generation? = nil, _ operation: FlightCoordinator.Operation? = nil
    ) -> Task<Generation, any Error> {
        let observed = observed ?? coordinator.generation
        let operation = operation ?? authentication
        return Task { [coordinator] in try await coordinator.ensureNewer(than: observed, operation: operation) }
    }

    /// Starts challenged requests, all of which wait for one flight when this returns.
    func challenges(
        _ count: Int, _ operation: FlightCoordinator.Operation? = nil
    ) async -> [Task<Generation, any Error>] {
        let tasks = (0..<count).map { _ in challenge(operation) }
        await journal.wait(for: .started)
        if count > 1 { await journal.wait(for: .joined(waiters: count)) }
        return tasks
    }

    /// Runs a successful authentication from beginning to end.
    func authenticate() async throws -> Generation {
        try await coordinator.startAlone { {} }
    }
}

extension Task where Failure == any Error {
    /// The error with which the task ended; `nil` if it succeeded.
    var error: (any Error)? {
        get async {
            if case .failure(let error) = await result { error } else { nil }
        }
    }
}
