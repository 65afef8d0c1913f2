#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
package import HTTPTypes
internal import Synchronization

/// Attaches tokens, recognises challenges, and has tokens renewed: what a generated observer for `credential: oauth2-token` is made of.
///
/// **Where a token goes.** To the origins that it is for, if they are named, also when a redirect leads there. If none is named: to the
/// first origin that the application asks; a redirect leads no token anywhere, since a server must not choose who receives it. Nothing is
/// attached to a request that has an `Authorization` field of the caller's own, to a request for a token, or to what would be sent
/// unencrypted to another machine. A challenge of any other origin is left unanswered, and ``SessionEvent/Kind/withheld`` reported.
package final class TokenObserver: RedirectedObserver {
    package let name: String
    private let destinations: CredentialDestinations
    private let source: any TokenSource
    private let vault: TokenVault
    private let signature: @Sendable (HTTPResponse, ExchangeContext) -> String?
    private let comparesBody: @Sendable (HTTPResponse, ExchangeContext) -> Bool
    private let review: AuthenticationReview?
    private let makeClock: @Sendable (SessionConfiguration) -> TokenClock
    private let audiences = Mutex<[Origin: TokenAudience]>([:])
    /// Whether a user has logged out: what the store still has is then no longer for this session.
    private let hasLoggedOut = Atomic(false)

    /// More origins than this are forgotten again, if there is no token for them.
    private static let mostEmptyAudiences = 1_000

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - name: The name for errors and events.
    ///   - source: Gets tokens.
    ///   - store: Keeps them.
    ///   - origins: The origins that may receive the token; `nil` for the first that the application asks.
    ///   - needsBody: Whether `signature` has to see the beginning of a response's body.
    ///   - signature: The name of the signature that a response matches, if it is a challenge.
    ///   - review: Has a say on each login before the requests that wait for it go on.
    ///   - clock: Time and chance.
    package init(
        name: String, source: any TokenSource, store: any OAuth2TokenStore, origins: ProtectedOrigins? = nil,
        review: AuthenticationReview? = nil,
        clock: @escaping @Sendable (SessionConfiguration) -> TokenClock = { TokenClock($0.clock) },
        needsBody: @escaping @Sendable (HTTPResponse, ExchangeContext) -> Bool = { _, _ in false },
        signature: @escaping @Sendable (HTTPResponse, ExchangeContext) -> String?
    ) {
        self.name = name
        self.source = source
        vault = TokenVault(store)
        destinations = CredentialDestinations(origins)
        self.signature = signature
        comparesBody = needsBody
        self.review = review
        makeClock = clock
    }

    /// Where the logins of this observer end.
    var redirects: [AuthorizationRedirect] { source.redirects }

    package func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment {
        if let token = provisionalToken(for: exchange) { return Self.attach(token, .none, to: &request) }
        guard let audience = audience(of: exchange) else { return .nothing }
        switch audience.readiness() {
        case .unknown, .expired: return .later
        case .none(let generation):
            audience.tend(in: exchange.session, isRenewable: false)
            return .ready(generation)
        case .ready(let token, let generation):
            audience.tend(in: exchange.session, isRenewable: false)
            return Self.attach(token, generation, to: &request)
        case .renewable(let token, let generation):
            audience.tend(in: exchange.session, isRenewable: true)
            return Self.attach(token, generation, to: &request)
        }
    }

    package func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Attachment {
        guard let audience = audience(of: exchange) else { return .nothing }
        try await audience.restore()
        if case .expired(let generation) = audience.readiness() {
            try await translating { try await audience.ensureNewer(than: generation, begun: exchange.number, in: exchange.session) }
        }
        // Whatever its phase: a token that has just come and has run out already is used, not renewed once more.
        guard let (token, generation) = audience.current else { return .ready(audience.coordinator.generation) }
        return Self.attach(token, generation, to: &request)
    }

    package func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict {
        guard audience(of: exchange) != nil else {
            if mayConcern(exchange), !destinations.includes(exchange), signature(response, exchange) != nil {
                destinations.reportWithheld(in: exchange, by: name)
            }
            return .pass
        }
        return signature(response, exchange).map { .challenge(signature: $0) } ?? .pass
    }

    package func needsBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool {
        comparesBody(response, exchange) && audience(of: exchange) != nil
    }

    package func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws {
        guard let audience = audience(of: exchange) else { return }
        try await translating {
            if challenge.isRepeated, challenge.generation >= audience.coordinator.generation, let rejection = source.rejection {
                throw rejection
            }
            try await audience.ensureNewer(than: challenge.generation, begun: exchange.number, in: exchange.session)
        }
    }

    package func didEndSession(_ session: Session) {
        let isRegistered = session.isRegistered(self)
        let audiences = audiences.withLock { audiences in
            guard isRegistered else { return Array(audiences.values) }
            hasLoggedOut.store(true, ordering: .relaxed)
            // The origins that are named have a token in the store, even if nothing was asked of them in this process.
            for origin in destinations.origins?.origins ?? [] where audiences[origin] == nil {
                audiences[origin] = makeAudience(origin, for: session)
            }
            return Array(audiences.values)
        }
        for audience in audiences { audience.end(deletes: isRegistered) }
        if !isRegistered { destinations.reset() }
    }

    package func forget(at origin: Origin?, in session: Session) async throws {
        if let origin, destinations.origins?.origins == nil { forgetUnused(origin, in: session) }
        var failure: (any Error)?
        for audience in audiences.withLock({ Array($0.values) }) {
            do { try await audience.forget() } catch { failure = failure ?? error }
        }
        guard let failure else { return }
        // What a store says of itself stays with it: its texts are an application's own.
        throw CountersignError(
            .credentialNotDeleted, detail: "the store failed to delete a token: \(type(of: failure))",
            authenticationMethod: source.authenticationMethod)
    }

    /// Has the store forget the token of an origin that nothing was asked of in this process.
    private func forgetUnused(_ origin: Origin, in session: Session) {
        let unused = audiences.withLock { audiences -> TokenAudience? in
            guard audiences[origin] == nil else { return nil }
            let audience = makeAudience(origin, for: session)
            audiences[origin] = audience
            return audience
        }
        unused?.end(deletes: true)
    }

    private static func attach(_ token: OAuth2Token, _ generation: Generation, to request: inout HTTPRequest) -> Attachment {
        guard let field = token.authorizationField else { return .ready(generation) }
        request.headerFields[.authorization] = nil
        request.headerFields.append(field)
        return .ready(generation)
    }
}

