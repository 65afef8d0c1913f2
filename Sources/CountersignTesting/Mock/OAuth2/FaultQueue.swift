import Synchronization

/// The remaining faults of an endpoint.
package final class FaultQueue<Subject, Fault: Sendable>: Sendable {
    private struct Entry {
        let fault: Fault
        let matches: @Sendable (Subject) -> Bool
        var remaining: Int
    }

    private let entries = Mutex<[Entry]>([])

    /// Creates an empty queue.
    package init() {}

    package func add(_ fault: Fault, times: Int, when matches: @escaping @Sendable (Subject) -> Bool) {
        entries.withLock { $0.append(Entry(fault: fault, matches: matches, remaining: times)) }
    }

    package func removeAll() { entries.withLock { $0.removeAll() } }

    /// Returns the fault for a request, and consumes it once: the earliest remaining one that matches.
    package func next(for subject: Subject) -> Fault? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.remaining > 0 && $0.matches(subject) }) else { return nil }
            if entries[index].remaining < .max { entries[index].remaining -= 1 }
            let fault = entries[index].fault
            if entries[index].remaining == 0 { entries.remove(at: index) }
            return fault
        }
    }
}
