import Foundation
import Synchronization

/// Runs calls that block a thread, for tasks that can be cancelled. The call of a cancelled task continues in the background
/// until the process ends.
enum Blocking {
    static func run<Value: Sendable>(_ call: @escaping @Sendable () throws -> Value) async throws -> Value {
        let waiting = Mutex<CheckedContinuation<Value, any Error>?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting.withLock { $0 = continuation }
                if Task.isCancelled { resume(waiting, .failure(CancellationError())) }
                DispatchQueue.global().async { resume(waiting, Result { try call() }) }
            }
        } onCancel: {
            resume(waiting, .failure(CancellationError()))
        }
    }

    private static func resume<Value: Sendable>(
        _ waiting: borrowing Mutex<CheckedContinuation<Value, any Error>?>, _ result: Result<Value, any Error>
    ) {
        waiting.withLock { continuation in
            continuation?.resume(with: result)
            continuation = nil
        }
    }
}
