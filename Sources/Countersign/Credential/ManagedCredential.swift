#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

/// A challenge with its captured values. A class, since every request that waits for an authentication holds one.
final class ChallengeReading: Sendable {
    /// The name of the challenge pattern.
    let name: String
    /// The captured values, by slot.
    let values: [Int: ProgramValue]
    /// The challenge of the Digest scheme, if the method uses it.
    let digest: DigestChallenge?
    /// The head of the response; `nil` if the connection was refused, or if there is no challenge.
    let response: HTTPResponse?

    init(name: String, values: [Int: ProgramValue], digest: DigestChallenge?, response: HTTPResponse? = nil) {
        self.name = name
        self.values = values
        self.digest = digest
        self.response = response
    }

    /// Creates the reading of a refused connection, which has no values.
    convenience init(refusal name: String) { self.init(name: name, values: [:], digest: nil) }
}

/// The credential of one protection space. Requests carry it, and it is replaced once for all waiting requests.
///
/// The generation that a challenged request carried determines the answer. If it is older than the current one, the request is
/// sent again. If it is the current one or none, one flight serves all requests, and counts a refusal if no server has accepted
/// the credential yet.
///
/// An expiring credential is replaced without a challenge if the next one requires neither a challenge nor the user: shortly
/// before the expiry, while requests still use the current one, or after it, while requests wait.
final class ManagedCredential: Sendable {
    struct State {
        /// Whether the store has been read before the first request.
        var isRestored = false
        var held: HeldCredential?
        /// A credential from the server that no request carries yet, for example because all waiting requests were cancelled. It
        /// may have replaced the refresh token of the current one.
        var uncommitted: HeldCredential?
        /// The uncommitted credential that an adoption has replaced, so that a logout revokes it too.
        var superseded: HeldCredential?
        /// The credentials from the application whose adoption is running, so that a logout revokes them too.
        var adopted: [UUID: HeldCredential] = [:]
        var saves: UInt64 = 0
        /// A credential that has expired by the session's clock, and has no place in requests any more. Its stored entry is not
        /// restored again, even if it is still valid by the wall clock.
        var expired: HeldCredential?
        var generation = Generation.none
        /// The number of the user's session. A result that belongs to an earlier session is discarded.
        var epoch: UInt64 = 0
        /// The first number since the last logout. Since then, the observer may have been unregistered, which keeps what is stored.
        var firstEpoch: UInt64 = 0
        /// The refused logins, which are not repeated for a while.
        var refusedLogins = RefusedLogins()
        /// The generation that was permanently refused, the latest exchange at that time, and the error of all requests that
        /// carried the generation or began by then.
        var refusal: (generation: Generation, latest: ExchangeNumber, error: any Error)?
        /// A challenge that asked for more than the valid credential, and that the steps could not answer.
        var declined: Declined?
        /// The running renewal.
        var renewal: Task<HeldCredential?, any Error>?
        /// The end of a pause that the server demanded, and the error of renewals until then.
        var pause: (end: Duration, error: any Error)?
        /// The credential that the store has not saved yet.
        var unstored: Unstored?
        /// The earliest time of the next renewal before the credential has expired.
        var nextEarlyRenewal = Duration.zero
    }

    /// A challenge to a valid credential that the steps could not answer.
    struct Declined {
        let generation: Generation
        /// The captured values of the challenge, by slot.
        let values: [Int: ProgramValue]
        /// The latest exchange whose requests get the same error.
        let latest: ExchangeNumber
        let error: any Error
    }

    /// A credential that is being saved, or whose save has failed.
    struct Unstored {
        /// The entry to save; `nil` after its refusal. The basis counts as used even then.
        var entry: CredentialEntry?
        /// The content of the store that the entry replaces: a used credential, or nothing.
        let basis: StoredBasis
        /// The time of the next attempt to save; `nil` during an attempt.
        var next: Duration?
    }

    /// The end of a credential together with the user's session.
    struct End: Sendable {
        fileprivate let credential: ManagedCredential
        /// The state that has ended.
        fileprivate let state: State
        /// Cancels the running flight, and resumes its waiters. Call it without locks.
        let inform: @Sendable () -> Void

