#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What changes in a session's life; guarded by the session's lock.
struct SessionState {
    /// How far the session's life has gone.
    enum Phase: Int, Comparable {
        /// Requests are taken.
        case open
        /// No new requests are taken, those under way go on.
        case finishing
        /// Those under way have been cancelled, too.
        case closed

        static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
    }

    /// An observer, and the object that it was registered for: itself, or what it speaks for.
    struct Registration {
        let observer: any SessionObserver
        let registrant: any AnyObject & Sendable
        let seesTasks: Bool
    }

    /// In the order of registration.
    var registrations: [Registration] = []
    /// Counts the users' sessions: an exchange that began in an older one is never resent in a newer.
    var epoch = SessionEpoch(number: 0)
    var phase = Phase.open
    /// How many exchanges have begun and not ended.
    var exchangesUnderWay = 0
    /// The callers that wait until none is under way.
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
    /// How to cancel what is under way: work that has a task of its own, and waits for an authentication.
    var cancellations: [UInt64: @Sendable () -> Void] = [:]
    var nextCancellation: UInt64 = 0
    /// The logins that are being reviewed, by the identifiers that requests of the reviews carry.
    var bypasses: [UUID: FlightScope] = [:]
    /// The end of the transport, once it was asked for.
    var transportShutdown: Task<Void, Never>?

    var observers: [any SessionObserver] { registrations.map(\.observer) }

    /// Takes out the callers that wait for the session to be idle, if it is.
    mutating func takeIdleWaiters() -> [CheckedContinuation<Void, Never>] {
        guard exchangesUnderWay == 0, !idleWaiters.isEmpty else { return [] }
        defer { idleWaiters = [] }
        return idleWaiters
    }
}

/// The time between two ends of a session: what one user does in it.
struct SessionEpoch: Sendable, Hashable {
    var number: UInt64
}

/// What an exchange takes with it when it begins.
struct Admission: Sendable {
    let observers: [any SessionObserver]
    let epoch: SessionEpoch
    let number = ExchangeNumber.next()
}
