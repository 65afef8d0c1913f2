internal import Logging
internal import Synchronization

extension Session {
    /// Stops accepting requests, cancels running requests or waits for them, and shuts the transport down if the session owns it.
    ///
    /// Requests that wait for an authentication also end. A login page closes when no request of another session waits for it.
    /// Stored credentials are kept for the next session.
    ///
    /// A request ends when its response's head has arrived. Read the body before calling this method, since shutting down the
    /// transport cuts it off.
    ///
    /// - Parameter cancelling: Whether running requests fail now with ``CountersignError/Code/sessionInvalidated``; otherwise this
    ///   method waits for them.
    public func invalidate(cancelling: Bool) async {
        let cancellations = state.withLock { state in
            state.phase = max(state.phase, cancelling ? .closed : .finishing)
            return cancelling ? Array(state.cancellations.values) : []
        }
        if cancelling {
            for cancel in cancellations { cancel() }
            flights.endSession(of: self)
        } else {
            await idle()
        }
        await shutDownTransport()
    }

    /// Whether running requests have been cancelled.
    var isClosed: Bool { state.withLock { $0.phase == .closed } }

    private func idle() async {
        await withCheckedContinuation { continuation in
            let waiters = state.withLock { state in
                state.idleWaiters.append(continuation)
                return state.takeIdleWaiters()
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    /// Shuts the transport down once. Later calls wait for the same shutdown.
    private func shutDownTransport() async {
        guard ownsTransport else { return }
        let shutdown = state.withLock { [transport, logger = configuration.logger] state in
            if let shutdown = state.transportShutdown { return shutdown }
            let shutdown = Task {
                do {
                    try await transport.shutdown()
                } catch {
                    logger?.info("the transport did not shut down", metadata: ["error": "\(type(of: error))"])
                }
            }
            state.transportShutdown = shutdown
            return shutdown
        }
        await shutdown.value
    }
}
