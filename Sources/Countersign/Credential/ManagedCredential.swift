#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

/// A challenge, and what it says. A class, since all that wait for an authentication have theirs.
final class ChallengeReading: Sendable {
    /// The pattern's name.
    let name: String
    /// What was captured, by slot.
    let values: [Int: ProgramValue]
    /// What the Digest scheme answers, for a method that uses it.
    let digest: DigestChallenge?
    /// The head of the response; `nil` for a connection that was refused, or no challenge at all.
    let response: HTTPResponse?

    init(name: String, values: [Int: ProgramValue], digest: DigestChallenge?, response: HTTPResponse? = nil) {
        self.name = name
        self.values = values
        self.digest = digest
        self.response = response
    }

    /// A connection that was refused, which says nothing.
    convenience init(refusal name: String) { self.init(name: name, values: [:], digest: nil) }
}

/// The credential of one protection space: what requests carry, and how another one is obtained for all that wait.
///
/// What a challenged request carried decides what is done. A generation older than the present one: it is sent again. The present one, or
/// none: one flight for all, which counts a refusal if the credential was fresh, that is, if no server has accepted it yet.
///
/// Without a challenge one is obtained where the present one runs out, and neither a challenge nor a user is needed for the next:
/// shortly before, while requests go on with the present one, or after, while they wait.
final class ManagedCredential: Sendable {
    struct State {
        /// Whether the store was asked before the first request.
        var isRestored = false
        var held: HeldCredential?
        /// What a server has given and no request carries yet, as when all that waited for it were cancelled. It may have replaced the
        /// refresh token of the present one.
        var uncommitted: HeldCredential?
        var saves: UInt64 = 0
        /// The stored entry of a credential that has run out by the session's clock; it is not taken again, although the wall clock may say
        /// otherwise.
        var outdated: CredentialEntry?
        var generation = Generation.none
        /// Counts the users: what was begun for one is not kept for the next.
        var epoch: UInt64 = 0
        /// What is not sent to a server once more.
        var refusedLogins = RefusedLogins()
        /// What was refused for good, and the error of all requests that carried it, or were begun by then.
        var refusal: (generation: Generation, latest: ExchangeNumber, error: any Error)?
        /// What a challenge asked for beyond a credential that is good, and the steps did not bring.
        var declined: Declined?
        /// The renewal that is under way.
        var renewal: Task<HeldCredential?, any Error>?
        /// Until when no renewal is sent, because the server wants a pause, and the error that each ends with.
        var pause: (end: Duration, error: any Error)?
        /// What the store has not kept yet.
        var unstored: Unstored?
        /// When the next may be begun before the credential has run out.
        var nextEarlyRenewal = Duration.zero
    }

    /// A challenge to a credential that is good, after which the steps have failed.
    struct Declined {
        let generation: Generation
        /// What the challenge said, by slot.
        let values: [Int: ProgramValue]
        /// Requests that were begun by then get the same error.
        let latest: ExchangeNumber
        let error: any Error
    }

    /// A credential that the store is to keep, or failed to.
    struct Unstored {
        /// `nil` once it was refused: then nothing is to be stored, and the basis is used up all the same.
        var entry: CredentialEntry?
        /// What it takes the place of in the store: a credential that is used up, or nothing.
        let basis: StoredBasis
        /// When the store is asked again; `nil` while it is asked.
        var next: Duration?
    }

    let place: ProtectionSpace
    /// Tells the generations of this space from those of others.
    let number: UInt64
    let coordinator: FlightCoordinator
    let method: PreparedProgram
    let store: (any CredentialRepository)?
    let report: @Sendable (SessionEvent.Kind) -> Void
    let clock: TokenClock
    let state: Mutex<State>
    /// How long a flight may take, without a user and with one.
    let flightTimeout, interactiveTimeout: Duration
    let refusedLoginInterval: Duration
    /// How long refusals of what the application gives are counted as those of one row.
    let authenticationWindow: Duration

