#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

/// A protection space of a method: a server or several, and what the method keeps credentials apart by.
struct ProtectionSpace: ProtectedPlace {
    let server: Origin?
    /// The values of ``CredentialShape/separators``; `nil` where one is absent.
    let separators: [String?]
}

/// A challenge, and what it says.
struct ChallengeReading: Sendable {
    /// The pattern's name.
    let name: String
    /// What was captured, by slot.
    let values: [Int: ProgramValue]
    /// What the Digest scheme answers, for a method that uses it.
    let digest: DigestChallenge?
}

/// The credential of one protection space: what requests carry, and how another one comes about for all that wait.
///
/// What a challenged request carried decides what is done. A generation older than the present one: it is sent again. The present one, or
/// none: one flight for all, which counts a refusal if the credential was fresh, that is, if no server has accepted it yet.
///
/// Without a challenge one comes about where the present one runs out, and neither a challenge nor a user is needed for the next:
/// shortly before, while requests go on with the present one, or after, while they wait.
final class ManagedCredential: CredentialHolder {
    typealias Place = ProtectionSpace

    struct State {
        var held: HeldCredential?
        /// What is stored and has run out here, whatever the wall clock says.
        var outdated: StoredCredentials.Entry?
        var generation = Generation.none
        /// Counts the users: what was begun for one is not kept for the next.
        var epoch: UInt64 = 0
        /// What is not sent to a server once more.
        var refusedLogins = RefusedLogins()
        /// What was refused for good, and the error of all requests that carried it, or were begun by then.
        var refusal: (generation: Generation, latest: ExchangeNumber, error: any Error)?
        /// The renewal that is under way, or that has brought what no request carries yet.
        var renewal: Renewal?
        var renewalsSoFar = 0
        /// Until when no renewal is sent, because the server wants a pause, and the error that each ends with.
        var pause: (end: Duration, error: any Error)?
        /// What the store failed to keep.
        var unstored: Unstored?
        /// When the next may be begun before the credential has run out.
        var nextEarlyRenewal = Duration.zero
    }

    struct Renewal {
        let number: Int
        let task: Task<HeldCredential, any Error>
    }

    /// A credential that the store failed to keep.
    struct Unstored {
        let entry: StoredCredentials.Entry
        /// What it takes the place of in the store: a credential that is used up.
        let basis: StoredCredentials.Entry?
        /// When the store is asked again.
        var next: Duration
    }

    let place: ProtectionSpace
    /// Tells the generations of this space from those of others.
    let number: UInt64
    let coordinator: FlightCoordinator
    let method: PreparedProgram
    let store: StoredCredentials?
    let report: @Sendable (SessionEvent.Kind) -> Void
    let now: @Sendable () -> Duration
    let state = Mutex(State())
    /// How long a flight may take, without a user and with one.
    let flightTimeout, interactiveTimeout: Duration
    private let refusedLoginInterval: Duration

    /// - Parameter store: Where it is kept; `nil` for here alone.
    init(_ place: ProtectionSpace, number: UInt64, of method: PreparedProgram, store: StoredCredentials?, in session: Session) {
        self.place = place
        self.store = store
        self.number = number
        self.method = method
        now = session.now
        let configuration = session.configuration
        refusedLoginInterval = configuration.refusedLoginInterval
        flightTimeout = configuration.flightTimeout
        interactiveTimeout = configuration.interactiveTimeout
        let isInteractive = method.isInteractive
        let limits = FlightCoordinator.Limits(
            timeout: isInteractive ? configuration.interactiveTimeout : configuration.flightTimeout, isInteractive: isInteractive,
            // One request can need several, which the method itself limits.
            maximumAttempts: configuration.maximumAuthentications * method.mostFlightsOfARequest,
            window: configuration.authenticationWindow, dismissalCoolDown: configuration.dismissalCoolDown,
            isShared: configuration.sharesAuthentications)
        let name = method.program.name
        report = { [weak session, origin = place.server] kind in
            session?.report(SessionEvent(kind, observer: name, origin: origin))
        }
        coordinator = FlightCoordinator(limits: limits, clock: configuration.clock) { [report] flight in
            report(SessionEvent(flight, interactive: isInteractive, authenticationMethod: name).kind)
        }
    }

