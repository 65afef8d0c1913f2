internal import Logging
internal import Synchronization

extension Session {
    /// Stops accepting requests, cancels running requests or waits for them, and shuts the transport down if the session owns it.
    ///
    /// Requests that wait for an authentication also end. A login page closes when no request of another session waits for it.
    /// Stored credentials are kept for the next session. After an invalidation with `true`, no credential of this session is saved
    /// any more, unless it is the result of a running renewal, and the store still has the credential that the renewal has used.
    ///
    /// A request ends when its response's head has arrived. Read the body before calling this method, since shutting down the
    /// transport cuts it off.
    ///
    /// - Parameter cancelling: Whether running requests fail now with ``CountersignError/Code/sessionInvalidated``; otherwise this
    ///   method waits for them, and for renewals and adoptions of credentials until their results are stored. A store that does not
    ///   answer is waited for within ``SessionConfiguration/flightTimeout``. A session that is invalidated with `true` meanwhile ends
    ///   the wait; the cancellation of the calling task does not.
    public func invalidate(cancelling: Bool) async {
        let cancellations = state.withLock { state in
            state.phase = max(state.phase, cancelling ? .closed : .finishing)
            return cancelling ? Array(state.cancellations.values) : []
        }
        if cancelling {
            for cancel in cancellations { cancel() }
            flights.endSession(of: self)
            // Another invalidation may wait for a renewal, which nothing cancels.
            for waiter in state.withLock({ $0.takeIdleWaiters() }) { waiter.resume() }
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

    /// Counts a renewal, an adoption or a save of a credential that begins, for which ``invalidate(cancelling:)`` waits without cancelling.
    ///
    /// A process that ends after the invalidation could otherwise lose a refresh token that a server has already replaced. The end
    /// is counted by ``endSave()``.
    func beginSave() { state.withLock { $0.savesUnderWay += 1 } }

    /// Counts the end of a renewal, an adoption or a save.
    func endSave() {
        let waiters = state.withLock { state in
            state.savesUnderWay -= 1
            return state.takeIdleWaiters()
        }
        for waiter in waiters { waiter.resume() }
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