        /// The revocations of the credentials that have ended.
        var revocations: [Revocation] { credential.revocations(of: state) }
    }

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
                state.renewal == nil && state.uncommitted == nil && state.adopted.isEmpty
                    && state.held.map { $0.hasExpired(at: now) && !$0.isRenewable } ?? true
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

    private func presented(_ credential: HeldCredential, as generation: Generation) -> PresentCredential {
        PresentCredential(
            fields: credential.fields, parameters: credential.parameters, members: credential.members, signer: credential.signer,
            signature: credential.signature, cookies: credential.cookies, identity: credential.identity,
            generation: generation.carried(ofSpace: number))
    }

    /// Records that a server has accepted the credential of a generation that an exchange carried.
    func noteAccepted(_ carried: Generation) {
        state.withLock { state in
            if carried.own(ofSpace: number) == state.held?.generation { state.held?.isAccepted = true }
        }
    }

    /// The revocations of the current credential and of those that are being adopted; none if the method has no revocation.
    var revocations: [Revocation] { revocations(of: state.withLock(\.self)) }

    private func revocations(of state: State) -> [Revocation] {
        guard !method.program.end.isEmpty else { return [] }
        let (adopted, renewal) = (state.adopted.values, state.renewal)
        // A credential that is being adopted does not continue the current one, as a renewed one does.
        let successor = state.uncommitted.flatMap { next in adopted.contains { $0.isSent(as: next) } ? nil : next }
        let present = successor ?? state.superseded ?? state.held
        // The current credential may have just been adopted.
        var revocations = adopted.filter { other in present.map { !$0.isSent(as: other) } ?? true }
            .map { other in revocation { other } }
        // The server also has the result of a running renewal, which is revoked instead.
        if present != nil || renewal != nil { revocations.append(revocation { await (try? renewal?.value) ?? present }) }
        return revocations
    }