// MARK: - Origins

extension TokenObserver {
    /// The token of a login that is being reviewed, for the review's own requests to the origin that it is for.
    private func provisionalToken(for exchange: ExchangeContext) -> OAuth2Token? {
        guard FlightScope.current != nil, mayConcern(exchange), destinations.includes(exchange),
            let audience = audiences.withLock({ $0[exchange.origin] })
        else { return nil }
        return FlightScope.provisionalToken(of: audience.coordinator)
    }

    /// Whether an exchange is one that a token could be in.
    private func mayConcern(_ exchange: ExchangeContext) -> Bool {
        !TokenRequest.isUnderWay && exchange.origin.isPrivate && !exchange.request.headerFields.contains(.authorization)
    }

    /// The token's place for an exchange; `nil` where no token may go.
    private func audience(of exchange: ExchangeContext) -> TokenAudience? {
        let origin = exchange.origin
        guard mayConcern(exchange), destinations.includes(exchange) else { return nil }
        let audience = audiences.withLock { audiences -> TokenAudience? in
            if let audience = audiences[origin] { return audience }
            if audiences.count >= Self.mostEmptyAudiences { audiences = audiences.filter { !$0.value.isEmpty } }
            let audience = makeAudience(origin, for: exchange.session)
            if hasLoggedOut.load(ordering: .relaxed) {
                // What the store has for an origin that is new here may be the token of the user who has logged out, or a later one of
                // another process. It is not used here; nor deleted, if it could be another's.
                if vault.isShared { audience?.disown() } else { audience?.end(deletes: true) }
            }
            audiences[origin] = audience
            return audience
        }
        // A request that an authentication of this observer sends cannot wait for one, whatever its origin.
        if FlightScope.current != nil, audiences.withLock({ $0.values.contains { FlightScope.isInside($0.coordinator) } }) {
            return nil
        }
        return audience
    }

    private func makeAudience(_ origin: Origin, for session: Session) -> TokenAudience? {
        guard let url = URL(string: "\(origin)/") else { return nil }
        let configuration = session.configuration
        let limits = FlightCoordinator.Limits(
            timeout: source.isInteractive ? configuration.interactiveTimeout : configuration.flightTimeout,
            isInteractive: source.isInteractive, maximumAttempts: configuration.maximumAuthentications,
            window: configuration.authenticationWindow, dismissalCoolDown: configuration.dismissalCoolDown,
            isShared: configuration.sharesAuthentications)
        return TokenAudience(
            origin, url: url, source: source, vault: vault, clock: makeClock(configuration), limits: limits,
            flightClock: configuration.clock, review: review,
            failed: { [weak self, weak session] error in
                guard let self, let session, let review = self.review else { return }
                review.failed(session, (error as? FlightFailure).map(self.translation) ?? error)
            }
        ) { [weak session, name] kind in
            session?.report(SessionEvent(kind, observer: name, origin: origin))
        }
    }

    private func translating<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch let failure as FlightFailure {
            throw translation(of: failure)
        } catch let error as CountersignError {
            throw error.completed(authenticationMethod: source.authenticationMethod)
        }
    }

    private func translation(of failure: FlightFailure) -> any Error {
        if failure == .cancelled, let cancellation = source.cancellation { return cancellation }
        return CountersignError(failure, authenticationMethod: source.authenticationMethod)
    }
}
