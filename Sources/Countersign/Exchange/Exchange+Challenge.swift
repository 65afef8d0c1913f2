internal import HTTPTypes

extension Exchange {
    /// A challenge, and which observer answers it.
    struct Challenge {
        /// The observer's place in ``Exchange/observers``.
        let index: Int
        /// The signature that matched.
        let signature: String
        /// Whether it is answered already.
        var isAnswered = false
        /// The beginning of the body, where it was looked at.
        var bodyPrefix: [UInt8]?
    }

    /// The first challenge that an observer sees in the response, whose head observers before it may have changed.
    ///
    /// Where the body has to tell, its beginning has to arrive in the exchange's time. A body that is later is no data: the response may be
    /// a login page, and to return one as data would be worse than an error.
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

    /// The beginning of the response's body, which stays there.
    private func bodyPrefix() async throws -> [UInt8]? {
        guard var body = response?.body else { return nil }
        let prefix = try await body.takePrefix(
            upTo: ExchangeContext.bodyPrefixLimit, within: deadline.remaining, clock: session.configuration.clock)
        guard let prefix else {
            throw CountersignError(
                .timedOut, detail: "the beginning of the body, which would tell a challenge from data, did not arrive in time",
                status: response?.head.status.code)
        }
        response?.body = body
        return prefix
    }

    /// The first challenge that an observer sees in an error, if that is the refusal of a connection for want of a client certificate.
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

    /// Has a challenge answered; on return the request may be sent again.
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
        // A login has a limit of its own: its time is not counted.
        let elapsed = deadline.elapsed
        defer { deadline.elapsed = elapsed }
        if observer is any FlightObserver {
            try await observer.recover(occurrence, in: context)
        } else {
            try await session.untilClosed { try await observer.recover(occurrence, in: context) }
        }
    }

    // What does not wait is apart: the frame of what waits would have room for all that it has, errors above all.

    /// A challenge, and the exchange, as the observer receives them.
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
    /// - Returns: `nil` if it is answered already.
    /// - Throws: ``CountersignError``, if there was one too many, or the user's session is over.
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
    /// - Returns: The error, with what is known of the request.
    @inline(never)
    private func unanswered(_ error: any Error, by observer: any SessionObserver) -> any Error {
        let status = response?.head.status.code
        report(.unanswered(code: SessionEvent.code(of: error), status: status), by: observer)
        return (error as? CountersignError)?.completed(origin: sent.origin, status: status) ?? error
    }

    @inline(never)
    private func verify(_ attempt: ObserverProgress.Attempt, by observer: any SessionObserver) throws {
        try session.requireCurrent(epoch)
        // The observer has had its say on a challenge that its recovery did not help against; a third send would not differ.
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
        CountersignError(.challengedAgain, detail: "the server went on challenging after \(observer.name) had answered")
    }

    @inline(never)
    private func report(_ kind: SessionEvent.Kind, by observer: any SessionObserver) {
        session.report(SessionEvent(kind, observer: observer.name, origin: sent.origin, requestMethod: request.head.method))
    }
}
