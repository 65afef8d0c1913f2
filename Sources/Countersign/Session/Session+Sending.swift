#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

extension Session {
    /// Sends a request, answers its challenges, and returns the final response with a streaming body.
    ///
    /// - Parameters:
    ///   - request: The request. A `Cookie` field of the caller is sent unchanged and replaces the jar's cookies in this request.
    ///   - task: An object for the whole exchange, which observers receive as ``ExchangeContext/task``.
    /// - Throws: The error of the method that failed to answer a challenge; ``CountersignError``; ``TransportError``;
    ///   `CancellationError`.
    public func send(_ request: SessionRequest, task: (any Sendable & AnyObject)? = nil) async throws -> SessionResponse {
        try await send(request, task: task, involvingObservers: true)
    }

    /// The same, with the observers or without them.
    func send(
        _ request: SessionRequest, task: (any Sendable & AnyObject)? = nil, involvingObservers: Bool
    ) async throws -> SessionResponse {
        guard let identifier = request.bypassIdentifier, let scope = state.withLock({ $0.bypasses[identifier] }) else {
            return try await sendNow(request, task: task, involvingObservers: involvingObservers)
        }
        return try await FlightScope.$current.withValue(scope) {
            try await sendNow(request, task: task, involvingObservers: involvingObservers)
        }
    }

    private func sendNow(
        _ request: SessionRequest, task: (any Sendable & AnyObject)?, involvingObservers: Bool
    ) async throws -> SessionResponse {
        let admission = try admit(request, involvingObservers: involvingObservers)
        defer { leave() }
        do {
            if ownsTransport {
                return try await exchange(request, admission: admission, task: task).run()
            }
            return try await sendInTask(request, admission: admission, task: task)
        } catch {
            // Whatever an invalidated session's exchange ran into, its end is the reason; a cancelled caller knows its own.
            guard isClosed, !Task.isCancelled else { throw error }
            throw Self.invalidated(request)
        }
    }

    private func sendInTask(
        _ request: SessionRequest, admission: Admission, task: (any Sendable & AnyObject)?
    ) async throws -> SessionResponse {
        try await untilClosed { [self] in
            try await exchange(request, admission: admission, task: task).run()
        }
    }

    @inline(never)
    private func exchange(
        _ request: SessionRequest, admission: Admission, task: (any Sendable & AnyObject)?
    ) throws -> Exchange {
        try Exchange(request, in: self, admission: admission, task: task)
    }

    /// Does work in a task of its own, which ``invalidate(cancelling:)`` cancels.
    func untilClosed<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let work = Task { try await work() }
        let number = addCancellation { work.cancel() }
        defer { removeCancellation(number) }
        if isClosed { work.cancel() }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }

    /// Has ``invalidate(cancelling:)`` call what cancels work. A session that is closed already does not: ask ``isClosed`` afterwards.
    ///
    /// - Returns: Its number, for ``removeCancellation(_:)``.
    func addCancellation(_ cancel: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.nextCancellation += 1
            state.cancellations[state.nextCancellation] = cancel
            return state.nextCancellation
        }
    }

    func removeCancellation(_ number: UInt64) { state.withLock { $0.cancellations[number] = nil } }

    @inline(never)
    private func admit(_ request: SessionRequest, involvingObservers: Bool) throws -> Admission {
        try state.withLock { state in
            // What a flow sends belongs to the exchanges that wait for the flow, so a session that finishes still takes it.
            guard state.phase == .open || (state.phase == .finishing && Self.isInsideFlow) else {
                throw Self.invalidated(request)
            }
            state.exchangesUnderWay += 1
            return Admission(observers: involvingObservers ? state.observers : [], epoch: state.epoch)
        }
    }

    @inline(never)
    private func leave() {
        let waiters = state.withLock { state in
            state.exchangesUnderWay -= 1
            return state.takeIdleWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    @inline(never)
    private static func invalidated(_ request: SessionRequest) -> CountersignError {
        CountersignError(
            .sessionInvalidated, detail: "the session was invalidated and takes no more requests",
            requestMethod: request.head.method.rawValue, origin: request.head.url.flatMap { Origin($0) })
    }
}
