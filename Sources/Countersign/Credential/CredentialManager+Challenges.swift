internal import HTTPTypes
internal import Synchronization

extension CredentialManager {
    /// The name of a challenge that the application recognises itself.
    private static var ownSignature: String { "application" }

    /// Returns the application's own recognition of challenges, which replaces the patterns; `nil` if there is none.
    private func ownComparison(in exchange: ExchangeContext) -> (@Sendable (HTTPResponse, ExchangeContext) -> Bool)? {
        (exchange.hooks ?? method.hooks).isChallenge
    }

    /// Whether the response's body is needed to recognise a challenge that would be answered.
    func needsBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool {
        guard challenges.compareBodies, ownComparison(in: exchange) == nil, hasPlace(in: exchange.request, exchange),
            isFor(exchange)
        else { return false }
        return challenges.needBody(of: response, in: exchange) && (!isInsideAuthentication || reviewed != nil)
    }

    /// Classifies a response, and keeps the reading of its challenge in the exchange.
    func classify(_ response: HTTPResponse, in exchange: ExchangeContext, by observer: String) -> Verdict {
        let carried =
            exchange.carried == .none || method.usesSessionCookies ? nil : spaces.withLock { $0.space(of: exchange.carried) }
        if method.usesDigest { carried?.present?.signer?.note(response) }
        if method.provesPossession, isFor(exchange) {
            let nonce = method.nonces.note(response, from: exchange.origin)
            // The server refuses the proof and not the token.
            if let carried, let error = response.proofError {
                guard error == proofNonceError, let nonce else {
                    return .refuse(
                        CountersignError(
                            .refusedByServer, detail: "the server rejected the DPoP proof of the token: \(error)",
                            authenticationMethod: method.program.name, status: response.status.code))
                }
                note(Answer(space: carried, origin: exchange.origin, nonce: nonce), to: exchange)
                return .resend(signature: error)
            }
        }
        if let carried, !method.program.updates.isEmpty { carried.update(from: response, to: exchange.carried, in: exchange) }
        guard let challenge = recognised(response, in: exchange) else {
            if let carried, response.status.saysThatCredentialsAreGood { carried.noteAccepted(exchange.carried) }
            return .pass
        }
        let isAnswered = isAnswered(challenge.name, in: exchange, by: observer) { try challenges.reading(of: challenge) }
        guard isAnswered else { return .pass }
        if let carried, isOutdated(exchange, by: carried) {
            note(Answer(space: carried, origin: exchange.origin), to: exchange)
            return .resend(signature: challenge.name)
        }
        exchange.answers?.note(Result { () throws(CountersignError) in try challenges.reading(of: challenge) }, for: self)
        return .challenge(signature: challenge.name)
    }

    /// Whether a response has changed the credential since the request carried it, so that the server has perhaps refused only the
    /// former value. This is answered once for each exchange, since other requests can change the credential again and again.
    private func isOutdated(_ exchange: ExchangeContext, by carried: ManagedCredential) -> Bool {
        guard !method.program.updates.isEmpty, let answers = exchange.answers, let revision = answers.revision(for: self),
            carried.hasUpdate(since: revision, to: exchange.carried)
        else { return false }
        answers.noteOutdated(for: self)
        return true
    }

    /// Returns the name of the challenge for a refused connection; `nil` if it is not answered.
    func classify(refusal: TransportError, in exchange: ExchangeContext, by observer: String) -> String? {
        guard let challenge = challenges.refusal else { return nil }
        return isAnswered(challenge, in: exchange, by: observer) { ChallengeReading(refusal: challenge) } ? challenge : nil
    }

    /// Whether a challenge is answered.
    ///
    /// A challenge to a request of a review is answered if the server asks for the credential under review. If the request
    /// carried that credential already, the refusal is recorded, and the review gets the response.
    ///
    /// - Parameter reading: Returns the reading of the challenge.
    private func isAnswered(
        _ challenge: String, in exchange: ExchangeContext, by observer: String, reading: () throws -> ChallengeReading
    ) -> Bool {
        guard hasPlace(in: exchange.request, exchange) else { return false }
        let isInside = isInsideAuthentication
        guard isFor(exchange) else {
            if !isInside { destinations?.reportWithheld(in: exchange, by: observer) }
            return false
        }
        guard isInside else { return true }
        // A server that only the former credential names does not get the one under review, so its challenge stays unanswered.
        guard let reviewed, let provisional = reviewed.provisional, isFor(exchange, provisional) else { return false }
        guard exchange.carried != provisional.generation else {
            FlightScope.noteRefusal(of: reviewed.coordinator, signature: challenge)
            return false
        }
        return (try? reading()).map { method.place(of: $0, at: exchange.origin) } == reviewed.place
    }

    /// The space whose credential the current task reviews; `nil` if there is none.
    private var reviewed: ManagedCredential? {
        guard FlightScope.current != nil, method.countsRefusals else { return nil }
        return spaces.withLock { $0.all.first { $0.provisional != nil } }
    }

