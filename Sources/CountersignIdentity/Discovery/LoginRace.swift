internal import Countersign
internal import Synchronization

/// A question to the application that ends after a time, whatever the application does.
enum LoginRace {
    /// What the application answers; `nil` if the user gave up.
    ///
    /// An application that does not listen to cancellation is left to itself: its answer comes too late.
    ///
    /// - Throws: ``DiscoveryFailure/late``, ``DiscoveryFailure/refused(_:)``, or `CancellationError`.
    static func answer(
        of source: any LoginInputSource, to input: LoginInput, within limit: Duration, clock: any Clock<Duration>
    ) async throws -> [LoginInputFieldValue]? {
        let tasks = Tasks()
        defer { tasks.cancel() }
        return try await GeneratedCodeVersion1.answer { complete in
            tasks.add(
                Task {
                    do {
                        complete(.success(try await source.values(for: input)))
                    } catch is CancellationError {
                        complete(.failure(CancellationError()))
                    } catch {
                        complete(.failure(DiscoveryFailure.refused(error)))
                    }
                })
            tasks.add(
                Task {
                    guard (try? await clock.sleep(for: limit, tolerance: nil)) != nil else { return }
                    complete(.failure(DiscoveryFailure.late))
                })
        }
    }

    /// The question and the clock, which end together.
    private final class Tasks: Sendable {
        private let tasks = Mutex<[Task<Void, Never>]>([])

        func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }
        func cancel() { for task in tasks.withLock(\.self) { task.cancel() } }
    }
}
