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
final class ManagedCredential: CredentialHolder {
    typealias Place = ProtectionSpace

    /// What requests carry.
    private struct Held {
        /// The values of the credential's fields.
        let values: [ProgramValue]
        /// The same as header fields.
        let fields: [HTTPField]
        /// What adds a field for each request anew.
        var signer: DigestSigner?
        /// The cookies now: responses change them.
        let cookies: CookieJar?
        let generation: Generation
        /// How many were refused in a row before it.
        let refusals: Int
        let lifetime: TokenLifetime
        /// As it is in the store; `nil` if it is not there.
        var stored: StoredCredentials.Entry?
        var isAccepted = false

        func hasExpired(at now: Duration) -> Bool { lifetime.phase(at: now) == .expired || cookies?.isEmpty == true }
    }

    /// What a request is given.
    struct Present {
        let fields: [HTTPField]
        let signer: DigestSigner?
        let cookies: CookieJar?
        /// As an exchange carries it.
        let generation: Generation
    }

    private struct State {
        var held: Held?
        /// What is stored and has run out here, whatever the wall clock says.
        var outdated: StoredCredentials.Entry?
        var generation = Generation.none
        /// Counts the users: what was begun for one is not kept for the next.
        var epoch: UInt64 = 0
        /// What is not sent to a server once more.
        var refusedLogins = RefusedLogins()
        /// What was refused for good, and the error of all requests that carried it, or were begun by then.
        var refusal: (generation: Generation, latest: ExchangeNumber, error: any Error)?
    }

    let place: ProtectionSpace
    /// Tells the generations of this space from those of others.
    let number: UInt64
    let coordinator: FlightCoordinator
    private let method: PreparedProgram
    private let store: StoredCredentials?
    private let report: @Sendable (SessionEvent.Kind) -> Void
    private let now: @Sendable () -> Duration
    private let refusedLoginInterval: Duration
    private let state = Mutex(State())

