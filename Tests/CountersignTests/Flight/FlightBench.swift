import Synchronization
import Testing

@testable import Countersign

/// A coordinator with everything around it that a test looks at.
struct FlightBench: Sendable {
    /// The server's refusal, by attempt.
    struct Refusal: Error, Hashable { let attempt: Int }

    let clock = ManualClock()
    let journal = Journal()
    let coordinator: FlightCoordinator
    /// Held by the operations until the test opens it.
    let gate = Gate()
    private let counts = Counts()

    private final class Counts: Sendable {
        let operations = Atomic<Int>(0)
        let commits = Atomic<Int>(0)
    }

    /// How many operations were begun.
    var operations: Int { counts.operations.load(ordering: .sequentiallyConsistent) }
    /// How many commits were run.
    var commits: Int { counts.commits.load(ordering: .sequentiallyConsistent) }

    init(interactive: Bool = false, maximumAttempts: Int = 5, isShared: Bool = true) {
        let limits = FlightCoordinator.Limits(
            timeout: .seconds(60), isInteractive: interactive, maximumAttempts: maximumAttempts, isShared: isShared)
        coordinator = FlightCoordinator(limits: limits, clock: clock, report: journal.write)
    }

    /// An operation that waits for ``gate`` and then succeeds; deaf to cancellation, so that late results come about.
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

    /// An operation that nobody may call.
    var unexpected: FlightCoordinator.Operation {
        { [counts] in
            counts.operations.add(1, ordering: .sequentiallyConsistent)
            Issue.record("an authentication was begun that nobody needed")
            return {}
        }
    }

    /// A request that was challenged with the generation of now, and waits.
    func challenge(
        observed: Generation? = nil, _ operation: FlightCoordinator.Operation? = nil
    ) -> Task<Generation, any Error> {
        let observed = observed ?? coordinator.generation
        let operation = operation ?? authentication
        return Task { [coordinator] in try await coordinator.ensureNewer(than: observed, operation: operation) }
    }

    /// Challenged requests, all of which wait for one flight when this returns.
    func challenges(
        _ count: Int, _ operation: FlightCoordinator.Operation? = nil
    ) async -> [Task<Generation, any Error>] {
        let tasks = (0..<count).map { _ in challenge(operation) }
        await journal.wait(for: .started)
        if count > 1 { await journal.wait(for: .joined(waiters: count)) }
        return tasks
    }

    /// A successful authentication from begin to end.
    func authenticate() async throws -> Generation {
        try await coordinator.startAlone { {} }
    }
}

extension Task where Failure == any Error {
    /// The error that the task ended with, if it did.
    var error: (any Error)? {
        get async {
            if case .failure(let error) = await result { error } else { nil }
        }
    }
}
