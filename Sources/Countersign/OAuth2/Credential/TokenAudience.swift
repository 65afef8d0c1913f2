#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Synchronization

/// The token of one origin: what requests carry, and how a new one comes about for all who wait.
///
/// Three things happen at different speeds, and each has its place:
///
/// - **Every request** reads ``readiness()``: one lock, no task.
/// - **A challenge**, or a token that has run out, goes through the ``FlightCoordinator``: one attempt for any number of requests. The
///   flight can be cancelled, can time out, and can be left by everyone.
/// - **A renewal** can not. The server may have replaced the refresh token when it answers, so whoever asked has to be there for the answer,
///   and has to store it. So a renewal is a task of its own that nobody cancels; a flight only waits for it, and the next flight waits for the
///   same one.
///
/// A renewal holds the store's lock, if the store has one, reads the store again, and takes over what another process has got meanwhile.
final class TokenAudience: Sendable {
    /// What a request can be given now.
    enum Readiness: Sendable {
        /// The store has not been asked yet.
        case unknown
        /// There is no token: the server is asked without, and will challenge.
        case none(Generation)
        /// A token.
        case ready(OAuth2Token, Generation)
        /// A token, which should be renewed meanwhile.
        case renewable(OAuth2Token, Generation)
        /// A token that is known to have run out.
        case expired(Generation)
    }

    private struct State {
        var isRestored = false
        var held: OAuth2IssuedToken?
        /// The generation that `held` belongs to.
        var generation = Generation.none
        /// Counts the users: what was begun for one is not kept for the next.
        var epoch: UInt64 = 0
        var renewal: Task<Renewed, any Error>?
        /// A failure that the server or a lost network wants nothing more to be asked after, until then.
        var pause: (until: Duration, failure: OAuth2TokenFailure)?
        /// When an early renewal may be tried again.
        var nextEarlyRenewal = Duration.zero
        /// Set when the store failed to keep `held`, and has to be asked again.
        var unstored: Unstored?
    }

    /// A token that could not be stored.
    private struct Unstored {
        /// When to ask the store again.
        var next: Duration
        /// What was in the store before.
        let old: OAuth2Token?
        let origin: TokenOrigin
    }

    /// How a token came about.
    private enum TokenOrigin {
        /// For the refresh token of one that was stored; without that one, it has nothing to continue.
        case renewal
        /// Without a token: it begins something new.
        case login
    }

    /// What a renewal came to.
    private enum Renewed: Sendable {
        case token(OAuth2IssuedToken)
        /// There is nothing to renew: a person has to log in.
        case nothing
    }

    let origin: Origin
    let coordinator: FlightCoordinator
    private let url: URL
    private let source: any TokenSource
    private let vault: TokenVault
    private let clock: TokenClock
    private let report: @Sendable (SessionEvent.Kind) -> Void
    private let state = Mutex(State())

    /// How long to wait until something that failed in the background is tried again.
    private static let patience: Duration = .seconds(30)

    /// - Parameter url: The address of the origin, by which the store keeps the token.
    init(
        _ origin: Origin, url: URL, source: any TokenSource, vault: TokenVault, clock: TokenClock,
        limits: FlightCoordinator.Limits, flightClock: any Clock<Duration>, report: @escaping @Sendable (SessionEvent.Kind) -> Void
    ) {
        self.origin = origin
        self.url = url
        self.source = source
        self.vault = vault
        self.clock = clock
        self.report = report
        coordinator = FlightCoordinator(limits: limits, clock: flightClock) { [name = source.authenticationMethod] flight in
            report(SessionEvent(flight, interactive: limits.isInteractive, authenticationMethod: name).kind)
        }
    }
}

// MARK: - Every request

extension TokenAudience {
    /// What a request can be given now.
    func readiness() -> Readiness {
        let now = clock.elapsed()
        return state.withLock { state in
            guard state.isRestored else { return .unknown }
            guard let held = state.held, held.token.authorizationField != nil else { return .none(state.generation) }
            return switch held.lifetime.phase(at: now) {
            case .fresh: .ready(held.token, state.generation)
            case .renewable: .renewable(held.token, state.generation)
            case .expired: .expired(state.generation)
            }
        }
    }

