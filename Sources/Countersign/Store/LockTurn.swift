internal import Synchronization

/// The state of a task that requests a lock, or its turn in a queue: it waits until it has that or no longer needs it.
final class LockTurn: Sendable {
    enum Stage { case waiting, working, over }

    private let stage = Mutex(Stage.waiting)

    var isWaiting: Bool { stage.withLock { $0 == .waiting } }

    /// - Returns: Whether this call ended the wait.
    func end(in next: Stage) -> Bool {
        stage.withLock { stage in
            guard stage == .waiting else { return false }
            stage = next
            return true
        }
    }
}
