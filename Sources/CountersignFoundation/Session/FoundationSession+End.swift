internal import Countersign
internal import Synchronization

// The ends of the user's session and of the session object.

extension FoundationSession {
    /// Ends the user's session by dropping cookies and credentials. The session accepts requests of the next user.
    public func endSession() { session.endSession() }

    /// Logs the user out: ends the user's session, and notifies the servers of methods with a revocation. See `Session.logOut()`.
    ///
    /// - Throws: The error of a server that could not be notified, or of a store that could not delete a credential. The user is
    ///   logged out locally nevertheless.
    public func logOut() async throws { try await session.logOut() }

    /// Stops accepting requests, waits for running tasks, then closes the connections.
    ///
    /// Bodies of ``bytes(for:)`` are not waited for. Read them before calling this method.
    public func finishTasksAndInvalidate() {
        let isIdle = state.withLock { state in
            state.isValid = false
            return state.isIdle
        }
        if isIdle { close(cancelling: false) }
    }

    /// Stops accepting requests, cancels running tasks, and closes the connections.
    public func invalidateAndCancel() {
        let tasks = state.withLock { state in
            state.isValid = false
            state.isCancelled = true
            return Array(state.tasksUnderWay.values)
        }
        for task in tasks { task.cancel() }
        close(cancelling: true)
    }

    private func close(cancelling: Bool) {
        Task { [session] in await session.invalidate(cancelling: cancelling) }
    }

    /// Registers a started task; returns `false` if the session accepts no more requests.
    func begin(_ task: FoundationSessionTask) -> Bool {
        state.withLock { state in
            guard state.takesRequests else { return false }
            state.tasksUnderWay[task.taskIdentifier] = task
            return true
        }
    }

    /// Counts a started request without a task; returns `false` if the session accepts no more requests.
    func beginRequest() -> Bool {
        state.withLock { state in
            guard state.takesRequests else { return false }
            state.requestsUnderWay += 1
            return true
        }
    }

    func endRequest() {
        let isLast = state.withLock { state in
            state.requestsUnderWay -= 1
            return !state.isValid && state.isIdle
        }
        if isLast { close(cancelling: false) }
    }

    /// Removes an ended task.
    func end(_ task: FoundationSessionTask) {
        let isLast = state.withLock { state in
            let wasUnderWay = state.tasksUnderWay.removeValue(forKey: task.taskIdentifier) != nil
            return wasUnderWay && !state.isValid && state.isIdle
        }
        if isLast { close(cancelling: false) }
    }
}
