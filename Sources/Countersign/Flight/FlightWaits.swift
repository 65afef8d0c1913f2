internal import Synchronization

/// Which authentications wait for which: a request that an authentication sends can need another one.
///
/// Two of them can come to need each other, such as the reviews of two logins, each of which asks a server that wants the other login. Both
/// would wait until their time is over; so the one that comes last fails with ``FlightFailure/busy``.
final class FlightWaits: Sendable {
    static let shared = FlightWaits()

    /// By the authentication that waits: those that it waits for, and how many times.
    private let waits = Mutex<[ObjectIdentifier: [ObjectIdentifier: Int]]>([:])

    /// An authentication, whose request is challenged, begins to wait for another one.
    ///
    /// - Throws: ``FlightFailure/busy`` if `target` waits for `waiting`; then it has not begun.
    func begin(_ waiting: FlightCoordinator, for target: FlightCoordinator) throws {
        let (waiter, awaited) = (ObjectIdentifier(waiting), ObjectIdentifier(target))
        try waits.withLock { waits in
            guard !Self.leads(from: awaited, to: waiter, waits) else { throw FlightFailure.busy }
            waits[waiter, default: [:]][awaited, default: 0] += 1
        }
    }

    /// The wait is over.
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
