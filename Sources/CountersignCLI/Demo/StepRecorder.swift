import Countersign
import Synchronization

/// Writes down the steps that authentications run, as the runtime tells them.
final class StepRecorder: SessionEventObserver {
    private let steps = Mutex<[String]>([])

    func observe(_ event: SessionEvent) {
        if case .ran(let step) = event.kind { steps.withLock { $0.append(step) } }
    }

    /// The steps since the last call.
    func take() -> [String] {
        steps.withLock { steps in
            defer { steps = [] }
            return steps
        }
    }
}
