#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Logging
internal import Synchronization

/// Sends requests and answers the challenges that come back.
///
/// A session keeps one user's cookies, asks its observers in the order of their registration, and resends a challenged request once the
/// challenge is answered. However many requests are challenged at once, a method authenticates once.
///
/// ```swift
/// let session = Session(transport: transport)
/// session.register(observer)
/// let response = try await session.send(SessionRequest(HTTPRequest(url: url)))
/// ```
///
/// **Who closes what.** A session owns the transport that it is given, and ``invalidate(cancelling:)`` shuts it down; a transport that
/// others use too is given with `ownsTransport: false` and stays open. Observers and authenticators do not keep a session alive.
public final class Session: Sendable {
    /// What the session was made with.
    public let configuration: SessionConfiguration
    /// The way to servers.
    public let transport: any HTTPTransport
    /// The user's cookies.
    public let cookies: CookieJar
    /// Whether ``invalidate(cancelling:)`` shuts the transport down.
    public let ownsTransport: Bool

    /// The authentications that run for this session.
    let flights = SessionFlights()
    /// The time since the session was made.
    let now: @Sendable () -> Duration
    private let state = Mutex(SessionState())

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - configuration: Limits, presenter, logger.
    ///   - transport: The way to servers.
    ///   - cookies: The jar to use, for instance one that knows the public suffixes; an empty one by default.
    ///   - ownsTransport: Whether the session shuts the transport down when it is invalidated. Give `false` for a transport that
    ///     others use too; each exchange then runs in a task of its own, so that it can be cancelled without closing what others use.
    public init(
        configuration: SessionConfiguration = .init(), transport: any HTTPTransport, cookies: CookieJar = CookieJar(),
        ownsTransport: Bool = true
    ) {
        self.configuration = configuration
        self.transport = transport
        self.cookies = cookies
        self.ownsTransport = ownsTransport
        now = Self.stopwatch(configuration.clock)
    }

    private static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}

// MARK: - Sending

extension Session {
    /// Sends a request; the final response streams.
    ///
    /// - Parameters:
    ///   - request: What to send. A `Cookie` field of the caller's own is sent as it is and keeps the jar's cookies out of this request.
    ///   - task: An object that stands for the whole exchange; it reaches observers as ``ExchangeContext/task``.
    /// - Throws: the error of the method that could not answer a challenge; ``CountersignError``; ``TransportError``;
    ///   `CancellationError`.
    public func send(_ request: SessionRequest, task: (any Sendable & AnyObject)? = nil) async throws -> SessionResponse {
        let admission = try admit(request)
        defer { leave() }
        do {
            if ownsTransport {
                var exchange = try Exchange(request, in: self, admission: admission, task: task)
                return try await exchange.run()
            }
            return try await sendInTask(request, admission: admission, task: task)
        } catch {
            // Whatever an invalidated session's exchange ran into, its end is the reason; a caller that was cancelled knows its own.
            guard isClosed, !Task.isCancelled else { throw error }
            throw Self.invalidated(request)
        }
    }

    private func sendInTask(
        _ request: SessionRequest, admission: Admission, task: (any Sendable & AnyObject)?
    ) async throws -> SessionResponse {
        let work = Task {
            var exchange = try Exchange(request, in: self, admission: admission, task: task)
            return try await exchange.run()
        }
        let (number, isClosed) = state.withLock { state in
            state.nextTask += 1
            state.tasks[state.nextTask] = work
            return (state.nextTask, state.phase == .closed)
        }
        defer { state.withLock { $0.tasks[number] = nil } }
        if isClosed { work.cancel() }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }

    private func admit(_ request: SessionRequest) throws -> Admission {
        try state.withLock { state in
            // What a flow sends belongs to the exchanges that wait for the flow, so a session that finishes still takes it.
            guard state.phase == .open || (state.phase == .finishing && FlightScope.current != nil) else {
                throw Self.invalidated(request)
            }
            state.exchangesUnderWay += 1
            return Admission(observers: state.observers, epoch: state.epoch)
        }
    }

