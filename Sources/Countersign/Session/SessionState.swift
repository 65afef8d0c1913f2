#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The mutable state of a session, guarded by the session's lock.
struct SessionState {
    /// The phase of a session's life.
    enum Phase: Int, Comparable {
        /// Requests are accepted.
        case open
        /// No new requests are accepted. Running requests continue.
        case finishing
        /// Running requests have been cancelled too.
        case closed

        static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
    }

    /// An observer, and the object for which it was registered: the observer itself, or an object that it represents.
    struct Registration {
        let observer: any SessionObserver
        let registrant: any AnyObject & Sendable
        let seesTasks: Bool
    }

    /// The observers, in the order of registration.
    var registrations: [Registration] = []
    /// The current user's session. An exchange that began in an older one is never resent in a newer one.
    var epoch = SessionEpoch(number: 0)
    var phase = Phase.open
    /// The number of running exchanges.
    var exchangesUnderWay = 0
    /// The number of running renewals, adoptions and saves of credentials. No exchange need wait for them, and without them a
    /// refresh token that a server has replaced would be lost.
    var savesUnderWay = 0
    /// The callers that wait until no exchange and no renewal is running.
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
    /// The functions that cancel running work: tasks of the session, and waits for an authentication.
    var cancellations: [UInt64: @Sendable () -> Void] = [:]
    var nextCancellation: UInt64 = 0
    /// The logins under review, by the identifiers that requests of the reviews carry.
    var bypasses: [UUID: FlightScope] = [:]
    /// The shutdown of the transport, once it has been requested.
    var transportShutdown: Task<Void, Never>?

    var observers: [any SessionObserver] { registrations.map(\.observer) }

    /// Removes and returns the callers that wait for the session to be idle, if it is idle. A closed session does not wait for
    /// renewals.
    mutating func takeIdleWaiters() -> [CheckedContinuation<Void, Never>] {
        guard exchangesUnderWay == 0, savesUnderWay == 0 || phase == .closed, !idleWaiters.isEmpty else { return [] }
        defer { idleWaiters = [] }
        return idleWaiters
    }
}

/// A user's session: the period between two calls of ``Session/endSession()``.
struct SessionEpoch: Sendable, Hashable, Comparable {
    var number: UInt64

    static func < (left: SessionEpoch, right: SessionEpoch) -> Bool { left.number < right.number }
}

/// The observers, epoch and number that an exchange receives when it begins.
struct Admission: Sendable {
    let observers: [any SessionObserver]
    let epoch: SessionEpoch
    let number = ExchangeNumber.next()
}
