internal import Synchronization

extension Session {
    /// Ends the user's session: drops cookies and credentials, and discards running authentications.
    ///
    /// A request that was sent before still receives its response, but its cookies are not stored, and it is neither resent nor
    /// redirected. If that would be necessary, it fails with ``CountersignError/Code/sessionEnded``. So no request of one user is
    /// ever continued as the next user.
    public func endSession() { endSession(revoking: false) }

    /// Ends the user's session.
    ///
    /// - Parameters:
    ///   - user: The user's session to end; `nil` for the current one.
    ///   - isRevoking: Whether revocations are wanted.
    /// - Returns: The revocations that the observers with stores have at the end. ``logOut()`` asks other observers before it.
    ///   `nil` if the session of `user` has ended before.
    @discardableResult
    func endSession(of user: SessionEpoch? = nil, revoking isRevoking: Bool) -> [Revocation]? {
        let now = self.now()
        // The credentials end in one step with the epoch. So a request of the new epoch never carries an older generation, no
        // credential is committed for the former epoch any more, and none of the new epoch is dropped.
        typealias Ends = [ManagedCredential.End]
        let ended = state.withLock { state -> (observers: [any SessionObserver], authenticators: Ends, storing: Ends)? in
            guard state.epoch == user ?? state.epoch else { return nil }
            state.epoch.number += 1
            cookies.removeAll()
            let managers = state.observers.compactMap { ($0 as? any StoringObserver)?.credentials }
            return (
                state.observers, flights.managers.flatMap { $0.endWithSession(self, at: now) },
                managers.flatMap { $0.endWithSession(self, at: now) }
            )
        }
        guard let (observers, authenticators, storing) = ended else { return nil }
        for end in authenticators + storing { end.inform() }
        let revocations = isRevoking ? storing.flatMap(\.revocations) : []
        for observer in observers where !(observer is any StoringObserver) { observer.didEndSession(self) }
        report(SessionEvent(.ended))
        return revocations
    }

    /// Logs the user out: ends the session as ``endSession()`` does, waits until stores have deleted the credentials, and notifies
    /// the servers of methods with a revocation.
    ///
    /// All stores are waited for concurrently. When the first server is notified, no request carries a credential any more. All
    /// servers are notified once and concurrently, with the time limit ``SessionConfiguration/requestTimeout``. A method's logout
    /// page is shown for at most that time; its result has no effect locally. The user is logged out locally even if a server cannot
    /// be notified.
    ///
    /// Servers are also notified of credentials that no request has carried: those that a review has rejected, that a later login has
    /// overtaken, that belong to a login of which a later step has failed, and that a running login obtains nevertheless. The logout
    /// closes its page and waits for the response to its request, with the same time limit, but neither for a page nor for an
    /// application that ignores the cancellation. A credential that arrives later is revoked without being waited for.
    ///
    /// - Throws: The first failure, after all servers were notified: ``CountersignError`` with
    ///   ``CountersignError/Code/operationRefused`` if a server refused, with ``CountersignError/Code/credentialNotDeleted`` if a
    ///   store failed, with ``CountersignError/Code/timedOut`` if a store did not answer within
    ///   ``SessionConfiguration/flightTimeout``; ``TransportError``; `CancellationError`. A deletion that has begun continues.
    public func logOut() async throws {
        let observers = state.withLock(\.observers)
        var revocations: [Revocation] = []
        var failure: (any Error)?
        let storing = observers.compactMap { $0 as? any StoringObserver }
        for result in await concurrentResults(of: storing, { try await $0.storedRevocations(in: self) }) {
            do { revocations += try result.get() } catch { failure = failure ?? error }
        }
        revocations += observers.filter { !($0 is any StoringObserver) }.flatMap { $0.revocations(in: self) }
        // These include credentials that were obtained or adopted while the stores were read.
        revocations += endSession(revoking: true) ?? []
        // Observers that were registered while the stores were read have ended their credentials too.
        do { try await forget(at: [], by: state.withLock(\.observers)) } catch { failure = failure ?? error }
        // The logout may be a part of a flow that it has ended, whose requests are no longer sent.
        try await FlightScope.$current.withValue(nil) { try await tell(revocations) }
        if let failure { throw failure }
    }

    private func tell(_ revocations: [Revocation]) async throws {
        for result in await concurrentResults(of: revocations, { try await $0(self) }) { try result.get() }
    }

    /// The current user's session.
    var epoch: SessionEpoch { state.withLock(\.epoch) }

    /// Changes a cookie jar on behalf of `epoch`. Does nothing if that session has ended.
    ///
    /// - Parameters:
    ///   - change: The change, computed in advance, since no code of the application may run under the session's lock; `nil` for
    ///     none.
    ///   - jar: The jar; `nil` for the session's.
    /// - Returns: Whether `epoch` has not ended.
    @discardableResult
    func changeCookies(in epoch: SessionEpoch, _ change: CookieJar.Change?, of jar: CookieJar? = nil) -> Bool {
        state.withLock { state in
            guard state.epoch == epoch else { return false }
            if let change { (jar ?? cookies).make(change) }
            return true
        }
    }

    /// Runs a change on behalf of `epoch`, which does not end meanwhile. No code of the application may run in it.
    ///
    /// - Returns: The result of the change; `false` if `epoch` has ended.
    func changeCredential(in epoch: SessionEpoch, _ change: () -> Bool) -> Bool {
        state.withLock { state in state.epoch == epoch && change() }
    }

    /// Throws if an exchange of `epoch` must not send another request.
    @inline(never)
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
