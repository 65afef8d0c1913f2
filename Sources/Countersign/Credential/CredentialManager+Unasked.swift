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
        let exchange = try requestlessExchange(for: url, in: session)
        guard method.obtainsWithoutChallenge else {
            throw refusal("its steps depend on a challenge from \(exchange.origin); send a request instead", of: exchange)
        }
        do {
            try await space(challengedBy: .none, in: exchange).ensurePresent(for: exchange)
        } catch  where session.isClosed && !Task.isCancelled {
            throw CountersignError(
                .sessionInvalidated, detail: "the session was invalidated", authenticationMethod: method.program.name,
                origin: exchange.origin)
        } catch {
            throw translated(error, at: exchange.origin)
        }
    }

    /// Replaces the current credential with one that the application has from elsewhere.
    ///
    /// - Parameters:
    ///   - values: The values of the credential, by slot.
    ///   - url: A URL of the server that receives it; `nil` if all servers of the method do.
    /// - Throws: ``CountersignError``; `CancellationError`.
    func adopt(_ values: [Int: ProgramValue], for url: URL?, in session: Session) async throws {
        let server = try url.map { try requestlessExchange(for: $0, in: session).origin }
        let place = ProtectionSpace(server: server, separators: [])
        let space = spaces.withLock { spaces in
            let space = self.space(for: place, among: &spaces, in: session)
            spaces.note(folder: "/", belongsTo: place)
            return space
        }
        do {
            try await space.adopt(values, in: session)
        } catch {
            throw method.error(of: error, at: server)
        }
    }

    /// The context of a request to a server that is not sent.
    ///
    /// - Throws: ``CountersignError`` if the server may not receive the credential.
    private func requestlessExchange(for url: URL, in session: Session) throws -> ExchangeContext {
        guard let origin = Origin(url) else {
            throw CountersignError(
                .invalidRequest, detail: "the URL is not an absolute http or https URL", authenticationMethod: method.program.name)
        }
        let request = HTTPRequest(method: .get, url: url)
        let exchange = ExchangeContext(session: session, request: request, url: url, origin: origin, task: nil)
        guard isFor(exchange) else {
            throw refusal("\(origin) is not one of the servers that may receive the credential", of: exchange)
        }
        guard mayTravel(exchange) else { throw unencrypted(exchange) }
        return exchange
    }

    private func refusal(_ reason: String, of exchange: ExchangeContext) -> CountersignError {
        CountersignError(
            .invalidRequest, detail: "cannot provide a credential without a request: \(reason)",
            authenticationMethod: method.program.name, origin: exchange.origin)
    }
}

extension PreparedProgram {
    /// Whether a credential can be obtained without a challenge: neither the steps nor the credential's protection space depend on one.
    var obtainsWithoutChallenge: Bool {
        guard obtains, !usesDigest, negotiation == nil else { return false }
        let separators = program.credential.separators.flatMap(\.pieces)
        let dependsOnChallenge = separators.contains { piece in
            if case .slot(let slot) = piece { program.slots[slot].source == .challenge } else { false }
        }
        // Values that only some challenges have are optional for the steps.
        let common = program.challenges.map { challenge in
            Set(challenge.captures.filter { !$0.isOptional }.map(\.slot))
        }
        let required = common.dropFirst().reduce(common.first ?? []) { $0.intersection($1) }
        return !dependsOnChallenge && required.isEmpty
    }
}
