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

    /// The first challenge that an observer sees in a response, whose head observers before it may have changed.
    ///
    /// Where the body has to tell, its beginning has to arrive in the exchange's time. A body that is later is no data: the response may be
    /// a login page, and to return one as data would be worse than an error.
    func challenge(in response: inout SessionResponse) async throws -> Challenge? {
        guard !observers.isEmpty else { return nil }
        if let leg { return leg }
        var context = context
        if observers.contains(where: { $0.needsBody(of: response.head, in: context) }) {
            let prefix = try await response.body.takePrefix(
                upTo: ExchangeContext.bodyPrefixLimit, within: deadline.remaining, clock: session.configuration.clock)
            guard let prefix else {
                throw CountersignError(
                    .timedOut, detail: "the beginning of the body, which would tell a challenge from data, did not arrive in time",
                    status: response.head.status.code)
            }
            context.bodyPrefix = prefix
        }
        for index in observers.indices {
            context.carried = progress[index].carried
            switch await observers[index].classify(response.head, in: context) {
            case .pass: continue
            case .challenge(let signature):
                return Challenge(index: index, signature: signature, bodyPrefix: context.bodyPrefix)
            case .resend(let signature):
                return Challenge(index: index, signature: signature, isAnswered: true, bodyPrefix: context.bodyPrefix)
            case .replace(let head): response.head = head
            case .refuse(let error):
                response.body.cancel()
                throw error
            }
        }
        return nil
    }

    /// The first challenge that an observer sees in the refusal of a connection.
    func challenge(in refusal: TransportError) -> Challenge? {
        var context = context
        for index in observers.indices {
            context.carried = progress[index].carried
            guard let signature = observers[index].classify(refusal: refusal, in: context) else { continue }
            return Challenge(index: index, signature: signature)
        }
        return nil
    }

    /// Has a challenge answered; on return the request may be sent again.
    ///
    /// - Parameter response: What the challenge came in; `nil` if the connection was refused.
    func answer(_ challenge: Challenge, in response: SessionResponse?) async throws {
        let observer = observers[challenge.index]
        report(.challenged(signature: challenge.signature), by: observer)
        do {
            try await recover(with: observer, from: challenge, in: response)
        } catch {
            let status = response?.head.status.code
            report(.unanswered(code: SessionEvent.code(of: error), status: status), by: observer)
            throw (error as? CountersignError)?.completed(origin: sent.origin, status: status) ?? error
        }
        report(.resent, by: observer)
    }

    private func recover(
        with observer: any SessionObserver, from challenge: Challenge, in response: SessionResponse?
    ) async throws {
        guard request.body.isReplayable else {
            response?.body.cancel()
            throw notReplayable(observer)
        }
        if let response { await discard(response.body) }
        try session.requireCurrent(epoch)
        if challenge.isAnswered {
            guard progress[challenge.index].noteResend() else { throw challengedAgain(observer) }
            return
        }
        let attempt = progress[challenge.index].noteChallenge(from: sent.origin)
        guard attempt.number <= session.configuration.maximumAuthentications else { throw challengedAgain(observer) }
        try await recover(with: observer, from: occurrence(of: challenge, in: response, isRepeated: attempt.isRepeated))
        try session.requireCurrent(epoch)
        // The observer has had its say on a challenge that its recovery did not help against; a third send would not differ.
        guard !attempt.isStuck else { throw challengedAgain(observer) }
    }

    /// A challenge, and the exchange, as the observer receives them.
    private func occurrence(
        of challenge: Challenge, in response: SessionResponse?, isRepeated: Bool
    ) -> (ChallengeOccurrence, ExchangeContext) {
        let occurrence = ChallengeOccurrence(
            signature: challenge.signature, generation: progress[challenge.index].carried, isRepeated: isRepeated,
            response: response?.head)
        var context = context
        context.bodyPrefix = challenge.bodyPrefix
        return (occurrence, context)
    }

    private func recover(
        with observer: any SessionObserver, from challenge: (occurrence: ChallengeOccurrence, context: ExchangeContext)
    ) async throws {
        try await pausing { [session] in
            try await session.untilClosed { try await observer.recover(challenge.occurrence, in: challenge.context) }
        }
    }

    // Errors are made apart: the frame of what waits would have room for them.

    @inline(never)
    private func notReplayable(_ observer: any SessionObserver) -> CountersignError {
        CountersignError(
            .bodyNotReplayable, detail: "\(observer.name) was challenged, and the request's body cannot be sent a second time")
    }

    @inline(never)
    private func challengedAgain(_ observer: any SessionObserver) -> CountersignError {
        CountersignError(.challengedAgain, detail: "the server went on challenging after \(observer.name) had answered")
    }

    private func report(_ kind: SessionEvent.Kind, by observer: any SessionObserver) {
        session.report(SessionEvent(kind, observer: observer.name, origin: sent.origin, requestMethod: request.head.method))
    }
}
