internal import Synchronization

/// The waits between authentications: a request that an authentication sends can require another authentication.
///
/// Two authentications can require each other, for example when the review of each of two logins sends a request to a server that
/// requires the other login. Both would wait until their time limits, so the later one fails with ``FlightFailure/busy``.
final class FlightWaits: Sendable {
    static let shared = FlightWaits()

    /// The awaited authentications with the number of waits, by the waiting authentication.
    private let waits = Mutex<[ObjectIdentifier: [ObjectIdentifier: Int]]>([:])

    /// Records that an authentication waits for another one, because its request was challenged.
    ///
    /// - Throws: ``FlightFailure/busy`` if `target` already waits for `waiting`. Then nothing is recorded.
    func begin(_ waiting: FlightCoordinator, for target: FlightCoordinator) throws {
        let (waiter, awaited) = (ObjectIdentifier(waiting), ObjectIdentifier(target))
        try waits.withLock { waits in
            guard !Self.leads(from: awaited, to: waiter, waits) else { throw FlightFailure.busy }
            waits[waiter, default: [:]][awaited, default: 0] += 1
        }
    }

    /// Records the end of a wait.
    func end(_ waiting: FlightCoordinator, for target: FlightCoordinator) {
        let (waiter, awaited) = (ObjectIdentifier(waiting), ObjectIdentifier(target))
        waits.withLock { waits in
            let count = (waits[waiter]?[awaited] ?? 1) - 1
            waits[waiter]?[awaited] = count == 0 ? nil : count
            if waits[waiter]?.isEmpty == true { waits[waiter] = nil }
        }
    }

    private static func leads(
        from start: ObjectIdentifier, to end: ObjectIdentifier, _ waits: [ObjectIdentifier: [ObjectIdentifier: Int]]
    ) -> Bool {
        var (open, seen): ([ObjectIdentifier], Set<ObjectIdentifier>) = ([start], [start])
        while let next = open.popLast() {
            if next == end { return true }
            for other in waits[next, default: [:]].keys where seen.insert(other).inserted { open.append(other) }
        }
        return false
    }
}