    /// Returns the revocation of a stored credential; `nil` if the method has no revocation, or if a credential is held in
    /// memory.
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
                    .operationRefused, detail: "the server did not revoke the credential",
                    authenticationMethod: method.program.name, origin: refusal.origin, status: refusal.status)
            } catch let error as CountersignError {
                throw error.completed(authenticationMethod: method.program.name, origin: nil)
            }
        }
    }

    /// Ends the user's session for this credential, after a commit that has begun.
    ///
    /// - Parameter isLogout: Whether the user logs out, so that stored credentials are not restored any more.
    func end(isLogout: Bool) {
        coordinator.endSession()
        _ = reset(isLogout: isLogout, to: coordinator.generation)
    }

    /// Ends the user's session for this credential under the session's lock, in one step with the session's epoch.
    ///
    /// Flights write their results under the same lock, and nothing of the next user can begin before the lock is released.
    func endWithSession() -> End {
        let (generation, inform) = coordinator.endSessionUnderLock()
        return End(credential: self, state: reset(isLogout: true, to: generation), inform: inform)
    }

    /// - Returns: The state before.
    private func reset(isLogout: Bool, to generation: Generation) -> State {
        state.withLock { state in
            let before = state
            state = State(
                isRestored: isLogout, generation: max(generation, before.generation), epoch: before.epoch + 1,
                firstEpoch: isLogout ? before.epoch + 1 : before.firstEpoch)
            if !isLogout, let unstored = before.unstored, unstored.basis.entry != nil {
                // The store may still have the used credential, which the next registration would otherwise send again.
                state.unstored = unstored
                state.unstored?.next = .zero
                if unstored.entry != nil { state.uncommitted = before.uncommitted ?? before.held }
            }
            return before
        }
    }

    /// Whether the user's session is still the same.
    func isCurrent(_ epoch: UInt64) -> Bool { state.withLock { $0.epoch == epoch } }

    /// Whether a session was invalidated, and no request of another session waits for the credential.
    func isAbandoned(by session: Session) -> Bool { session.isClosed && coordinator.waiterCount == 0 }

    /// Returns the content that the store must have when a credential is saved; `nil` if the credential must not be saved.
    ///
    /// A renewal is saved although the observer was unregistered or the session invalidated meanwhile: the stored refresh token has
    /// been used, and the next process or observer would send it again. A logout prevents it. The store must still have that token
    /// then, since the next observer may have logged in or out meanwhile, or the application may have deleted the token.
    ///
    /// - Parameter used: The stored content that a renewal has used.
    func requiredContent(
        _ basis: StoredBasis, used: StoredBasis, in session: Session, epoch: UInt64
    ) -> StoredBasis? {
        let isAbandoned = isAbandoned(by: session)
        return state.withLock { state -> StoredBasis? in
            if state.epoch == epoch, !isAbandoned { return basis }
            return epoch >= state.firstEpoch && used.entry != nil ? used : nil
        }
    }

    /// Returns the expired credential that a new one replaces; `nil` if there is none, or the user's session has ended.
    func expired(_ epoch: UInt64) -> HeldCredential? {
        let now = now()
        return state.withLock { state in
            guard state.epoch == epoch else { return nil }
            guard let held = state.held else { return state.expired }
            return held.hasExpired(at: now) ? held : nil
        }
    }

    /// Throws if the user's session has ended, since its results must not be kept for another one.
    func verify(_ epoch: UInt64) throws {
        guard isCurrent(epoch) else { throw FlightFailure.sessionEnded }
    }

    /// Creates a credential from values.
    ///
    /// - Parameters:
    ///   - values: All values by slot.
    ///   - signer: The Digest signer; `nil` if it requires a challenge, or if the method does not use Digest.
    ///   - refusals: The refusals in a row before this credential.
    ///   - lifetime: The lifetime; `nil` if a value states it, or if it is unknown.
    /// - Throws: ``CountersignError/Code/invalidRequest`` for values that no request can carry.
    func held(
        _ values: [ProgramValue], _ cookies: CookieJar?, signer: DigestSigner?, after refusals: Refusals = Refusals(),
        lifetime: TokenLifetime? = nil
    ) throws(CountersignError) -> HeldCredential {
        var duration: Duration?
        if let slot = method.program.credential.lifetime, case .duration(let stated) = values[slot] { duration = stated }
        var fields: [HTTPField] = []
        var parameters: [FormParameters.Parameter] = []
        var members: [BodyMembers.Member] = []
        var signature: (any RequestSigning)?
        for placement in method.program.attach {
            if let field = try placement.field(values) { fields.append(field) }
            if let parameter = try placement.parameter(values) { parameters.append(parameter) }
            if let member = try placement.member(values) { members.append(member) }
            if let found = try placement.signature(values, with: method.nonces) { signature = found }
        }
        let lifetime = lifetime ?? TokenLifetime(duration, from: now(), jitter: clock.jitter())
        return HeldCredential(
            values: method.credentialSlots.map { values[$0] },
            fields: fields, parameters: parameters,
            members: method.bodyPlace.map { BodyMembers(format: $0.format, members: members) }, signer: signer,
            signature: signature, cookies: cookies,
            identity: method.program.attach.lazy.compactMap { $0.identity(values) }.first, refusals: refusals,
            lifetime: lifetime, expirationDate: lifetime.expiry.map { clock.date().addingTimeInterval(($0 - now()) / .seconds(1)) },
            isRenewable: method.canRenew(values))
    }

    /// Creates a credential from a token.
    func held(_ issued: OAuth2IssuedToken) -> HeldCredential {
        HeldCredential(
            values: [], fields: [issued.token.authorizationField].compactMap(\.self), token: issued.token, cookies: nil,
            identity: nil, refusals: Refusals(), lifetime: issued.lifetime, expirationDate: issued.token.expiryDate,
            isRenewable: issued.token.refreshToken != nil && method.tokens?.isRenewing == true)
    }
}

/// An object whose identity distinguishes the events of one credential from those of others.
private final class CredentialIdentity: Sendable {}
