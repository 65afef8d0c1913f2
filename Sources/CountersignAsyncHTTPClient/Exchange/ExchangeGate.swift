internal import Countersign
internal import NIOCore
internal import Synchronization

/// Limits the number of simultaneous exchanges with a host. Further ones wait in order of arrival.
///
/// The client has its own queue, but ends a wait there after the connect timeout, so that a thousand requests to a slow server
/// would fail. Behind this gate there is a connection for each exchange, and the timeout applies only to connecting.
///
/// The limit is for requests that are answered soon. An exchange that lasts, such as a stream, a long poll, or a body that is not
/// read during an authentication, yields its place to another one after a second or two. Exchanges of authentications never wait,
/// since others wait for them. Over HTTP/2, where exchanges share a connection, the limit is at least the number of streams that
/// servers should allow.
final class ExchangeGate: Sendable {
    /// The admission of an exchange.
    struct Pass: Sendable {
        fileprivate let host: String
        /// The time of admission, in whole seconds.
        fileprivate let second: UInt64
    }

    private struct Waiter {
        let continuation: CheckedContinuation<Pass, any Error>
        /// Ends the wait at its deadline.
        let timer: Scheduled<Void>?
    }

    /// The exchanges with one host. It is used only under the lock.
    private final class Lane {
        private let limit: Int
        /// The numbers of admitted exchanges that count toward the limit, by the second of admission; the latest last.
        private var entered: [(second: UInt64, count: Int)] = []
        private var inside = 0
        /// The number of long-lasting exchanges, which no longer count.
        private var lasting = 0
        /// The waiting exchanges by ticket, without cancelled ones.
        private(set) var waiting: [UInt64: Waiter] = [:]
        /// The tickets in order of arrival, including cancelled ones. The first `passed` ones are finished.
        private var tickets: [UInt64] = []
        private var passed = 0
        /// Whether the server speaks HTTP/2.
        var isMultiplexed = false
        /// Whether a check for long-lasting exchanges is scheduled.
        var isWatched = false

        init(limit: Int) { self.limit = limit }

        var isIdle: Bool { inside == 0 && lasting == 0 && waiting.isEmpty }

        private var width: Int { isMultiplexed ? max(limit, ExchangeGate.streams) : limit }

        /// Whether a new exchange is admitted at once: there is room, and no other one waits.
        func isOpen(at second: UInt64) -> Bool { waiting.isEmpty && hasRoom(at: second) }

        private func hasRoom(at second: UInt64) -> Bool {
            if inside < width { return true }
            // Exchanges that were admitted before the previous second have lasted for at least one second.
            while let first = entered.first, first.second + 1 < second, lasting < ExchangeGate.lastingPerRoom * width {
                entered.removeFirst()
                inside -= first.count
                lasting += first.count
            }
            return inside < width
        }

        func enter(at second: UInt64) {
            inside += 1
            if entered.last?.second == second {
                entered[entered.count - 1].count += 1
            } else {
                entered.append((second, 1))
            }
        }

        func leave(since second: UInt64) {
            guard let index = entered.lastIndex(where: { $0.second == second }) else {
                lasting -= 1
                return
            }
            inside -= 1
            entered[index].count -= 1
            if entered[index].count == 0 { entered.remove(at: index) }
        }

        func append(_ ticket: UInt64, _ waiter: Waiter) {
            tickets.append(ticket)
            waiting[ticket] = waiter
        }

        func remove(_ ticket: UInt64) -> Waiter? { waiting.removeValue(forKey: ticket) }

        /// Removes and returns all waiting exchanges.
        func removeAll() -> [Waiter] {
            defer { (waiting, tickets, passed) = ([:], [], 0) }
            return Array(waiting.values)
        }

        /// Admits waiting exchanges as far as there is room, and returns them.
        func admit(at second: UInt64) -> [Waiter] {
            guard !waiting.isEmpty else { return [] }
            var admitted: [Waiter] = []
            while hasRoom(at: second), let next = takeFirst() {
                enter(at: second)
                admitted.append(next)
            }
            return admitted
        }