    /// The token, whatever its phase.
    var current: (token: OAuth2Token, generation: Generation)? {
        state.withLock { state in state.held.map { ($0.token, state.generation) } }
    }

    /// Whether there is no token, and nobody waits for one.
    var isEmpty: Bool { coordinator.waiterCount == 0 && state.withLock { $0.held == nil && $0.renewal == nil } }

    /// Asks the store, once.
    func restore() async throws {
        let epoch = state.withLock { $0.isRestored ? nil : $0.epoch }
        guard let epoch else { return }
        let token = try await vault.perform { [url] in try $0.token(for: url) }
        let restored = token.map(clock.restored)
        state.withLock { state in
            guard !state.isRestored, state.epoch == epoch else { return }
            state.isRestored = true
            state.held = restored
        }
    }

    /// Does what a request should not wait for: renews a token that will soon run out, stores one that could not be stored.
    func tend(in session: Session, isRenewable: Bool) {
        let now = clock.elapsed()
        let (renews, stores, generation) = state.withLock { state in
            // Never a login: the token is good still, and nobody has asked for one.
            let isQuiet = !source.isInteractive || (source.isRenewing && state.held?.token.refreshToken != nil)
            let renews = isRenewable && isQuiet && now >= state.nextEarlyRenewal
            if renews { state.nextEarlyRenewal = now + Self.patience }
            let stores = state.unstored.map { now >= $0.next } ?? false
            if stores { state.unstored?.next = now + Self.patience }
            return (renews, stores, state.generation)
        }
        if renews { Task.detached { try? await self.ensureNewer(than: generation, in: session) } }
        if stores { Task.detached { await self.storeAgain() } }
    }
}

// MARK: - A new token

extension TokenAudience {
    /// Sees to a token newer than `generation`; returns at once if there is one.
    ///
    /// - Throws: the method's error; ``FlightFailure``; `CancellationError`.
    func ensureNewer(than generation: Generation, in session: Session) async throws {
        let scope = FlightScope(of: coordinator, within: FlightScope.current)
        _ = try await coordinator.ensureNewer(than: generation) { [self] in
            let epoch = state.withLock(\.epoch)
            // Ending the session cancels flights before it counts on: who is not cancelled now has the epoch that it began in.
            try Task.checkCancellation()
            let issued = try await translating { try await self.newToken(in: session, scope: scope, epoch: epoch) }
            return { [self] in try commit(issued, epoch: epoch) }
        }
    }

    private func commit(_ issued: OAuth2IssuedToken, epoch: UInt64) throws {
        let next = coordinator.generation.next
        try state.withLock { state in
            guard state.epoch == epoch else { throw FlightFailure.sessionEnded }
            state.isRestored = true
            state.held = issued
            state.generation = next
            state.pause = nil
        }
    }

    private func newToken(in session: Session, scope: FlightScope, epoch: UInt64) async throws -> OAuth2IssuedToken {
        let renewal = try renewal(in: session, scope: scope, epoch: epoch)
        if case .token(let issued) = try await renewal.value { return issued }
        // A login, which can be cancelled; nothing is lost with it.
        return try await vault.exclusively(for: url) { [self] in
            let before = state.withLock(\.held)
            if let adopted = await adoptable(insteadOf: before?.token, epoch: epoch) { return adopted }
            try verify(epoch)
            let issued = try await scope.run { try await source.obtain(in: session, clock: clock) }
            await store(issued, insteadOf: before?.token, .login, epoch: epoch)
            return issued
        }
    }

    /// The renewal that is under way, or a new one.
    ///
    /// - Throws: ``FlightFailure/sessionEnded`` if the session that it is for has ended.
    private func renewal(in session: Session, scope: FlightScope, epoch: UInt64) throws -> Task<Renewed, any Error> {
        try state.withLock { state in
            guard state.epoch == epoch else { throw FlightFailure.sessionEnded }
            if let renewal = state.renewal { return renewal }
            let renewal = Task.detached { [self] in
                defer { self.state.withLock { if $0.epoch == epoch { $0.renewal = nil } } }
                return try await vault.exclusively(for: url) { try await self.renew(in: session, scope: scope, epoch: epoch) }
            }
            state.renewal = renewal
            return renewal
        }
    }

