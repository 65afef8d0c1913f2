internal import Countersign
internal import NIOCore
internal import Synchronization

/// Lets a bounded number of exchanges with one host through at a time, the others in the order of their arrival.
///
/// The client has a queue of its own, but ends a wait there after the time that a connection may take, so that a thousand requests to a
/// slow server would fail. Behind this gate there is a connection for each exchange, and the time counts for connections only.
final class ExchangeGate: Sendable {
    private struct Waiter {
        let continuation: CheckedContinuation<Void, any Error>
        /// Ends the wait at its deadline.
        let timer: Scheduled<Void>?
    }

    private struct Lane {
        var inside = 0
        /// Those who wait, by their tickets; who gave up is not here any more.
        var waiting: [UInt64: Waiter] = [:]
        /// The tickets in the order of their arrival, some of them given up; the first `passed` are done with.
        var line: [UInt64] = []
        var passed = 0

        mutating func takeFirst() -> Waiter? {
            while passed < line.count {
                let first = waiting.removeValue(forKey: line[passed])
                passed += 1
                if let first { return first }
            }
            line.removeAll()
            passed = 0
            return nil
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

    private let width: Int
    private let state = Mutex(State())

    init(width: Int) {
        precondition(width > 0, "a transport needs at least one connection for each host")
        self.width = width
    }

    /// Waits until there is room for one more exchange with the host; ``leave(_:)`` makes room again.
    ///
    /// - Throws: `CancellationError`; `TransportError` when the deadline is reached.
    func enter(_ host: String, deadline: NIODeadline) async throws {
        try Task.checkCancellation()
        let ticket: UInt64? = state.withLock { state in
            if state.enter(host, width: width) { return nil }
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        if let ticket { try await wait(for: host, ticket: ticket, deadline: deadline) }
    }

    private func wait(for host: String, ticket: UInt64, deadline: NIODeadline) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    // The handler below needs the lock too: it either ran before, and this sees it, or finds the continuation.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    // Others may have left since the ticket was drawn.
                    if state.enter(host, width: width) { return .success(()) }
                    state.lanes[host, default: Lane()].line.append(ticket)
                    // A timer that fires at once finds the lock taken, and then the waiter.
                    let timer: Scheduled<Void>? =
                        deadline == .distantFuture
                        ? nil
                        : OwnedClient.eventLoops.any().scheduleTask(deadline: deadline) { self.giveUp(host, ticket, Self.tooLate) }
                    state.lanes[host, default: Lane()].waiting[ticket] = Waiter(continuation: continuation, timer: timer)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            giveUp(host, ticket, CancellationError())
        }
    }

    private func giveUp(_ host: String, _ ticket: UInt64, _ error: any Error) {
        let waiter = state.withLock { $0.lanes[host]?.waiting.removeValue(forKey: ticket) }
        waiter?.timer?.cancel()
        waiter?.continuation.resume(throwing: error)
    }

    private static let tooLate = TransportError(
        .timeout, detail: "all connections with the host were busy for too long", requestMayHaveBeenProcessed: false)

    /// Gives the room to the next in line.
    func leave(_ host: String) {
        let next: Waiter? = state.withLock { state in
            guard var lane = state.lanes.removeValue(forKey: host) else { return nil }
            let next = lane.takeFirst()
            if next == nil { lane.inside -= 1 }
            if lane.inside > 0 { state.lanes[host] = lane }
            return next
        }
        next?.timer?.cancel()
        next?.continuation.resume()
    }
}