        private func takeFirst() -> Waiter? {
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

    private struct State {
        var lanes: [String: Lane] = [:]
        var nextTicket: UInt64 = 0
        /// Whether the transport was shut down. No exchange waits any more.
        var isShutDown = false
    }

    /// The minimum number of streams that servers should allow (RFC 9113, section 6.5.2).
    private static let streams = 100
    /// The maximum number of long-lasting exchanges for each place, since each may need a connection.
    private static let lastingPerRoom = 3
    /// The maximum number of hosts that are remembered to support HTTP/2.
    private static let maximumLanes = 1_000

    private let width: Int
    private let state = Mutex(State())

    init(width: Int) {
        precondition(width > 0, "a transport needs at least one connection for each host")
        self.width = width
    }

    /// Waits until there is room for one more exchange with the host. ``leave(_:)`` frees its place.
    ///
    /// - Parameters:
    ///   - host: The host with the other properties that distinguish its connections.
    ///   - isAuthentication: Whether the exchange is a part of an authentication.
    ///   - deadline: The end of the wait.
    /// - Throws: `CancellationError`; `TransportError` when the deadline is reached, or ``shutDown()`` is called meanwhile.
    func enter(_ host: String, isAuthentication: Bool, deadline: NIODeadline) async throws -> Pass {
        try Task.checkCancellation()
        let second = Self.second
        let ticket: UInt64? = state.withLock { state in
            let lane = lane(host, &state)
            if isAuthentication || lane.isOpen(at: second) {
                lane.enter(at: second)
                return nil
            }
            state.nextTicket += 1
            return state.nextTicket
        }
        guard let ticket else { return Pass(host: host, second: second) }
        return try await wait(for: host, ticket: ticket, deadline: deadline)
    }

    /// Frees the place, for the next waiting exchange.
    func leave(_ pass: Pass) {
        let second = Self.second
        let next = state.withLock { state -> [Waiter] in
            guard let lane = state.lanes[pass.host] else { return [] }
            lane.leave(since: pass.second)
            let next = lane.admit(at: second)
            if lane.isIdle, !lane.isMultiplexed || state.lanes.count > Self.maximumLanes { state.lanes[pass.host] = nil }
            return next
        }
        resume(next, with: Pass(host: pass.host, second: second))
    }

    /// Records that an exchange used HTTP/2.
    func noteMultiplexed(_ pass: Pass) {
        let second = Self.second
        let next = state.withLock { state -> [Waiter] in
            guard let lane = state.lanes[pass.host], !lane.isMultiplexed else { return [] }
            lane.isMultiplexed = true
            return lane.admit(at: second)
        }
        resume(next, with: Pass(host: pass.host, second: second))
    }

    /// Ends all waits, now and later. Bodies that nothing reads keep their places, so some waits would last until their deadlines.
    func shutDown() {
        let waiters = state.withLock { state -> [Waiter] in
            state.isShutDown = true
            return state.lanes.values.flatMap { $0.removeAll() }
        }
        for waiter in waiters {
            waiter.timer?.cancel()
            waiter.continuation.resume(throwing: Self.closed)
        }
    }

    private func lane(_ host: String, _ state: inout State) -> Lane {
        if let lane = state.lanes[host] { return lane }
        let lane = Lane(limit: width)
        state.lanes[host] = lane
        return lane
    }

    private func wait(for host: String, ticket: UInt64, deadline: NIODeadline) async throws -> Pass {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Pass, any Error>? = state.withLock { state in
                    // The cancellation handler below uses the same lock. It either ran before, which is visible here, or finds
                    // the continuation.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.isShutDown { return .failure(Self.closed) }
                    let lane = lane(host, &state)
                    let second = Self.second
                    // Other exchanges may have left since the ticket was issued.
                    if lane.isOpen(at: second) {
                        lane.enter(at: second)
                        return .success(Pass(host: host, second: second))
                    }
                    // A timer that fires at once waits for the lock, and then finds the waiter.
                    let timer: Scheduled<Void>? =
                        deadline == .distantFuture
                        ? nil
                        : OwnedClient.eventLoops.any().scheduleTask(deadline: deadline) { self.giveUp(host, ticket, Self.tooLate) }
                    lane.append(ticket, Waiter(continuation: continuation, timer: timer))
                    watch(lane, host)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            giveUp(host, ticket, CancellationError())
        }
    }

    /// Checks every second for long-lasting exchanges, while others wait.
    private func watch(_ lane: Lane, _ host: String) {
        guard !lane.isWatched else { return }
        lane.isWatched = true
        OwnedClient.eventLoops.any().scheduleTask(in: .seconds(1)) { [weak self] in self?.look(at: host) }
    }

    private func look(at host: String) {
        let second = Self.second
        let next = state.withLock { state -> [Waiter] in
            guard let lane = state.lanes[host] else { return [] }
            lane.isWatched = false
            let next = lane.admit(at: second)
            if !lane.waiting.isEmpty { watch(lane, host) }
            return next
        }
        resume(next, with: Pass(host: host, second: second))
    }

    /// - Parameter pass: The admission of the waiters.
    private func resume(_ waiters: [Waiter], with pass: Pass) {
        for waiter in waiters {
            waiter.timer?.cancel()
            waiter.continuation.resume(returning: pass)
        }
    }

    private func giveUp(_ host: String, _ ticket: UInt64, _ error: any Error) {
        let waiter = state.withLock { $0.lanes[host]?.remove(ticket) }
        waiter?.timer?.cancel()
        waiter?.continuation.resume(throwing: error)
    }

    private static let tooLate = TransportError(
        .timeout, detail: "all connections with the host were busy for too long", requestMayHaveBeenProcessed: false)

    private static let closed = TransportError(
        .shutDown, detail: "the transport was shut down", requestMayHaveBeenProcessed: false)

    private static var second: UInt64 { NIODeadline.now().uptimeNanoseconds / 1_000_000_000 }
}
