internal import Countersign
internal import Foundation
internal import Synchronization
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The sessions of a transport, and its running exchanges.
///
/// A session checks pins and presents a certificate only when it opens a connection. Therefore requests share a session, and thereby
/// connections, only if these are equal.
final class OwnedSessions: Sendable {
    /// The properties that distinguish connections.
    private struct Key: Hashable {
        let pins: ServerPins?
        let identity: ConnectionIdentity?
        let isAuthentication: Bool
    }

    private struct OwnedSession {
        let session: URLSession
        let delegate: SessionDelegate
    }

    private struct State {
        var pooled: [Key: OwnedSession] = [:]
        /// The keys of the sessions, the latest created last.
        var order: [Key] = []
        var exchanges: [ObjectIdentifier: DataExchange] = [:]
        var isShutDown = false
    }

    /// The number of sessions that are kept. An identity or pins that are no longer used need none.
    private static let maximumSessions = 16

    private let configuration: URLSessionTransport.Configuration
    private let state = Mutex(State())

    init(configuration: URLSessionTransport.Configuration) {
        precondition(configuration.maximumConnectionsPerHost > 0, "a transport needs at least one connection for each host")
        precondition(configuration.maximumUnreadSize > 0, "a transport needs at least one byte of memory for each response")
        self.configuration = configuration
    }

    /// Records an exchange that starts later, so that a shutdown ends it.
    ///
    /// - Throws: `TransportError` after a shutdown.
    func admit(_ exchange: DataExchange) throws {
        try state.withLock { state in
            guard !state.isShutDown else { throw Self.shutDown(requestMayHaveBeenProcessed: false) }
            state.exchanges[ObjectIdentifier(exchange)] = exchange
        }
    }

    /// Removes an exchange that has ended.
    func remove(_ exchange: DataExchange) { state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = nil } }

    /// Starts an exchange.
    ///
    /// - Throws: `TransportError` after a shutdown, and for an identity that cannot be read.
    func start(_ exchange: DataExchange, for request: SessionRequest, to target: RequestTarget) throws {
        let message = try URLRequest(request, target: target, idleTimeout: configuration.idleTimeout, upload: exchange.upload)
        let key = Key(pins: request.pins, identity: request.identity, isAuthentication: Session.isAuthenticating)
        let needsNewConnection = request.needsNewConnection || !DataExchange.mayShareConnection(request)
        // A task must not be made of an invalidated session, which stops the program. Therefore sessions are invalidated under the
        // same lock.
        try state.withLock { state in
            guard !state.isShutDown else { throw Self.shutDown(requestMayHaveBeenProcessed: false) }
            guard !exchange.hasEnded else { return }
            let owned = needsNewConnection ? try makeSession(key) : try pooled(key, &state)
            let task = owned.session.dataTask(with: message)
            owned.delegate.add(exchange, as: task.taskIdentifier)
            // The exchange may end at once, in another thread, which then waits for this lock.
            state.exchanges[ObjectIdentifier(exchange)] = exchange
            exchange.start(task, maximumUnreadSize: configuration.maximumUnreadSize) { [weak self] in self?.remove(exchange) }
            if needsNewConnection { owned.session.finishTasksAndInvalidate() }
        }
    }

    /// Closes all sessions after their exchanges.
    func finish() {
        state.withLock { state in
            state.isShutDown = true
            for owned in state.pooled.values { owned.session.finishTasksAndInvalidate() }
            state.pooled = [:]
            state.order = []
        }
    }

    /// Ends all exchanges, and closes all sessions.
    func shutDown() {
        let exchanges = state.withLock { state in
            state.isShutDown = true
            defer { state.exchanges = [:] }
            return Array(state.exchanges.values)
        }
        for exchange in exchanges { exchange.fail(Self.shutDown(requestMayHaveBeenProcessed: exchange.hasStarted)) }
        finish()
    }

    private func pooled(_ key: Key, _ state: inout State) throws -> OwnedSession {
        if let owned = state.pooled[key] { return owned }
        let owned = try makeSession(key)
        state.pooled[key] = owned
        state.order.append(key)
        if state.order.count > Self.maximumSessions {
            state.pooled.removeValue(forKey: state.order.removeFirst())?.session.finishTasksAndInvalidate()
        }
        return owned
    }

    private func makeSession(_ key: Key) throws -> OwnedSession {
        #if canImport(Security)
        let trust = try ServerTrust(
            pins: key.pins, identity: key.identity, additionalTrustRoots: configuration.additionalTrustRoots)
        let delegate = SessionDelegate(trust: trust)
        #else
        let delegate = SessionDelegate()
        #endif
        let queue = OperationQueue()
        queue.name = "countersign.url-session"
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(configuration: .transport(configuration), delegate: delegate, delegateQueue: queue)
        return OwnedSession(session: session, delegate: delegate)
    }

    private static func shutDown(requestMayHaveBeenProcessed: Bool) -> TransportError {
        TransportError(
            .shutDown, detail: "the transport was shut down", requestMayHaveBeenProcessed: requestMayHaveBeenProcessed)
    }
}
