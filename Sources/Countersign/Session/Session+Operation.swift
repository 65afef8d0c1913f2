internal import Synchronization

extension Session {
    /// Performs an operation of a landscape, such as a logout or the introspection of a token.
    ///
    /// Its requests carry the session's cookies. Observers take part only if the spec has `using: session`, so a logout never
    /// renews a token or opens a login page. Redirects are not followed.
    ///
    /// An operation that ends the user's session always ends it locally, even if the server cannot be reached. Cookies and tokens
    /// are dropped, and running requests cannot restore them. When this method returns or throws, stores have deleted the
    /// credentials, failed to, or not answered within ``SessionConfiguration/flightTimeout``. A user session that began meanwhile is
    /// kept.
    ///
    /// - Returns: The results of the operation.
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/operationRefused`` for an unexpected status, with
    ///   ``CountersignError/Code/answerRefused`` for an otherwise unexpected response, with
    ///   ``CountersignError/Code/insecureDestination`` for a server without encryption, with
    ///   ``CountersignError/Code/credentialNotDeleted`` if a store failed to delete a credential, with
    ///   ``CountersignError/Code/timedOut`` if it did not answer; the errors of ``send(_:task:)``. A failure of the server takes
    ///   precedence over one of a store.
    @discardableResult
    public func perform(_ operation: LandscapeOperation) async throws -> OperationResults {
        try await perform(operation, with: ProgramTools())
    }

    /// Performs an operation whose steps need tools.
    @_spi(Generated) @discardableResult
    public func perform(_ operation: LandscapeOperation, with tools: ProgramTools) async throws -> OperationResults {
        let epoch = epoch
        var results = OperationResults(values: [])
        var failure: (any Error)?
        do {
            results = try await ask(operation, with: tools)
        } catch {
            failure = error
        }
        if operation.ends == .userSession {
            do {
                try await endSession(of: epoch, at: operation.origins)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return results
    }

    private func ask(_ operation: LandscapeOperation, with tools: ProgramTools) async throws -> OperationResults {
        var run = StepRunner(operation.prepared(with: tools, publications), after: .none, in: self) { _ in }
        do {
            try await run.run(operation.steps, nil)
            let values = run.values
            return OperationResults(values: operation.results.map { values[$0] })
        } catch let refusal as CallRun.Refusal {
            throw CountersignError(
                .operationRefused, detail: "the server did not perform the operation '\(operation.name)'",
                requestMethod: refusal.call?.method, origin: refusal.origin, status: refusal.status)
        }
    }

    /// Ends the user's session without notifying the server, and waits until stores have deleted its credentials.
    ///
    /// - Parameter origin: An origin whose stored credential may not have been used in this process.
    /// - Throws: ``CountersignError`` if a store could not delete a credential, or did not answer in time; `CancellationError`.
    package func endSession(forgettingAt origin: Origin?) async throws {
        try await endSession(of: epoch, at: Set([origin].compactMap(\.self)))
    }

    /// Ends the user's session, unless it has already ended, and waits until stores have deleted its credentials.
    private func endSession(of epoch: SessionEpoch, at origins: Set<Origin>) async throws {
        let observers = state.withLock { $0.epoch == epoch ? $0.observers : nil }
        guard let observers, endSession(of: epoch, revoking: false) != nil else { return }
        try await forget(at: origins, by: observers)
    }

    /// Waits until stores have deleted the credentials of the user who has logged out.
    ///
    /// - Parameter origins: The origins whose stored credentials may not have been used in this process.
    func forget(at origins: Set<Origin>, by observers: [any SessionObserver]) async throws {
        // Without an origin, an observer deletes only the credentials that it has used.
        let places = origins.isEmpty ? [nil] : origins.map(Optional.some)
        let calls = observers.flatMap { observer in places.map { (observer: observer, origin: $0) } }
        for result in await concurrentResults(of: calls, { try await $0.observer.forget(at: $0.origin, in: self) }) {
            try result.get()
        }
    }
}
