internal import Countersign
internal import NIOCore
internal import Synchronization

/// Lets a bounded number of exchanges with one host through at a time, the others in the order of their arrival.
///
/// The client has a queue of its own, but ends a wait there after the time that a connection may take, so that a thousand requests to a
/// slow server would fail. Behind this gate there is a connection for each exchange, and the time counts for connections only.
///
/// An exchange keeps its room until its body was read, and bodies may stay unread until an authentication has ended. So there is some more
/// room that only exchanges of authentications get, and of those that wait they are the first.
final class ExchangeGate: Sendable {
    private struct Waiter {
        let continuation: CheckedContinuation<Void, any Error>
        /// Ends the wait at its deadline.
        let timer: Scheduled<Void>?
    }

    /// Waiters in the order of their arrival.
    private struct Line {
        /// The exchanges that wait, by their tickets; one that gave up is not here any more.
        var waiting: [UInt64: Waiter] = [:]
        /// The tickets in the order of their arrival, some of them given up; the first `passed` are done with.
        private var tickets: [UInt64] = []
        private var passed = 0

        mutating func append(_ ticket: UInt64, _ waiter: Waiter) {
            tickets.append(ticket)
            waiting[ticket] = waiter
        }

        mutating func takeFirst() -> Waiter? {
            while passed < tickets.count {
                let first = waiting.removeValue(forKey: tickets[passed])
                passed += 1
                if let first { return first }
            }
            tickets.removeAll()
            passed = 0
            return nil
        }
    }

    private struct Lane {
        var inside = 0
        /// The exchanges of authentications that wait.
        var authentications = Line()
        /// All others.
        var others = Line()

        mutating func append(_ ticket: UInt64, _ waiter: Waiter, isAuthentication: Bool) {
            if isAuthentication { authentications.append(ticket, waiter) } else { others.append(ticket, waiter) }
        }

        mutating func remove(_ ticket: UInt64) -> Waiter? {
            authentications.waiting.removeValue(forKey: ticket) ?? others.waiting.removeValue(forKey: ticket)
        }
    }

    private struct State {
        var lanes: [String: Lane] = [:]
        var nextTicket: UInt64 = 0

        mutating func enter(_ host: String, width: Int) -> Bool {
            guard lanes[host, default: Lane()].inside < width else { return false }
            lanes[host, default: Lane()].inside += 1
            return true
        }
    }

    /// How many exchanges of authentications go through beyond the width.
    static let reserve = 8

    private let width: Int
    private let state = Mutex(State())

    init(width: Int) {
        precondition(width > 0, "a transport needs at least one connection for each host")
        self.width = width
    }

    /// Waits until there is room for one more exchange with the host; ``leave(_:)`` makes room again.
    ///
    /// - Parameters:
    ///   - host: The host, and what else tells its connections apart.
    ///   - isAuthentication: Whether the exchange is a part of an authentication.
    ///   - deadline: The end of the wait.
    /// - Throws: `CancellationError`; `TransportError` when the deadline is reached.
    func enter(_ host: String, isAuthentication: Bool, deadline: NIODeadline) async throws {
        try Task.checkCancellation()
        let width = isAuthentication ? width + Self.reserve : width
        let ticket: UInt64? = state.withLock { state in
            if state.enter(host, width: width) { return nil }
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        guard let ticket else { return }
        try await wait(for: host, width: width, isAuthentication: isAuthentication, ticket: ticket, deadline: deadline)
    }

    private func wait(
        for host: String, width: Int, isAuthentication: Bool, ticket: UInt64, deadline: NIODeadline
    ) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    // The handler below needs the lock too: it either ran before, and this sees it, or finds the continuation.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    // Others may have left since the ticket was drawn.
                    if state.enter(host, width: width) { return .success(()) }
                    // A timer that fires at once finds the lock taken, and then the waiter.
                    let timer: Scheduled<Void>? =
                        deadline == .distantFuture
                        ? nil
                        : OwnedClient.eventLoops.any().scheduleTask(deadline: deadline) { self.giveUp(host, ticket, Self.tooLate) }
                    state.lanes[host, default: Lane()].append(
                        ticket, Waiter(continuation: continuation, timer: timer), isAuthentication: isAuthentication)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            giveUp(host, ticket, CancellationError())
        }
    }

    private func giveUp(_ host: String, _ ticket: UInt64, _ error: any Error) {
        let waiter = state.withLock { $0.lanes[host]?.remove(ticket) }
        waiter?.timer?.cancel()
        waiter?.continuation.resume(throwing: error)
    }

    private static let tooLate = TransportError(
        .timeout, detail: "all connections with the host were busy for too long", requestMayHaveBeenProcessed: false)

    /// Gives the room to the next in line.
    func leave(_ host: String) {
        let next: Waiter? = state.withLock { state in
            guard var lane = state.lanes.removeValue(forKey: host) else { return nil }
            lane.inside -= 1
            var next = lane.authentications.takeFirst()
            if next == nil, lane.inside < width { next = lane.others.takeFirst() }
            if next != nil { lane.inside += 1 }
            if lane.inside > 0 { state.lanes[host] = lane }
            return next
        }
        next?.timer?.cancel()
        next?.continuation.resume()
    }
}