    /// - Parameters:
    ///   - store: Where it is kept; `nil` for here alone.
    ///   - isRestored: Whether the store is not asked before the first request.
    ///   - observer: The observer's name in events.
    init(
        _ place: ProtectionSpace, number: UInt64, of method: PreparedProgram, store: (any CredentialRepository)?,
        isRestored: Bool, observer: String, clock: TokenClock, in session: Session
    ) {
        state = Mutex(State(isRestored: isRestored))
        self.place = place
        self.store = store
        store?.note(place)
        self.number = number
        self.method = method
        self.clock = clock
        let configuration = session.configuration
        refusedLoginInterval = configuration.refusedLoginInterval
        authenticationWindow = configuration.authenticationWindow
        flightTimeout = configuration.flightTimeout
        interactiveTimeout = configuration.interactiveTimeout
        let isInteractive = method.isInteractive
        // One request can need several, which the method itself limits.
        let (attempts, overflows) = configuration.maximumAuthentications.multipliedReportingOverflow(
            by: method.mostFlightsOfARequest)
        let limits = FlightCoordinator.Limits(
            timeout: isInteractive ? configuration.interactiveTimeout : configuration.flightTimeout, isInteractive: isInteractive,
            maximumAttempts: overflows ? .max : attempts,
            window: configuration.authenticationWindow, dismissalCoolDown: configuration.dismissalCoolDown,
            isShared: configuration.sharesAuthentications)
        let name = method.program.name
        let identity = CredentialIdentity()
        report = { [weak session, origin = place.server] kind in
            session?.report(SessionEvent(kind, observer: observer, origin: origin, credential: ObjectIdentifier(identity)))
        }
        coordinator = FlightCoordinator(limits: limits, clock: configuration.clock) { [weak session, report] flight in
            report(SessionEvent(flight, interactive: isInteractive, authenticationMethod: name).kind)
            if case .failed(let error) = flight, !(error is NeedsChallenge), let session, let review = method.review(session) {
                review.failed(session, method.error(of: error, at: place.server))
            }
        }
    }

    /// The time by the session's clock.
    func now() -> Duration { clock.elapsed() }

    /// What a request carries of it that has nothing of it, or the session's cookies.
    var carriedGeneration: Generation { state.withLock(\.generation).carried(ofSpace: number) }

    var isIdle: Bool {
        let now = now()
        return coordinator.waiterCount == 0
            && state.withLock { state in
                state.renewal == nil && state.uncommitted == nil
                    && state.held.map { $0.hasExpired(at: now) && !$0.isRenewable } ?? true
            }
    }

    /// Signs requests with another nonce from now on: name and password are as good as before.
    func replaceSigner(by signer: DigestSigner, in generation: Generation) {
        state.withLock { state in
            if state.held?.generation == generation.own(ofSpace: number) { state.held?.signer = signer }
        }
    }

    /// The present credential, unless it has run out.
    var present: PresentCredential? { present(ofAnyAge: false) }

    /// The access key that requests are signed with now; `nil` if they are not.
    var accessKey: AccessKey? {
        let now = now()
        guard let held = state.withLock(\.held), !held.hasExpired(at: now),
            let signature = held.signature as? SignatureVersion4Signer
        else { return nil }
        let rest = held.lifetime.expiry.map { $0 - now }
        return AccessKey(
            identifier: signature.identifier, secret: signature.key, session: signature.session,
            expires: TokenLifetime.expiryDate(rest, from: Date()))
    }

    /// The present credential.
    ///
    /// - Parameters:
    ///   - isOfAnyAge: Whether it counts although it has run out. What has just come is used whatever its lifetime: one that lives shorter
    ///     than it takes to use it would else be replaced for ever.
    ///   - user: The user's session that it has to be of; `nil` for any.
    func present(ofAnyAge isOfAnyAge: Bool, for user: SessionEpoch? = nil) -> PresentCredential? {
        let now = now()
        return state.withLock { state in
            guard let held = state.held, isOfAnyAge ? held.cookies?.isEmpty != true : !held.hasExpired(at: now) else { return nil }
            if let user, let owner = held.epoch, owner != user { return nil }
            return presented(held, as: held.generation)
        }
    }

    /// What the requests of a review are given, if the present task is a part of the review of this space's credential.
    var provisional: PresentCredential? {
        FlightScope.provisionalCredential(of: coordinator).map { presented($0, as: coordinator.generation.next) }
    }

    private func presented(_ credential: HeldCredential, as generation: Generation) -> PresentCredential {
        PresentCredential(
            fields: credential.fields, signer: credential.signer, signature: credential.signature, cookies: credential.cookies,
            identity: credential.identity, generation: generation.carried(ofSpace: number))
    }