    /// - Parameter store: Where it is kept; `nil` for here alone.
    init(_ place: ProtectionSpace, number: UInt64, of method: PreparedProgram, store: StoredCredentials?, in session: Session) {
        self.place = place
        self.store = store
        self.number = number
        self.method = method
        now = session.now
        let configuration = session.configuration
        refusedLoginInterval = configuration.refusedLoginInterval
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

    var isIdle: Bool { coordinator.waiterCount == 0 && present == nil }

    /// Signs requests with another nonce from now on: name and password are as good as before.
    func replaceSigner(by signer: DigestSigner, in generation: Generation) {
        state.withLock { state in
            if state.held?.generation == generation.own(ofSpace: number) { state.held?.signer = signer }
        }
    }

    /// The present credential, unless it has run out.
    var present: Present? {
        let now = now()
        return state.withLock { state in
            guard let held = state.held, !held.hasExpired(at: now) else { return nil }
            return Present(
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

    /// Sees to another credential than the one that a challenged request carried; returns at once if there is one.
    ///
    /// - Throws: ``CountersignError``, an error of the application's, ``FlightFailure``, `CancellationError`.
    func ensureOther(than carried: Generation, after challenge: ChallengeReading, for exchange: ExchangeContext) async throws {
        let now = now()
        let observed = try state.withLock { state in
            let own = carried.own(ofSpace: number)
            // What has run out is not sent, so that no server can refuse it; what was sent was refused, also if its cookies went with that.
            if let held = state.held, held.hasExpired(at: now), own != held.generation {
                state.outdated = held.stored
                state.held = nil
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
        let scope = FlightScope(
            of: coordinator, within: FlightScope.current, presenter: exchange.session.configuration.presenter)
        _ = try await coordinator.ensureNewer(than: observed, begun: exchange.number) { [self] in
            let (refused, epoch) = state.withLock { ($0.held, $0.epoch) }
            // Not for the next user, if this one has logged out since the challenge.
            if let epoch = exchange.epoch { try exchange.session.requireCurrent(epoch) }
            let next = try await scope.run(while: { try self.verify(epoch) }) {
                do {
                    let found = try await storedCredential(insteadOf: refused, after: challenge, for: exchange, epoch: epoch)
                    if let found { return found }
                    let next = try await acquire(insteadOf: refused, after: challenge, for: exchange)
                    return await save(next, epoch: epoch)
                } catch {
                    forget(refused, because: error, epoch: epoch)
                    throw error
                }
            }
            return { [self] in try commit(next, epoch: epoch) }
        }
    }

    /// What tells servers that the present credential is no longer used; `nil` if there is none, or nothing to tell.
    func revocation() -> Revocation? {
        guard !method.program.end.isEmpty, let held = state.withLock(\.held) else { return nil }
        return { [method, report] session in
            var values = method.parameters
            for (slot, value) in zip(method.credentialSlots, held.values) { values[slot] = value }
            var runner = StepRunner(method, values: values, cookies: held.cookies?.fork(), in: session, report: report)
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

    // MARK: Store

    /// The credential in the store, unless it is the one that was refused, which is deleted there.
    ///
    /// A store that fails leads to a login, as an empty one does.
    private func storedCredential(
        insteadOf refused: Held?, after challenge: ChallengeReading, for exchange: ExchangeContext, epoch: UInt64
    ) async throws -> Held? {
        guard let store, !method.program.acquire.isEmpty else { return nil }
        if let entry = refused?.stored {
            if await store.remove(entry, while: { self.isCurrent(epoch) }) != nil { report(.notStored) }
        }
        let outdated = state.withLock { $0.outdated }
        do throws(CredentialStoreError) {
            guard let entry = try await store.load(place), entry != refused?.stored, entry != outdated else { return nil }
            guard var found = try? restored(entry, for: challenge, in: exchange.session) else { return nil }
            found.stored = entry
            // It was good for the process that stored it.
            found.isAccepted = true
            report(.ran(step: "load"))
            return found
        } catch {
            report(error.code == .corrupt ? .damaged : .notStored)
            return nil
        }
    }

    /// - Returns: `nil` if it would not be in the requests as it was, as that of another version of the spec may not.
    private func restored(
        _ entry: StoredCredentials.Entry, for challenge: ChallengeReading, in session: Session
    ) throws -> Held? {
        var values = method.parameters
        for slot in method.program.credential.fields.map(\.slot) where slot != method.program.credential.lifetime {
            guard let text = entry.fields[method.program.slots[slot].name] else { continue }
            values[slot] = method.program.slots[slot].isSecret ? .secret(text) : .text(text)
        }
        var jar: CookieJar?
        if let slot = method.program.credential.cookies {
            guard let cookies = entry.cookies?.map(\.cookie) else { return nil }
            let restored = session.cookies.emptied()
            for cookie in cookies { restored.set(cookie) }
            guard !restored.isEmpty else { return nil }
            values[slot] = .cookies(cookies)
            jar = restored
        }
        let remaining = entry.expires.map { Duration.seconds($0.timeIntervalSinceNow) }
        // No more than that: what has run out says nothing of its end.
        if let remaining, remaining <= .zero { return nil }
        let held = try held(values, jar, for: challenge, after: 0, remaining: remaining)
        return Set(held.fields.map(\.name.canonicalName)) == entry.attached ? held : nil
    }

    /// A credential that cannot be stored is used all the same.
    private func save(_ next: Held, epoch: UInt64) async -> Held {
        guard let store, !method.program.acquire.isEmpty else { return next }
        let names = method.program.credential.fields.map { method.program.slots[$0.slot].name }
        let texts = zip(names, next.values).compactMap { name, value in value.text.map { (name, $0) } }
        let entry = StoredCredentials.Entry(
            server: place.server?.description, separators: place.separators,
            fields: Dictionary(texts) { first, _ in first }, cookies: next.cookies?.all.map(StoredCookie.init),
            attached: Set(next.fields.map(\.name.canonicalName)),
            expires: next.lifetime.expiry.map { Date(timeIntervalSinceNow: ($0 - now()) / .seconds(1)) })
        var next = next
        if await store.save(entry, for: place, while: { self.isCurrent(epoch) }) == nil {
            next.stored = entry
        } else {
            report(.notStored)
        }
        return next
    }

    private func isCurrent(_ epoch: UInt64) -> Bool { state.withLock { $0.epoch == epoch } }

    // MARK: Flights

    /// A credential that is none that was refused.
    private func acquire(insteadOf refused: Held?, after challenge: ChallengeReading, for exchange: ExchangeContext) async throws
        -> Held
    {
        // Where a login is refused on the way, the rule holds that would follow the credential's own refusal.
        let rule = method.program.rejections.first { ($0.challenge ?? challenge.name) == challenge.name }
        let retries = rule?.retries ?? 0
        var refusals = 0
        var steps = method.program.acquire
        if let refused {
            // What follows a credential that was accepted is no retry.
            refusals = refused.isAccepted ? 0 : refused.refusals + 1
            guard let rule, refusals <= retries else { throw refusedForGood }
            if rule.action == .resend { steps = [] }
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
                    return try held(runner.values, runner.cookies, for: challenge, after: refusals)
                }
            } catch let refusal as CallRun.Refusal {
                // What was not typed does not become right by being sent again.
                guard runner.hasAsked(for: refusal.call), refusals < retries else {
                    note(refusal, of: runner)
                    throw CountersignError(
                        .refusedByServer, detail: "the server refuses the login", origin: refusal.origin, status: refusal.status)
                }
            }
            refusals += 1
            guard !steps.isEmpty, refusals <= retries else { throw refusedForGood }
        }
    }

    /// What was given by the parameters is not sent again for a while; what was typed may be typed again.
    private func note(_ refusal: CallRun.Refusal, of runner: StepRunner) {
        guard !runner.hasAsked(for: refusal.call), let login = runner.login(of: refusal.call) else { return }
        let now = now()
        state.withLock { state in
            // One that was not sent prolongs nothing.
            guard state.refusedLogins.refusal(of: login, at: now) == nil else { return }
            state.refusedLogins.note(login, refusal, until: now + refusedLoginInterval)
        }
    }

    /// - Parameters:
    ///   - values: All values by slot.
    ///   - remaining: How long it is good for, where no value says it.
    private func held(
        _ values: [ProgramValue], _ cookies: CookieJar?, for challenge: ChallengeReading, after refusals: Int,
        remaining: Duration? = nil
    ) throws -> Held {
        var lifetime = remaining
        if let slot = method.program.credential.lifetime, case .duration(let duration) = values[slot] { lifetime = duration }
        return Held(
            values: method.credentialSlots.map { values[$0] },
            fields: try method.program.attach.compactMap { try $0.field(values) },
            signer: try method.program.attach.compactMap { try $0.signer(values, for: challenge.digest) }.first,
            cookies: cookies, generation: coordinator.generation.next, refusals: refusals,
            lifetime: TokenLifetime(lifetime, from: now(), jitter: 0))
    }

    private var refusedForGood: CountersignError {
        CountersignError(.challengedAgain, detail: "the server refuses the credential", origin: place.server)
    }

    /// What was begun for a session that has ended is not kept for another.
    private func verify(_ epoch: UInt64) throws {
        guard isCurrent(epoch) else { throw FlightFailure.sessionEnded }
    }

    private func commit(_ next: Held, epoch: UInt64) throws {
        try state.withLock { state in
            guard state.epoch == epoch else { throw FlightFailure.sessionEnded }
            state.held = next
            state.generation = next.generation
        }
    }

    /// What was refused for good is not sent again: a later request starts over.
    private func forget(_ refused: Held?, because error: any Error, epoch: UInt64) {
        state.withLock { state in
            guard state.epoch == epoch, state.held?.generation == refused?.generation else { return }
            guard refused != nil || (error as? CountersignError)?.isRefusal == true else { return }
            state.held = nil
            // That the flight was given up says nothing to requests that come later.
            if !Task.isCancelled { state.refusal = (state.generation, .latest, error) }
        }
    }
}

extension CountersignError {
    /// Whether a server has refused what was sent to it, so that sending it again would not help.
    fileprivate var isRefusal: Bool { code == .refusedByServer || code == .challengedAgain }
}
