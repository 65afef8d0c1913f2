internal import HTTPTypes

extension Exchange {
    /// A challenge, and the observer that answers it.
    struct Challenge {
        /// The observer's index in ``Exchange/observers``.
        let index: Int
        /// The name of the matching signature.
        let signature: String
        /// Whether the next attachment answers it without a recovery.
        var isAnswered = false
        /// The beginning of the body, if an observer needed it.
        var bodyPrefix: [UInt8]?
    }

    /// Returns the first challenge that an observer recognises in the response. Earlier observers may have replaced the
    /// response's head.
    ///
    /// If an observer needs the body, its beginning has to arrive within the exchange's time limit. Otherwise the exchange fails:
    /// the response may be a login page, which must not be returned as data.
    func challenge() async throws -> Challenge? {
        guard !observers.isEmpty, var head = response?.head else { return nil }
        if let leg { return leg }
        var context = context
        if observers.contains(where: { $0.needsBody(of: head, in: context) }) { context.bodyPrefix = try await bodyPrefix() }
        for index in observers.indices {
            context.carried = progress[index].carried
            switch await observers[index].classify(head, in: context) {
            case .pass: continue
            case .challenge(let signature):
                return Challenge(index: index, signature: signature, bodyPrefix: context.bodyPrefix)
            case .resend(let signature):
                return Challenge(index: index, signature: signature, isAnswered: true, bodyPrefix: context.bodyPrefix)
            case .replace(let other):
                head = other
                response?.head = other
            case .refuse(let error):
                response?.body.cancel()
                throw error
            }
        }
        return nil
    }

    /// Returns the beginning of the response's body, and leaves the body complete.
    private func bodyPrefix() async throws -> [UInt8]? {
        guard var body = response?.body else { return nil }
        let prefix = try await body.takePrefix(
            upTo: ExchangeContext.maximumBodyPrefixSize, within: deadline.remaining, clock: session.configuration.clock)
        guard let prefix else {
            throw CountersignError(
                .timedOut,
                detail: "the beginning of the body, which shows whether the response is a challenge, did not arrive in time",
                status: response?.head.status.code)
        }
        response?.body = body
        return prefix
    }

    /// Returns the first challenge that an observer recognises in an error, if the server refused the connection because it
    /// requires a client certificate.
    @inline(never)
    func challenge(in error: any Error) -> Challenge? {
        guard let refusal = error as? TransportError, refusal.reason == .clientCertificate else { return nil }
        var context = context
        for index in observers.indices {
            context.carried = progress[index].carried
            guard let signature = observers[index].classify(refusal: refusal, in: context) else { continue }
            return Challenge(index: index, signature: signature)
        }
        return nil
    }

    /// Has a challenge answered. On return, the request may be sent again.
    @inline(never)
    func answer(_ challenge: Challenge) async throws {
        let observer = observers[challenge.index]
        report(.challenged(signature: challenge.signature), by: observer)
        do {
            try requireReplayable(for: observer)
            await discardBody()
            if let attempt = try attempt(challenge) {
                try await recover(with: observer, from: challenge, isRepeated: attempt.isRepeated)
                try verify(attempt, by: observer)
            }
        } catch {
            throw unanswered(error, by: observer)
        }
        report(.resent, by: observer)
    }

    private func recover(
        with observer: any SessionObserver, from challenge: Challenge, isRepeated: Bool
    ) async throws {
        let (occurrence, context) = occurrence(of: challenge, isRepeated: isRepeated)
        // The time of a login is not counted, since a login has its own limit.
        let elapsed = deadline.elapsed
        defer { deadline.elapsed = elapsed }
        if observer is any FlightObserver {
            try await observer.recover(occurrence, in: context)
        } else {
            try await session.untilClosed { try await observer.recover(occurrence, in: context) }
        }
    }

    // Code that does not wait is in separate functions, since the frames of waiting functions would otherwise reserve space for
    // all its variables, in particular for errors.

    /// Returns the challenge and the exchange, as the observer receives them.
    @inline(never)
    private func occurrence(of challenge: Challenge, isRepeated: Bool) -> (ChallengeOccurrence, ExchangeContext) {
        let occurrence = ChallengeOccurrence(
            signature: challenge.signature, generation: progress[challenge.index].carried, isRepeated: isRepeated,
            response: response?.head)
        var context = context
        context.bodyPrefix = challenge.bodyPrefix
        return (occurrence, context)
    }

    /// Counts a challenge.
    ///
    /// - Returns: The attempt; `nil` if the next attachment answers the challenge.
    /// - Throws: ``CountersignError`` if there were too many challenges, or if the user's session has ended.
    @inline(never)
    private func attempt(_ challenge: Challenge) throws -> ObserverProgress.Attempt? {
        try session.requireCurrent(epoch)
        if challenge.isAnswered {
            guard progress[challenge.index].noteResend() else { throw challengedAgain(observers[challenge.index]) }
            return nil
        }
        let attempt = progress[challenge.index].noteChallenge(from: sent.origin)
        guard attempt.number <= session.configuration.maximumAuthentications else {
            throw challengedAgain(observers[challenge.index])
        }
        return attempt
    }

    /// Reports that a challenge was not answered.
    ///
    /// - Returns: The error, completed with the origin and the status code.
    @inline(never)
    private func unanswered(_ error: any Error, by observer: any SessionObserver) -> any Error {
        let status = response?.head.status.code
        report(.unanswered(code: SessionEvent.code(of: error), status: status), by: observer)
        return (error as? CountersignError)?.completed(origin: sent.origin, status: status) ?? error
    }

    @inline(never)
    private func verify(_ attempt: ObserverProgress.Attempt, by observer: any SessionObserver) throws {
        try session.requireCurrent(epoch)
        // After a recovery without effect, the observer was called once more and could throw its own error. A third send would
        // not differ.
        guard !attempt.isStuck else { throw challengedAgain(observer) }
    }

    @inline(never)
    private func requireReplayable(for observer: any SessionObserver) throws {
        guard !request.body.isReplayable else { return }
        response?.body.cancel()
        throw CountersignError(
            .bodyNotReplayable, detail: "\(observer.name) was challenged, and the request's body cannot be sent a second time")
    }

    private func challengedAgain(_ observer: any SessionObserver) -> CountersignError {
        CountersignError(.challengedAgain, detail: "the server sent another challenge after \(observer.name) had answered")
    }

    @inline(never)
    private func report(_ kind: SessionEvent.Kind, by observer: any SessionObserver) {
        session.report(SessionEvent(kind, observer: observer.name, origin: sent.origin, requestMethod: request.head.method))
    }
}
