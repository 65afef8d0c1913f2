#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

extension CredentialManager {
    /// Authenticates without a challenge, for a method whose credential is the session's cookies.
    ///
    /// - Throws: The method's errors; ``CountersignError``; an error of the application; `CancellationError`.
    func authenticate(in session: Session) async throws {
        do {
            try await cookieSpace(in: session).acquireUnasked(in: session)
        } catch {
            throw method.error(of: error, at: nil)
        }
    }

    /// Returns the only space of a method whose credential is the session's cookies.
    func cookieSpace(in session: Session) -> ManagedCredential {
        spaces.withLock { space(for: ProtectionSpace(server: nil, separators: []), among: &$0, in: session) }
    }

    /// Cancels running authentications. All waiting callers get the method's error for a dismissed login.
    func cancel() {
        for space in spaces.withLock({ $0.all }) { space.coordinator.cancel() }
    }

    /// Obtains the credential for a server before any request needs it, unless the current one has not expired.
    ///
    /// - Throws: The method's errors; ``CountersignError``; an error of the application; `CancellationError`.
    func authenticate(for url: URL, in session: Session) async throws {
        // First, since the origin of an exchange can become the only recipient.
        guard method.obtainsWithoutChallenge else {
            let reason =
                method.negotiation == nil
                ? "its steps depend on a challenge of the server; send a request instead"
                : "the system provides a ticket for each request"
            throw refusal(reason, at: Origin(url))
        }
        let exchange = try unsentExchange(for: url, in: session)
        do {
            // The credential is for requests of any kind, which can have a place for it, unlike the one of this exchange.
            try await unreadSpace(in: exchange)?.restore(for: exchange)
        } catch {
            throw ended(session, by: error, at: exchange.origin)
        }
        try requireRecipient(of: exchange)
        do {
            try await space(challengedBy: .none, in: exchange).ensurePresent(for: exchange)
        } catch {
            throw ended(session, by: error, at: exchange.origin)
        }
    }

    /// Replaces the current credential with one that the application has from elsewhere.
    ///
    /// - Parameters:
    ///   - values: The values of the credential, by slot.
    ///   - url: A URL of the server that receives it; `nil` if all servers of the method do.
    /// - Returns: Whether the store has saved it.
    /// - Throws: ``CountersignError``; the error of a store that requires its lock; `CancellationError`.
    func adopt(_ values: [Int: ProgramValue], for url: URL?, in session: Session) async throws -> Bool {
        let server = try url.map { url in
            let exchange = try unsentExchange(for: url, in: session)
            try requireRecipient(of: exchange)
            return exchange.origin
        }
        let place = ProtectionSpace(server: server, separators: [])
        let space = spaces.withLock { spaces in
            let space = self.space(for: place, among: &spaces, in: session)
            spaces.note(folder: "/", belongsTo: place)
            return space
        }
        do {
            return try await space.adopt(values, in: session)
        } catch {
            throw ended(session, by: error, at: server)
        }
    }

    /// Returns the values of the current credential, or of the stored one, without a request.
    ///
    /// Unlike an authentication, this does not make the URL's origin the only recipient.
    ///
    /// - Parameter url: A URL that receives the credential; `nil` if all servers of the method have the same one.
    /// - Returns: `nil` if there is none, or if its space is that of a challenge that was not received.
    /// - Throws: ``CountersignError``; ``CredentialStoreError``; an error of the application's store; `CancellationError`.
    func values(for url: URL?, in session: Session) async throws -> CredentialValues? {
        let user = session.epoch
        let origin = try url.map { try self.origin(of: $0) }
        let space = spaces.withLock { spaces -> ManagedCredential? in
            if let url, let origin, let space = spaces.space(covering: LazyURL(url), at: origin) { return space }
            guard !method.spaceDependsOnChallenge, let place = method.place(at: origin) else { return nil }
            return self.space(for: place, among: &spaces, in: session)
        }
        return try await space?.values(for: user, in: session)
    }

    /// - Throws: ``CountersignError`` if the URL has no origin.
    private func origin(of url: URL) throws -> Origin {
        guard let origin = Origin(url) else {
            throw CountersignError(
                .invalidRequest, detail: "the URL is not an absolute http or https URL", authenticationMethod: method.program.name)
        }
        return origin
    }

    /// Returns the error of a call without a request: the end of the session, if it was invalidated, or else the method's own.
    private func ended(_ session: Session, by error: any Error, at origin: Origin?) -> any Error {
        guard session.isClosed, !Task.isCancelled else { return method.error(of: error, at: origin) }
        return CountersignError(
            .sessionInvalidated, detail: "the session was invalidated", authenticationMethod: method.program.name, origin: origin)
    }

    /// The context of a request to a server that is not sent.
    ///
    /// - Throws: ``CountersignError`` if the URL has no origin.
    private func unsentExchange(for url: URL, in session: Session) throws -> ExchangeContext {
        let origin = try self.origin(of: url)
        return ExchangeContext(
            session: session, request: HTTPRequest(method: .get, url: url), address: LazyURL(url), origin: origin,
            firstOrigin: origin, body: .none, epoch: session.epoch, handshake: nil, number: .none, answers: ChallengeAnswers(),
            task: nil)
    }

    /// - Throws: ``CountersignError`` if the server of an exchange may not receive the credential.
    private func requireRecipient(of exchange: ExchangeContext) throws {
        let origin = exchange.origin
        guard isFor(exchange) else {
            let rest = method.namesRecipients ? ", and the current credential does not name it" : ""
            throw refusal("\(origin) is not one of the servers that may receive the credential\(rest)", at: origin)
        }
        guard mayTravel(exchange) else { throw unencrypted(exchange) }
    }

    private func refusal(_ reason: String, at origin: Origin?) -> CountersignError {
        CountersignError(
            .invalidRequest, detail: "cannot provide a credential without a request: \(reason)",
            authenticationMethod: method.program.name, origin: origin)
    }
}

extension PreparedProgram {
    /// Whether a credential can be obtained without a challenge: neither the steps nor the credential's protection space depend on one.
    var obtainsWithoutChallenge: Bool {
        if program.credential.isEager || isToken { return true }
        guard obtains, !usesDigest, !isForOneRequest else { return false }
        // Values that only some challenges have are optional for the steps.
        let common = program.challenges.map { challenge in
            Set(challenge.captures.filter { !$0.isOptional }.map(\.slot))
        }
        let required = common.dropFirst().reduce(common.first ?? []) { $0.intersection($1) }
        return !spaceDependsOnChallenge && required.isEmpty
    }

    /// Whether values of a challenge separate the credentials.
    var spaceDependsOnChallenge: Bool {
        program.credential.separators.flatMap(\.pieces).contains { piece in
            if case .slot(let slot) = piece { program.slots[slot].source == .challenge } else { false }
        }
    }

    /// Returns the protection space of an origin without a challenge; `nil` if it is that of one server, and there is no origin.
    func place(at origin: Origin?) -> ProtectionSpace? {
        if let origin { return place(of: .none, at: origin) }
        guard program.credential.space == .servers || usesSessionCookies, program.credential.separators.isEmpty else { return nil }
        return ProtectionSpace(server: nil, separators: [])
    }
}
