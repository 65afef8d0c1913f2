internal import Synchronization

extension Session {
    /// Does an operation of a landscape, such as a logout or the introspection of a token.
    ///
    /// Its requests carry the session's cookies. No observer takes part in them, unless the spec says `using: session`: a logout neither
    /// renews a token nor opens a login page, whatever the server answers. Redirects are not followed.
    ///
    /// If the operation ends the user's session, that happens here in any case, after the server's answer or after the lack of one:
    /// a user who logs out while offline has to be logged out. Cookies and tokens are dropped, and what was under way does not
    /// bring them back. When this method returns or throws, stores have been asked to forget, too. If another session of a user
    /// began meanwhile, that one stays.
    ///
    /// - Returns: What the operation has found out.
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/operationRefused`` for a status that the operation does not expect, with
    ///   ``CountersignError/Code/answerRefused`` for another answer, with ``CountersignError/Code/insecureDestination`` for a server that
    ///   would be asked unencrypted, with ``CountersignError/Code/credentialNotDeleted`` if a store failed to forget; what ``send(_:task:)`` throws. The server's failure
    ///   comes before the store's.
    @discardableResult
    public func perform(_ operation: LandscapeOperation) async throws -> OperationResults {
        try await perform(operation, with: ProgramTools())
    }

    /// The same for an operation whose steps need tools.
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
                .operationRefused, detail: "the server did not do the operation '\(operation.name)'",
                requestMethod: refusal.call?.method, origin: refusal.origin, status: refusal.status)
        }
    }

    /// Ends the user's session without a word to the server, and waits until stores have forgotten.
    ///
    /// - Parameter origin: Where a credential may be stored that nothing was sent with in this process.
    /// - Throws: ``CountersignError`` if a store keeps what it should forget.
    package func endSession(forgettingAt origin: Origin?) async throws {
        try await endSession(of: epoch, at: Set([origin].compactMap(\.self)))
    }

    /// Ends the user's session, unless that has happened, and waits until stores have forgotten.
    private func endSession(of epoch: SessionEpoch, at origins: Set<Origin>) async throws {
        let observers = state.withLock { $0.epoch == epoch ? $0.observers : nil }
        guard let observers else { return }
        endSession()
        var failure: (any Error)?
        for observer in observers {
            // Without a place, an observer forgets what it has used.
            for origin in origins.isEmpty ? [nil] : origins.map(Optional.some) {
                do {
                    try await observer.forget(at: origin, in: self)
                } catch {
                    failure = failure ?? error
                }
            }
        }
        if let failure { throw failure }
    }
}