    var isIdle: Bool {
        let now = now()
        return coordinator.waiterCount == 0
            && state.withLock { $0.renewal == nil && $0.held.map { $0.hasExpired(at: now) && !$0.isRenewable } ?? true }
    }

    /// Signs requests with another nonce from now on: name and password are as good as before.
    func replaceSigner(by signer: DigestSigner, in generation: Generation) {
        state.withLock { state in
            if state.held?.generation == generation.own(ofSpace: number) { state.held?.signer = signer }
        }
    }

    /// The present credential, unless it has run out.
    var present: PresentCredential? { present(ofAnyAge: false) }

    /// The present credential.
    ///
    /// - Parameter isOfAnyAge: Whether it counts although it has run out. What has just come is used whatever its lifetime: one that lives
    ///   shorter than it takes to use it would else be replaced for ever.
    func present(ofAnyAge isOfAnyAge: Bool) -> PresentCredential? {
        let now = now()
        return state.withLock { state in
            guard let held = state.held, isOfAnyAge ? held.cookies?.isEmpty != true : !held.hasExpired(at: now) else { return nil }
            return PresentCredential(
                fields: held.fields, signer: held.signer, cookies: held.cookies,
                generation: held.generation.carried(ofSpace: number))
        }
    }

    /// A server has accepted the credential of a generation that an exchange carried.
    func noteAccepted(_ carried: Generation) {
        state.withLock { state in
            if carried.own(ofSpace: number) == state.held?.generation { state.held?.isAccepted = true }
        }
    }

