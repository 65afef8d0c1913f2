internal import Synchronization

/// The recorder of a service's counts.
final class ServiceRecorder<Statistics: Sendable>: Sendable {
    private let zero: Statistics
    private let statistics: Mutex<Statistics>

    /// - Parameter zero: The initial counts.
    init(_ zero: Statistics) {
        self.zero = zero
        statistics = Mutex(zero)
    }

    var current: Statistics { statistics.withLock { $0 } }

    func reset() { statistics.withLock { $0 = zero } }

    func count(_ change: (inout Statistics) -> Void) {
        statistics.withLock { change(&$0) }
    }
}