    /// Runs under the store's lock.
    private func renew(in session: Session, scope: FlightScope, epoch: UInt64) async throws -> Renewed {
        let (held, pause, isUnstored) = state.withLock { ($0.held, $0.pause, $0.unstored != nil) }
        if let adopted = await adoptable(insteadOf: held?.token, epoch: epoch) { return .token(adopted) }
        if let pause, clock.elapsed() < pause.until { throw pause.failure }
        let found = await find(epoch: epoch)
        try verify(epoch)
        let (token, replaced) = basis(found, held: held?.token, isUnstored: isUnstored)
        do {
            let issued: OAuth2IssuedToken
            let origin: TokenOrigin
            if let token, token.refreshToken != nil, source.isRenewing {
                issued = try await scope.run {
                    try await twiceAtMost(epoch) { try await source.renew(token, in: session, clock: clock) }
                }
                origin = .renewal
            } else if !source.isInteractive {
                issued = try await scope.run {
                    try await twiceAtMost(epoch) { try await source.obtain(in: session, clock: clock) }
                }
                origin = .login
            } else {
                return .nothing
            }
            // What is in the store is not always what was renewed: that may not have been stored.
            await store(issued, insteadOf: replaced, origin, epoch: epoch)
            return .token(issued)
        } catch let failure as OAuth2TokenFailure {
            if let adopted = try await settle(failure, of: token, epoch: epoch) { return .token(adopted) }
            throw failure
        }
    }

    /// What was begun for a session that has ended asks nobody for a token.
    private func verify(_ epoch: UInt64) throws {
        guard state.withLock({ $0.epoch == epoch }) else { throw FlightFailure.sessionEnded }
    }

    /// A lost answer may have replaced the refresh token: servers let it be used once more for that case (RFC 9700, section 4.14).
    private func twiceAtMost(
        _ epoch: UInt64, _ request: () async throws -> OAuth2IssuedToken
    ) async throws -> OAuth2IssuedToken {
        do {
            return try await request()
        } catch let failure as OAuth2TokenFailure where failure.failureClass == .ambiguous {
            try verify(epoch)
            return try await request()
        }
    }

    /// The token to go on from, and what is taken to be in the store.
    private func basis(
        _ found: Found, held: OAuth2Token?, isUnstored: Bool
    ) -> (token: OAuth2Token?, replaced: OAuth2Token?) {
        switch found {
        // What cannot be read is most likely what was there when it could be.
        case .unreadable: (held, isUnstored ? nil : held)
        case .token(let stored): (isUnstored ? held : stored, stored)
        // Another process has logged out: what it has ended is not begun again here.
        case .nothing where vault.isShared && !isUnstored: (nil, nil)
        case .nothing: (held, nil)
        }
    }

    /// Draws the consequences of a failure.
    ///
    /// - Returns: what another process has got instead.
    private func settle(_ failure: OAuth2TokenFailure, of token: OAuth2Token?, epoch: UInt64) async throws -> OAuth2IssuedToken? {
        switch failure.failureClass {
        case .terminal:
            guard let token else { return nil }
            // Somebody without our lock may have used the refresh token up; then the one that they got is there (RT-17).
            if let stored = await stored(epoch: epoch), stored.refreshToken != token.refreshToken { return clock.restored(stored) }
            guard state.withLock({ $0.epoch == epoch }) else { return nil }
            await forget(token, epoch: epoch)
            report(.expired)
        case .transient(let retryAfter):
            guard let retryAfter else { return nil }
            let until = clock.elapsed() + retryAfter
            state.withLock { if $0.epoch == epoch { $0.pause = (until, failure) } }
        case .configuration, .ambiguous: break
        }
        return nil
    }

    private func translating<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch let failure as OAuth2TokenFailure {
            throw source.error(for: failure)
        }
    }
}