    private func leave() {
        let waiters = state.withLock { state in
            state.exchangesUnderWay -= 1
            return state.takeIdleWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    private static func invalidated(_ request: SessionRequest) -> CountersignError {
        CountersignError(
            .sessionInvalidated, detail: "the session was invalidated and takes no more requests",
            requestMethod: request.head.method.rawValue, origin: request.head.url.flatMap { Origin($0) })
    }
}

// MARK: - Observers

extension Session {
    /// Adds an observer, after those that are there.
    ///
    /// - Precondition: The same instance is not registered. Registering it twice is a programming error and stops the program with a
    ///   message that names the observer: a silent second one would answer every challenge twice.
    public func register(_ observer: any SessionObserver) {
        let isNew = state.withLock { state in
            guard !state.observers.contains(where: { $0 === observer }) else { return false }
            state.observers.append(observer)
            return true
        }
        guard isNew else {
            let message = "\(observer.name) is registered on this session already; register each observer once"
            // An optimized build drops a precondition's message, the log keeps it.
            configuration.logger?.critical("\(message)")
            preconditionFailure(message)
        }
        observer.didRegister(on: self)
    }

    /// Takes an observer off the session; it forgets what it knows of it. Does nothing for one that is not registered.
    public func unregister(_ observer: any SessionObserver) {
        let wasThere = state.withLock { state in
            guard let index = state.observers.firstIndex(where: { $0 === observer }) else { return false }
            state.observers.remove(at: index)
            return true
        }
        if wasThere { observer.didEndSession(self) }
    }

    /// Whether an observer is registered.
    func isRegistered(_ observer: any SessionObserver) -> Bool {
        state.withLock { $0.observers.contains { $0 === observer } }
    }
}

// MARK: - The user's session

extension Session {
    /// Ends the user's session: cookies and credentials are dropped, running authentications discarded.
    ///
    /// A request that was sent before gets its response, but is neither resent nor redirected any more, and its cookies no longer enter
    /// the jar: it ends with ``CountersignError/Code/sessionEnded``, so that nothing of one user is ever done as the next.
    public func endSession() {
        // First the generations, then the epoch: a request of the new epoch never carries a generation that counts as an older one.
        flights.endSession()
        let observers = state.withLock { state in
            state.epoch.number += 1
            cookies.removeAll()
            return state.observers
        }
        for observer in observers { observer.didEndSession(self) }
        report(SessionEvent(.ended))
    }

    /// The user's session now.
    var epoch: SessionEpoch { state.withLock(\.epoch) }

    /// Changes the jar on behalf of `epoch`, or does nothing if that has ended.
    ///
    /// - Returns: Whether the change was made.
    @discardableResult
    func changeCookies(in epoch: SessionEpoch, _ change: (CookieJar) -> Void) -> Bool {
        state.withLock { state in
            guard state.epoch == epoch else { return false }
            change(cookies)
            return true
        }
    }

    /// Checks that an exchange of `epoch` may send once more.
    func requireCurrent(_ epoch: SessionEpoch) throws {
        let (current, phase) = state.withLock { ($0.epoch, $0.phase) }
        guard phase != .closed else {
            throw CountersignError(.sessionInvalidated, detail: "the session was invalidated while the request was on its way")
        }
        guard current == epoch else {
            throw CountersignError(.sessionEnded, detail: "the user's session ended while the request was on its way")
        }
    }
}

// MARK: - The session's end

extension Session {
    /// Takes no more requests, ends those under way or lets them end, and shuts the transport down if the session owns it.
    ///
    /// A response whose head has arrived counts as ended: read its body before, or the transport's end cuts it off.
    ///
    /// - Parameter cancelling: Whether requests under way end now, with ``CountersignError/Code/sessionInvalidated``; otherwise this
    ///   method waits for them.
    public func invalidate(cancelling: Bool) async {
        let tasks = state.withLock { state in
            state.phase = max(state.phase, cancelling ? .closed : .finishing)
            return cancelling ? Array(state.tasks.values) : []
        }
        if cancelling {
            for task in tasks { task.cancel() }
            flights.endSession()
        } else {
            await idle()
        }
        await shutDownTransport()
    }

    private var isClosed: Bool { state.withLock { $0.phase == .closed } }

    private func idle() async {
        await withCheckedContinuation { continuation in
            let waiters = state.withLock { state in
                state.idleWaiters.append(continuation)
                return state.takeIdleWaiters()
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    private func shutDownTransport() async {
        guard ownsTransport else { return }
        let isFirst = state.withLock { state in
            defer { state.isTransportShutDown = true }
            return !state.isTransportShutDown
        }
        guard isFirst else { return }
        do {
            try await transport.shutdown()
        } catch {
            configuration.logger?.info("the transport did not shut down", metadata: ["error": "\(type(of: error))"])
        }
    }
}

// MARK: - Events

extension Session {
    /// Tells the event observers and the logger.
    public func report(_ event: SessionEvent) {
        for observer in configuration.eventObservers { observer.observe(event) }
        if let logger = configuration.logger { event.log(to: logger) }
    }
}