    /// Returns the challenge in a response; `nil` if the response is not a challenge.
    private func recognised(_ response: HTTPResponse, in exchange: ExchangeContext) -> RecognisedChallenge? {
        guard let ownComparison = ownComparison(in: exchange), !challenges.isEmpty else {
            return challenges.recognised(response, in: exchange)
        }
        // The application is asked only about responses that could be answered.
        guard hasPlace(in: exchange.request, exchange), !isInsideAuthentication || reviewed != nil,
            ownComparison(response, exchange)
        else { return nil }
        return RecognisedChallenge(name: Self.ownSignature, pattern: nil, response: ResponseReading(response, in: exchange))
    }

    /// Obtains the credential that answers a challenge.
    ///
    /// - Throws: ``CountersignError``; an error of the application; `CancellationError`.
    func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws {
        do {
            guard let (space, reading) = try wanting(challenge, in: exchange) else { return }
            try await space.ensureOther(
                than: challenge.generation, after: reading, isRepeated: challenge.isRepeated, for: exchange)
            noteOther(space, after: reading, for: exchange)
        } catch {
            throw translated(error, at: exchange.origin)
        }
    }

    // Code that does not wait is in separate functions, since the frames of waiting functions would otherwise reserve space for
    // all its variables.

    /// Returns the space that needs another credential and the reading of its challenge; `nil` if the challenge is unknown or was
    /// answered at once.
    @inline(never)
    private func wanting(
        _ challenge: ChallengeOccurrence, in exchange: ExchangeContext
    ) throws -> (ManagedCredential, ChallengeReading)? {
        guard mayTravel(exchange) else { throw unencrypted(exchange) }
        guard let reading = try reading(of: challenge, in: exchange) else { return nil }
        let space = space(challengedBy: reading, in: exchange)
        return answersAtOnce(reading, to: challenge.generation, by: space, in: exchange) ? nil : (space, reading)
    }

    /// Returns the error for a credential that would be sent unencrypted.
    func unencrypted(_ exchange: ExchangeContext) -> CountersignError {
        CountersignError(
            .insecureDestination, detail: "\(exchange.origin) asks for a credential, which would be sent unencrypted",
            authenticationMethod: method.program.name, origin: exchange.origin)
    }

    /// Records an answer that requires no other credential.
    ///
    /// - Returns: Whether there is such an answer.
    private func answersAtOnce(
        _ reading: ChallengeReading, to generation: Generation, by space: ManagedCredential, in exchange: ExchangeContext
    ) -> Bool {
        if space.provisional != nil {
            // The request carries the credential under review from now on. Requests of a review must not wait for its end.
            note(Answer(space: space, origin: exchange.origin), to: exchange)
            return true
        }
        guard let digest = reading.digest, digest.isStale, let present = space.present, let signer = present.signer,
            present.generation == generation
        else { return false }
        // User name and password were not refused. Only the nonce is stale, and the challenge has a new one.
        let renewed = space.renewSigner(signer, by: digest, in: present.generation)
        note(Answer(space: space, origin: exchange.origin, signer: renewed), to: exchange)
        return true
    }

    /// Records that the next send carries the current credential of a space.
    @inline(never)
    private func noteOther(_ space: ManagedCredential, after reading: ChallengeReading, for exchange: ExchangeContext) {
        let other = reading.digest.flatMap { digest in
            space.present?.signer.flatMap { $0.isFor(digest) ? nil : $0.renewed(by: digest) }
        }
        note(Answer(space: space, origin: exchange.origin, signer: other), to: exchange)
    }

    /// Keeps the answer for the next send of the exchange.
    func note(_ answer: Answer, to exchange: ExchangeContext) {
        // A method with the session's cookies attaches nothing.
        guard !method.usesSessionCookies else { return }
        exchange.answers?.note(answer, for: self)
    }

    /// Returns the reading of a challenge, which the exchange has kept since the recognition; `nil` if it is not a challenge of
    /// the method.
    ///
    /// - Throws: ``CountersignError/Code/unusableChallenge``, ``CountersignError/Code/addressRefused``.
    private func reading(
        of challenge: ChallengeOccurrence, in exchange: ExchangeContext
    ) throws(CountersignError) -> ChallengeReading? {
        guard let response = challenge.response else { return ChallengeReading(refusal: challenge.signature) }
        if let reading = exchange.answers?.takeReading(for: self) { return try reading.get() }
        // Outside of an exchange, no reading is kept, so the response is read again.
        let challenge =
            ownComparison(in: exchange) == nil
            ? challenges.recognised(response, in: exchange, named: challenge.signature)
            : RecognisedChallenge(
                name: challenge.signature, pattern: nil, response: ResponseReading(response, in: exchange))
        guard let challenge else { return nil }
        return try challenges.reading(of: challenge)
    }
}

extension HTTPResponse.Status {
    /// Whether the status code means that the server has checked and accepted the credential. Refusals, server errors and
    /// overload do not.
    fileprivate var saysThatCredentialsAreGood: Bool { code < 500 && ![401, 407, 408, 421, 425, 429].contains(code) }
}