// MARK: - The store

extension TokenAudience {
    /// What a look into the store came to.
    private enum Found: Sendable {
        case token(OAuth2Token)
        case nothing
        /// The store has nothing to say against the token in memory.
        case unreadable
    }

    /// Looks into the store.
    private func find(epoch: UInt64) async -> Found {
        do {
            let token = try await vault.perform { [self] store in
                guard state.withLock({ $0.epoch == epoch }) else { return OAuth2Token?.none }
                return try store.token(for: url)
            }
            return token.map { .token($0) } ?? .nothing
        } catch {
            return .unreadable
        }
    }

    /// What is in the store, if it can be read.
    private func stored(epoch: UInt64) async -> OAuth2Token? {
        guard case .token(let token) = await find(epoch: epoch) else { return nil }
        return token
    }

    /// A token that came into the store from elsewhere, and can be used.
    private func adoptable(insteadOf known: OAuth2Token?, epoch: UInt64) async -> OAuth2IssuedToken? {
        guard let stored = await stored(epoch: epoch), stored.accessToken != known?.accessToken else { return nil }
        // One that could not be stored is newer than what is there.
        guard state.withLock({ $0.unstored == nil }) else { return nil }
        let restored = clock.restored(stored)
        return restored.lifetime.phase(at: clock.elapsed()) == .expired ? nil : restored
    }

    /// Stores a token before anyone is told of it. If that fails, the token is used all the same, and stored later (RT-19).
    ///
    /// - Parameter old: What was in the store.
    private func store(_ issued: OAuth2IssuedToken, insteadOf old: OAuth2Token?, _ origin: TokenOrigin, epoch: UInt64) async {
        do {
            try await vault.perform { [self] store in
                // Here and not before: ending the session deletes in the same queue, so what is written now is deleted after it.
                guard state.withLock({ $0.epoch == epoch }) else { return }
                if let shared = store as? any SharedTokenStore {
                    if try shared.replaceToken(old, with: issued.token, for: url) { return }
                    // Another process has logged out meanwhile, or in: a renewal of what was before must not undo that.
                    if origin == .renewal { return }
                }
                try store.store(token: issued.token, for: url)
            }
            state.withLock { if $0.epoch == epoch { $0.unstored = nil } }
        } catch {
            let next = clock.elapsed() + Self.patience
            state.withLock { if $0.epoch == epoch { $0.unstored = Unstored(next: next, old: old, origin: origin) } }
            report(.notStored)
        }
    }

    private func storeAgain() async {
        let (held, unstored, epoch) = state.withLock { ($0.held, $0.unstored, $0.epoch) }
        guard let held, let unstored else { return }
        await store(held, insteadOf: unstored.old, unstored.origin, epoch: epoch)
    }

    /// Forgets a token that the server will never take again, unless there is another by now.
    private func forget(_ token: OAuth2Token, epoch: UInt64) async {
        state.withLock { state in
            guard state.epoch == epoch else { return }
            if state.held?.token.refreshToken == token.refreshToken { state.held = nil }
            state.unstored = nil
        }
        try? await vault.perform { [self] store in
            guard state.withLock({ $0.epoch == epoch }) else { return }
            if let shared = store as? any SharedTokenStore {
                _ = try shared.replaceToken(token, with: nil, for: url)
            } else if try store.token(for: url)?.refreshToken == token.refreshToken {
                try store.deleteToken(for: url)
            }
        }
    }

    /// Ends the user's session here.
    ///
    /// - Parameter deletes: Whether the stored token goes, too: at a logout, but not when an observer is taken off its session.
    func end(deletes: Bool) {
        coordinator.endSession()
        let generation = coordinator.generation
        state.withLock { state in
            let epoch = state.epoch + 1
            state = State()
            state.epoch = epoch
            state.generation = generation
            // After a logout nothing is read from the store until something was stored.
            state.isRestored = deletes
        }
        guard deletes else { return }
        vault.enqueue { [url, report] store in
            do { try store.deleteToken(for: url) } catch { report(.notStored) }
        }
    }
}
