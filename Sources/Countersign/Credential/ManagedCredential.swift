#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

/// The credential of one protection space. Requests carry it, and it is replaced once for all waiting requests.
///
/// The generation that a challenged request carried determines the answer. If it is older than the current one, the request is
/// sent again. If it is the current one or none, one flight serves all requests, and counts a refusal if no server has accepted
/// the credential yet.
///
/// An expiring credential is replaced without a challenge if the next one requires neither a challenge nor the user: shortly
/// before the expiry, while requests still use the current one, or after it, while requests wait.
final class ManagedCredential: Sendable {
    let place: ProtectionSpace
    /// The number that distinguishes the generations of this space from those of other spaces.
    let number: UInt64
    let coordinator: FlightCoordinator
    let method: PreparedProgram
    let store: (any CredentialRepository)?
    let report: @Sendable (SessionEvent.Kind) -> Void
    let clock: TokenClock
    let state: Mutex<State>
    /// The time limits of a flight without and with the user.
    let flightTimeout, interactiveTimeout: Duration
    let refusedLoginInterval: Duration
    /// The period in which refusals of the application's credentials count as refusals in a row.
    let authenticationWindow: Duration

    /// - Parameters:
    ///   - store: The persistent store; `nil` for memory only.
    ///   - isRestored: Whether the store is not read before the first request.
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
        // One request can need several flights, whose number the method limits.
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

    /// The generation of a request that carries no credential, or only the session's cookies.
    var carriedGeneration: Generation { state.withLock(\.generation).carried(ofSpace: number) }

    var isIdle: Bool {
        let now = now()
        return coordinator.waiterCount == 0
            && state.withLock { state in
                !state.isRenewing && state.uncommitted == nil && state.unstored == nil && state.adopted.isEmpty
                    && state.unused.allSatisfy { $0.isSpent(at: now) } && state.flights.isEmpty
                    && state.held.map { $0.isSpent(at: now) } ?? true
            }
    }

    /// Replaces the Digest signer by one for another challenge, and returns it. User name and password stay valid.
    ///
    /// Several requests may be refused with the same new nonce. They share its signer, which counts its uses: a server rejects a
    /// count that it has seen before (RFC 7616, section 3.4).
    func renewSigner(_ signer: DigestSigner, by challenge: DigestChallenge, in generation: Generation) -> DigestSigner {
        state.withLock { state -> DigestSigner in
            guard state.held?.generation == generation.own(ofSpace: number) else { return signer.renewed(by: challenge) }
            if let current = state.held?.signer, current.isCurrent(for: challenge) { return current }
            let renewed = signer.renewed(by: challenge)
            state.held?.signer = renewed
            return renewed
        }
    }

    /// The current credential; `nil` if it has expired.
    var present: PresentCredential? { present(ofAnyAge: false) }

    /// The access key that currently signs requests; `nil` if there is none.
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

    /// Returns the current credential.
    ///
    /// - Parameters:
    ///   - isOfAnyAge: Whether an expired credential is returned too. A credential that was just obtained is used regardless of
    ///     its lifetime, since one that expires before its first use would otherwise be replaced endlessly.
    ///   - user: The user's session that the credential must belong to; `nil` for any.
    func present(ofAnyAge isOfAnyAge: Bool, for user: SessionEpoch? = nil) -> PresentCredential? {
        let now = now()
        return state.withLock { state in
            guard let held = state.held, isOfAnyAge ? held.cookies?.isEmpty != true : !held.hasExpired(at: now) else { return nil }
            if let user, let owner = held.epoch, owner != user { return nil }
            return presented(held, as: held.generation)
        }
    }

    /// The credential for the requests of a review; `nil` if the current task is not part of the review of this space's
    /// credential.
    var provisional: PresentCredential? {
        FlightScope.provisionalCredential(of: coordinator).map { presented($0, as: coordinator.generation.next) }
    }

    /// Whether the user's latest credential, or the one that the current task reviews, names an origin as its recipient.
    ///
    /// The latest one counts even if it has expired or was refused, so that a challenge of its server is still answered. The next
    /// credential goes to that server only if it names the origin, too.
    func names(_ origin: Origin) -> Bool {
        state.withLock { $0.named.contains(origin) }
            || FlightScope.provisionalCredential(of: coordinator)?.recipients.contains(origin) == true
    }

    private func presented(_ credential: HeldCredential, as generation: Generation) -> PresentCredential {
        PresentCredential(
            fields: credential.fields, parameters: credential.parameters, limited: credential.limited,
            members: credential.members, signer: credential.signer, signature: credential.signature, cookies: credential.cookies,
            identity: credential.identity, recipients: credential.recipients, generation: generation.carried(ofSpace: number),
            revision: credential.revision)
    }

    /// Records that a server has accepted the credential of a generation that an exchange carried.
    func noteAccepted(_ carried: Generation) {
        state.withLock { state in
            if carried.own(ofSpace: number) == state.held?.generation { state.held?.isAccepted = true }
        }
    }

    /// Returns the expired or refused credential that a new one replaces; `nil` if there is none, or the user's session has ended.
    func expired(_ epoch: UInt64) -> HeldCredential? {
        let now = now()
        return state.withLock { state in
            guard state.epoch == epoch else { return nil }
            guard let held = state.held else { return state.expired }
            return held.hasExpired(at: now) ? held : nil
        }
    }
}

/// An object whose identity distinguishes the events of one credential from those of others.
private final class CredentialIdentity: Sendable {}
