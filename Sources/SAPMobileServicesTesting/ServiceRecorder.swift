internal import Synchronization

/// Where a service counts.
final class ServiceRecorder<Statistics: Sendable>: Sendable {
    private let zero: Statistics
    private let statistics: Mutex<Statistics>

    /// - Parameter zero: Nothing counted.
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
