import Synchronization

/// The injected faults that remain.
final class FaultPlan: Sendable {
    private struct Entry {
        let fault: MockFault
        let path: MockPath
        var remaining: Int
    }

    private let entries = Mutex<[Entry]>([])

    func add(_ fault: MockFault, path: MockPath, times: Int) {
        entries.withLock { $0.append(Entry(fault: fault, path: path, remaining: times)) }
    }

    func removeAll() { entries.withLock { $0.removeAll() } }

    /// Returns the fault for a request, and consumes it once: the earliest remaining one that matches.
    func next(for path: String) -> MockFault? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.remaining > 0 && $0.path.matches(path) }) else { return nil }
            if entries[index].remaining < .max { entries[index].remaining -= 1 }
            let fault = entries[index].fault
            if entries[index].remaining == 0 { entries.remove(at: index) }
            return fault
        }
    }
}
