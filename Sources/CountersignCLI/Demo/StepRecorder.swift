import Countersign
import Synchronization

/// Records the steps that authentications run, as the runtime reports them.
final class StepRecorder: SessionEventObserver {
    private let steps = Mutex<[String]>([])

    func observe(_ event: SessionEvent) {
        if case .ran(let step) = event.kind { steps.withLock { $0.append(step) } }
    }

    /// Returns the steps since the last call.
    func take() -> [String] {
        steps.withLock { steps in
            defer { steps = [] }
            return steps
        }
    }
}