    /// What tells servers that the present credential is no longer used; `nil` if there is none, or nothing to tell.
    func revocation() -> Revocation? {
        let (present, renewal) = state.withLock { ($0.held, $0.renewal) }
        guard !method.program.end.isEmpty, present != nil || renewal != nil else { return nil }
        return { [method, report] session in
            // What a renewal brings that is under way is at the server, too.
            guard let held = await (try? renewal?.task.value) ?? present else { return }
            var runner = StepRunner(method, with: held, in: session, report: report)
            do {
                try await runner.run(method.program.end, nil)
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
    func end() {
        coordinator.endSession()
        let generation = coordinator.generation
        state.withLock { $0 = State(generation: max(generation, $0.generation), epoch: $0.epoch + 1) }
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
    ///   - refusals: How many were refused in a row before it.
    ///   - lifetime: How long it is good for; `nil` where a value says it, or nothing.
    func held(
        _ values: [ProgramValue], _ cookies: CookieJar?, signer: DigestSigner?, after refusals: Int = 0,
        lifetime: TokenLifetime? = nil
    ) throws -> HeldCredential {
        var duration: Duration?
        if let slot = method.program.credential.lifetime, case .duration(let stated) = values[slot] { duration = stated }
        return HeldCredential(
            values: method.credentialSlots.map { values[$0] },
            fields: try method.program.attach.compactMap { try $0.field(values) }, signer: signer, cookies: cookies,
            refusals: refusals, lifetime: lifetime ?? TokenLifetime(duration, from: now(), jitter: .random(in: 0..<1)),
            isRenewable: method.canRenew(values))
    }
}

// MARK: - Challenges

extension ManagedCredential {
    /// Sees to another credential than the one that a challenged request carried; returns at once if there is one.
    ///
    /// - Parameter isRepeated: Whether a challenge to the same request has been answered before.
    /// - Throws: ``CountersignError``, an error of the application's, ``FlightFailure``, `CancellationError`.
    func ensureOther(
        than carried: Generation, after challenge: ChallengeReading, isRepeated: Bool, for exchange: ExchangeContext
    ) async throws {
        let now = now()
        let rule = method.program.rejections.first { ($0.challenge ?? challenge.name) == challenge.name }
        let observed = try state.withLock { state in
            let own = carried.own(ofSpace: number)
            // What has run out is not sent, so that no server can refuse it; what was sent was refused, also if its cookies went with that.
            if let held = state.held, held.hasExpired(at: now), own != held.generation {
                if held.isRenewable, held.hasRunOut(at: now) { return held.generation }
                state.outdated = held.stored
                state.held = nil
            }
            // One server does not take what has just been renewed: that says nothing against it at others, nor against what renews it.
            if let held = state.held, held.generation == own, held.isRenewed, !held.isAccepted, isRepeated, rule?.retries ?? 0 == 0
            {
                throw refusedForGood
            }
            // A request that carried what was refused for good, or one before it, gets its error. So does one that carried none, but was
            // begun by then: it waited for the same answer. A later one starts over.
            if let refusal = state.refusal,
                own.map({ $0 <= refusal.generation }) ?? (state.held == nil && exchange.number <= refusal.latest)
            {
                throw refusal.error
            }
            // A request without a credential is served by the present one; where there is none, by a flight.
            return state.held == nil ? state.generation : own ?? .none
        }
        do {
            try await fly(from: observed, for: exchange) { [self] present, epoch in
                // What has run out, or was not sent, was not refused.
                let wasRefused =
                    present.map { !$0.hasRunOut(at: self.now()) && $0.generation == carried.own(ofSpace: number) } ?? false
                let refused = wasRefused ? present : nil
                do {
                    return try await replacement(of: present, refused, by: rule, after: challenge, for: exchange, epoch: epoch)
                } catch let failure as RenewalFailure {
                    // What can still be renewed is kept for that.
                    throw failure.error
                } catch {
                    forget(refused, because: error, epoch: epoch)
                    throw error
                }
            }
        } catch is NeedsChallenge {
            // It had joined a flight of others, who have none.
            try await ensureOther(than: carried, after: challenge, isRepeated: isRepeated, for: exchange)
        }
    }

    /// Has one flight for all that wait bring a credential.
    ///
    /// - Parameter next: Makes it of the present one, for the user of this epoch.
    func fly(
        from observed: Generation, for exchange: ExchangeContext,
        _ next: @escaping @Sendable (HeldCredential?, UInt64) async throws -> HeldCredential
    ) async throws {
        let scope = FlightScope(
            of: coordinator, within: FlightScope.current, presenter: exchange.session.configuration.presenter)
        _ = try await coordinator.ensureNewer(than: observed, begun: exchange.number) { [self] in
            let (present, epoch) = state.withLock { ($0.held, $0.epoch) }
            // Not for the next user, if this one has logged out since the challenge.
            if let epoch = exchange.epoch { try exchange.session.requireCurrent(epoch) }
            let next = try await scope.run(while: { try self.verify(epoch) }) { try await next(present, epoch) }
            return { [self] in try commit(next, epoch: epoch) }
        }
    }

    private func commit(_ next: HeldCredential, epoch: UInt64) throws {
        var next = next
        next.generation = coordinator.generation.next
        try state.withLock { state in
            guard state.epoch == epoch else { throw FlightFailure.sessionEnded }
            state.held = next
            state.generation = next.generation
            state.renewal = nil
            state.pause = nil
            state.nextEarlyRenewal = .zero
        }
    }

    /// What follows a challenge to a request with a credential, or to one without.
    ///
    /// - Parameters:
    ///   - present: The present credential, if there is one.
    ///   - refused: The same, if it was refused.
    private func replacement(
        of present: HeldCredential?, _ refused: HeldCredential?, by rule: RejectionRule?, after challenge: ChallengeReading,
        for exchange: ExchangeContext, epoch: UInt64
    ) async throws -> HeldCredential {
        if let present, refused == nil || (present.isAccepted || present.isRenewed) && rule?.actions.contains(.renew) == true,
            let next = try await renewed(present, in: exchange.session, epoch: epoch)
        {
            return next
        }
        try FlightScope.requireWanted()
        if let found = try await storedCredential(insteadOf: refused, after: challenge, for: exchange, epoch: epoch) {
            if !found.hasRunOut(at: now()) { return found }
            if let next = try await renewed(found, in: exchange.session, epoch: epoch) { return next }
        }
        return try await obtained(
            insteadOf: refused, by: rule, after: challenge, for: exchange, epoch: epoch, isSecondLook: true)
    }

    /// A credential that the steps to one lead to, or what another process has got meanwhile: of those with one store, one logs in at a time.
    func obtained(
        insteadOf refused: HeldCredential?, by rule: RejectionRule?, after challenge: ChallengeReading,
        for exchange: ExchangeContext, epoch: UInt64, isSecondLook: Bool
    ) async throws -> HeldCredential {
        guard !method.program.acquire.isEmpty else {
            return try await acquire(insteadOf: refused, by: rule, after: challenge, for: exchange)
        }
        return try await exclusively(for: method.isInteractive ? interactiveTimeout : flightTimeout) { [self] in
            try FlightScope.requireWanted()
            let found = try await storedCredential(
                insteadOf: refused, after: challenge, for: exchange, epoch: epoch, isSecondLook: isSecondLook)
            if let found, !found.hasRunOut(at: now()) { return found }
            let next = try await acquire(insteadOf: refused, by: rule, after: challenge, for: exchange)
            return await save(next, epoch: epoch)
        }
    }

    /// A credential that is none that was refused.
    ///
    /// - Parameter rule: What follows the refusal of a credential; it holds also where a login is refused on the way.
    func acquire(
        insteadOf refused: HeldCredential?, by rule: RejectionRule?, after challenge: ChallengeReading,
        for exchange: ExchangeContext
    ) async throws -> HeldCredential {
        let retries = rule?.retries ?? 0
        var refusals = 0
        var steps = method.program.acquire
        if let refused {
            // What follows a credential that was accepted is no retry.
            refusals = refused.isAccepted || refused.isRenewed ? 0 : refused.refusals + 1
            guard let rule, refusals <= retries, rule.actions != [.renew] else { throw refusedForGood }
            if rule.actions == [.resend] { steps = [] }
        }
        while true {
            var runner = StepRunner(method, after: challenge, in: exchange.session, report: report)
            runner.refusedLogins = state.withLock(\.refusedLogins)
            let prompt = CredentialPrompt(
                origin: exchange.origin, url: exchange.url, refusals: refusals, challenge: method.texts(of: challenge))
            do {
                try await runner.run(steps, prompt)
                let values = method.credentialSlots.map { runner.values[$0] }
                // What was refused just now is not sent again; but a login may begin a session under the name that it had.
                guard runner.cookies?.isEmpty != true else {
                    throw CountersignError(.unexpectedAnswer, detail: "the login has left no cookie that can be kept")
                }
                if values != refused?.values || runner.cookies != nil {
                    let signer = try method.program.attach.compactMap { try $0.signer(runner.values, for: challenge.digest) }.first
                    return try held(runner.values, runner.cookies, signer: signer, after: refusals)
                }
            } catch let refusal as CallRun.Refusal {
                // What was not typed does not become right by being sent again.
                guard runner.hasAsked(for: refusal.call), refusals < retries else {
                    note(refusal, of: runner)
                    throw refusal.error
                }
            }
            refusals += 1
            guard !steps.isEmpty, refusals <= retries else { throw refusedForGood }
        }
    }

    /// What was given by the parameters is not sent again for a while; what was typed may be typed again.
    private func note(_ refusal: CallRun.Refusal, of runner: StepRunner) {
        guard !runner.hasAsked(for: refusal.call), let call = refusal.call, let login = runner.login(of: call) else { return }
        let now = now()
        state.withLock { state in
            // One that was not sent prolongs nothing.
            guard state.refusedLogins.refusal(of: login, at: now) == nil else { return }
            state.refusedLogins.note(login, refusal, until: now + refusedLoginInterval)
        }
    }

    private var refusedForGood: CountersignError {
        CountersignError(.challengedAgain, detail: "the server refuses the credential", origin: place.server)
    }

    /// What was refused for good is not sent again: a later request starts over.
    private func forget(_ refused: HeldCredential?, because error: any Error, epoch: UInt64) {
        state.withLock { state in
            guard state.epoch == epoch, state.held?.generation == refused?.generation else { return }
            guard refused != nil || (error as? CountersignError)?.isRefusal == true else { return }
            state.held = nil
            // That the flight was given up says nothing to requests that come later.
            if !Task.isCancelled { state.refusal = (state.generation, .latest, error) }
        }
    }
}

extension CallRun.Refusal {
    /// The error of the requests that wait.
    var error: CountersignError {
        CountersignError(
            .refusedByServer, detail: "the server refuses the login" + (code.map { ": \($0)" } ?? ""), origin: origin,
            status: status)
    }
}

extension CountersignError {
    /// Whether a server has refused what was sent to it, so that sending it again would not help.
    fileprivate var isRefusal: Bool { code == .refusedByServer || code == .challengedAgain }
}