    /// A server has accepted the credential of a generation that an exchange carried.
    func noteAccepted(_ carried: Generation) {
        state.withLock { state in
            if carried.own(ofSpace: number) == state.held?.generation { state.held?.isAccepted = true }
        }
    }

    /// What tells servers that the present credential is no longer used; `nil` if there is none, or nothing to tell.
    func revocation() -> Revocation? {
        let (present, renewal) = state.withLock { ($0.uncommitted ?? $0.held, $0.renewal) }
        guard !method.program.end.isEmpty, present != nil || renewal != nil else { return nil }
        // What a renewal brings that is under way is at the server, too.
        return revocation { await (try? renewal?.value) ?? present }
    }

    /// Tells servers that a stored credential is no longer used; `nil` if there is nothing to tell, or another one is held.
    func revocation(of entry: CredentialEntry, in session: Session) -> Revocation? {
        let isHeld = state.withLock { $0.uncommitted != nil || $0.held != nil || $0.renewal != nil }
        guard !method.program.end.isEmpty, !isHeld, let stored = restored(entry, for: nil, in: session) else { return nil }
        return revocation { stored }
    }

    private func revocation(of credential: @escaping @Sendable () async -> HeldCredential?) -> Revocation {
        { [method, report] session in
            guard let held = await credential() else { return }
            var runner = StepRunner(method, with: held, in: session, report: report)
            do {
                try await runner.end(showingPagesFor: session.configuration.requestTimeout)
            } catch let refusal as CallRun.Refusal {
                throw CountersignError(
                    .operationRefused, detail: "the server did not end the credential", authenticationMethod: method.program.name,
                    origin: refusal.origin, status: refusal.status)
            } catch let error as CountersignError {
                throw error.completed(authenticationMethod: method.program.name, origin: nil)
            }
        }
    }

    /// Ends the user's session here.
    ///
    /// - Parameter isLogout: Whether the store forgets, too.
    func end(isLogout: Bool) {
        coordinator.endSession()
        let generation = coordinator.generation
        state.withLock { state in
            state = State(isRestored: isLogout, generation: max(generation, state.generation), epoch: state.epoch + 1)
        }
    }

    /// Whether the user is still the same.
    func isCurrent(_ epoch: UInt64) -> Bool { state.withLock { $0.epoch == epoch } }

    /// What was begun for a session that has ended is not kept for another.
    func verify(_ epoch: UInt64) throws {
        guard isCurrent(epoch) else { throw FlightFailure.sessionEnded }
    }

    /// A credential of values.
    ///
    /// - Parameters:
    ///   - values: All values by slot.
    ///   - signer: What signs requests with it; `nil` where that takes a challenge, or nothing signs.
    ///   - refusals: What was refused in a row before it.
    ///   - lifetime: How long it is good for; `nil` where a value says it, or nothing.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for values that no request can have.
    func held(
        _ values: [ProgramValue], _ cookies: CookieJar?, signer: DigestSigner?, after refusals: Refusals = Refusals(),
        lifetime: TokenLifetime? = nil
    ) throws(CountersignError) -> HeldCredential {
        var duration: Duration?
        if let slot = method.program.credential.lifetime, case .duration(let stated) = values[slot] { duration = stated }
        var fields: [HTTPField] = []
        var signature: (any RequestSigning)?
        for placement in method.program.attach {
            if let field = try placement.field(values) { fields.append(field) }
            if let found = try placement.signature(values, with: method.nonces) { signature = found }
        }
        return HeldCredential(
            values: method.credentialSlots.map { values[$0] },
            fields: fields, signer: signer, signature: signature, cookies: cookies,
            identity: method.program.attach.lazy.compactMap { $0.identity(values) }.first, refusals: refusals,
            lifetime: lifetime ?? TokenLifetime(duration, from: now(), jitter: clock.jitter()),
            isRenewable: method.canRenew(values))
    }

    /// A credential that is a token.
    func held(_ issued: OAuth2IssuedToken) -> HeldCredential {
        HeldCredential(
            values: [], fields: [issued.token.authorizationField].compactMap(\.self), token: issued.token, cookies: nil,
            identity: nil, refusals: Refusals(), lifetime: issued.lifetime,
            isRenewable: issued.token.refreshToken != nil && method.tokens?.isRenewing == true)
    }
}

/// What tells the events of one credential from others'.
private final class CredentialIdentity: Sendable {}
