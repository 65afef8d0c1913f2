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
/// So does a login, although a person may take minutes for it: the processes that wait have no token either, or one that the server
/// takes no more (a good one would have been taken over), and without the lock each of them would show a login page of its own. The lock
/// does not stand in the way of a logout, and who waits for it waits no longer than the limit of the flight and of the store.
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
        /// A token that the server has issued and no flight has committed, as when every request that waited for it was cancelled. The
        /// refresh token of `held` may be used up by then.
        var uncommitted: OAuth2IssuedToken?
        /// The generation that `held` belongs to.
        var generation = Generation.none
        /// Counts the users: what was begun for one is not kept for the next.
        var epoch: UInt64 = 0
        var renewal: Task<Renewed, any Error>?
        /// A failure with `Retry-After`: until then no renewal is sent, and each ends with this failure. A login is not held up.
        var pause: (until: Duration, failure: OAuth2TokenFailure)?
        /// When an early renewal may be tried again.
        var nextEarlyRenewal = Duration.zero
        /// Set when the store failed to keep a token, and has to be asked again.
        var unstored: Unstored?
        /// Set when the store failed to forget the token of a user who has logged out, and has to be asked again.
        var undeleted: Undeleted?
        /// Whether what the store has may be the token of a user who has logged out; it is not used before a token was stored here.
        var isDisowned = false
    }

    /// A token that could not be stored.
    private struct Unstored {
        /// When to ask the store again.
        var next: Duration
        let token: OAuth2Token
        /// What was in the store before.
        let old: OAuth2Token?
        let origin: TokenOrigin

        /// Whether a stored token is the one that this one has to replace, and so older than it.
        func replaces(_ stored: OAuth2Token) -> Bool { old?.accessToken == stored.accessToken }
    }

    /// A token that could not be deleted at a logout.
    private struct Undeleted {
        /// When to ask the store again.
        var next: Duration
        /// The token that was held then; `nil` where the store had never been asked.
        let token: OAuth2Token?
        /// Why it could not be deleted.
        let failure: any Error
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
    private let review: AuthenticationReview?
    private let state = Mutex(State())

    /// How long to wait until something that failed in the background is tried again.
    private static let patience: Duration = .seconds(30)

    /// - Parameters:
    ///   - url: The address of the origin, by which the store keeps the token.
    ///   - review: Has a say on a login by a person, not on a renewal: that is the same user.
    ///   - failed: Is told of each flight that failed.
    init(
        _ origin: Origin, url: URL, source: any TokenSource, vault: TokenVault, clock: TokenClock,
        limits: FlightCoordinator.Limits, flightClock: any Clock<Duration>, review: AuthenticationReview? = nil,
        failed: @escaping @Sendable (any Error) -> Void = { _ in }, report: @escaping @Sendable (SessionEvent.Kind) -> Void
    ) {
        self.origin = origin
        self.url = url
        self.source = source
        self.vault = vault
        self.clock = clock
        self.report = report
        self.review = source.isInteractive ? review : nil
        coordinator = FlightCoordinator(limits: limits, clock: flightClock) { [name = source.authenticationMethod] flight in
            report(SessionEvent(flight, interactive: limits.isInteractive, authenticationMethod: name).kind)
            if case .failed(let error) = flight { failed(error) }
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
    var isEmpty: Bool {
        guard coordinator.waiterCount == 0 else { return false }
        return state.withLock { state in
            state.held == nil && state.uncommitted == nil && state.renewal == nil && state.undeleted == nil
        }
    }

    /// Asks the store, once.
    func restore() async throws {
        let epoch = state.withLock { $0.isRestored ? nil : $0.epoch }
        guard let epoch else { return }
        let token = try await vault.perform { [self] store in
            do {
                return try read(store)
            } catch let error where error.isDamage {
                // Nothing that could be read again later: a login takes its place.
                report(.damaged)
                return nil
            }
        }
        let restored = token.map(clock.restored)
        state.withLock { state in
            guard !state.isRestored, state.epoch == epoch else { return }
            state.isRestored = true
            state.held = restored
        }
    }

    /// Does what a request should not wait for: renews a token that will soon run out, stores or deletes one that could not be.
    func tend(in session: Session, isRenewable: Bool) {
        let now = clock.elapsed()
        let (renews, stores, deletes, generation) = state.withLock { state in
            // Never a login: the token is good still, and nobody has asked for one.
            let isQuiet = !source.isInteractive || (source.isRenewing && state.held?.token.refreshToken != nil)
            let renews = isRenewable && isQuiet && now >= state.nextEarlyRenewal
            if renews { state.nextEarlyRenewal = now + Self.patience }
            let stores = state.unstored.map { now >= $0.next } ?? false
            if stores { state.unstored?.next = now + Self.patience }
            let deletes = state.undeleted.map { now >= $0.next } ?? false
            if deletes { state.undeleted?.next = now + Self.patience }
            return (renews, stores, deletes, state.generation)
        }
        if renews { Task.detached { try? await self.ensureNewer(than: generation, in: session) } }
        if stores { Task.detached { await self.storeAgain() } }
        if deletes { vault.enqueue { self.deleteAgain(in: $0) } }
    }
}

// MARK: - A new token

extension TokenAudience {
    /// Sees to a token newer than `generation`; returns at once if there is one.
    ///
    /// - Parameter begun: The exchange that needs it.
    /// - Throws: the method's error; ``FlightFailure``; `CancellationError`.
    func ensureNewer(than generation: Generation, begun: ExchangeNumber = .none, in session: Session) async throws {
        let scope = FlightScope(of: coordinator, within: FlightScope.current)
        _ = try await coordinator.ensureNewer(than: generation, begun: begun) { [self] in
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
            state.uncommitted = nil
            state.generation = next
            state.pause = nil
        }
    }

    private func newToken(in session: Session, scope: FlightScope, epoch: UInt64) async throws -> OAuth2IssuedToken {
        let renewal = try renewal(in: session, scope: scope, epoch: epoch)
        if case .token(let issued) = try await renewal.value { return issued }
        // A login, which can be cancelled; nothing is lost with it.
        return try await vault.exclusively(for: url) { [self] in
            let basis = try await basis(epoch: epoch)
            if let usable = basis.usable { return usable }
            let issued = try await scope.run(while: { try self.verify(epoch) }) {
                let issued = try await source.obtain(in: session, clock: clock)
                // Before anything is stored: a user who is refused leaves nothing behind.
                if let review, review.isWanted() {
                    try await scope.review(review, of: .token(issued.token), in: session)
                }
                return issued
            }
            await store(issued, insteadOf: basis.replaced, .login, epoch: epoch)
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
        let basis = try await basis(epoch: epoch)
        if let usable = basis.usable { return .token(usable) }
        let token = basis.token
        let isRenewal = token?.refreshToken != nil && source.isRenewing
        // A login of a user is no repetition of what the server wants a pause from.
        guard isRenewal || !source.isInteractive else { return .nothing }
        try verifyUnpaused()
        do {
            let issued: OAuth2IssuedToken
            let origin: TokenOrigin
            if let token, isRenewal {
                issued = try await scope.run(while: { try self.verify(epoch) }) {
                    try await twiceAtMost(epoch) { try await source.renew(token, in: session, clock: clock) }
                }
                origin = .renewal
            } else {
                issued = try await scope.run(while: { try self.verify(epoch) }) {
                    try await twiceAtMost(epoch) { try await source.obtain(in: session, clock: clock) }
                }
                origin = .login
            }
            // What is in the store is not always what was renewed: that may not have been stored.
            await store(issued, insteadOf: basis.replaced, origin, epoch: epoch)
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

    /// Throws the failure that came with a pause, if that is not over.
    private func verifyUnpaused() throws {
        if let pause = state.withLock(\.pause), clock.elapsed() < pause.until { throw pause.failure }
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

    /// Reads the store, and decides between what is there and what is in memory.
    ///
    /// - Throws: ``FlightFailure/sessionEnded`` if the session that it is for has ended.
    private func basis(epoch: UInt64) async throws -> Basis {
        let found = await find(epoch: epoch)
        let now = clock.elapsed()
        let restored: OAuth2IssuedToken? = if case .token(let stored) = found { clock.restored(stored) } else { nil }
        return try state.withLock { state in
            guard state.epoch == epoch else { throw FlightFailure.sessionEnded }
            let (held, unstored) = (state.held?.token, state.unstored)
            let known = state.uncommitted ?? state.held
            switch found {
            case .token(let stored) where unstored?.replaces(stored) != true:
                // One that came into the store from elsewhere, or that no flight has committed.
                let isUsable = stored.accessToken != held?.accessToken && restored?.lifetime.phase(at: now) != .expired
                return Basis(usable: isUsable ? restored : nil, token: stored, replaced: stored)
            // Another process has logged out: what it has ended is not begun again here.
            case .nothing where vault.isShared && unstored == nil:
                return Basis(usable: nil, token: nil, replaced: nil)
            case .token, .nothing, .unreadable:
                let uncommitted = state.uncommitted.flatMap { $0.lifetime.phase(at: now) == .expired ? nil : $0 }
                let replaced: OAuth2Token? =
                    switch found {
                    case .token(let stored): stored
                    case .nothing: nil
                    // Most likely what was there when it could be read.
                    case .unreadable: if let unstored { unstored.old } else { known?.token }
                    }
                return Basis(usable: uncommitted, token: known?.token, replaced: replaced)
            }
        }
    }

    /// Draws the consequences of a failure.
    ///
    /// - Returns: what another process has got instead.
    private func settle(_ failure: OAuth2TokenFailure, of token: OAuth2Token?, epoch: UInt64) async throws -> OAuth2IssuedToken? {
        switch failure.failureClass {
        case .terminal:
            guard let token else { return nil }
            // Somebody without our lock may have used the refresh token up; then the one that they got is there.
            if let stored = await stored(epoch: epoch), stored.refreshToken != token.refreshToken,
                state.withLock({ $0.unstored?.replaces(stored) }) != true
            {
                return clock.restored(stored)
            }
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

    /// What a renewal or a login begins with.
    private struct Basis: Sendable {
        /// A token that makes both unnecessary.
        let usable: OAuth2IssuedToken?
        /// The token to renew; `nil` if there is none.
        let token: OAuth2Token?
        /// What is taken to be in the store.
        let replaced: OAuth2Token?
    }

    /// What is in the store for this user: not what a logout should have taken away.
    private func read(_ store: any OAuth2TokenStore) throws -> OAuth2Token? {
        deleteAgain(in: store)
        return state.withLock { $0.undeleted == nil && !$0.isDisowned } ? try store.token(for: url) : nil
    }

    /// Looks into the store.
    private func find(epoch: UInt64) async -> Found {
        do {
            let token = try await vault.perform { [self] store in
                guard state.withLock({ $0.epoch == epoch }) else { return OAuth2Token?.none }
                return try read(store)
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

    /// Stores a token before anyone is told of it. If that fails, the token is used all the same, and stored later.
    ///
    /// - Parameter old: What was in the store.
    private func store(_ issued: OAuth2IssuedToken, insteadOf old: OAuth2Token?, _ origin: TokenOrigin, epoch: UInt64) async {
        let unstored = Unstored(next: .zero, token: issued.token, old: old, origin: origin)
        // Before anything can fail: the server may take the refresh token before it no more.
        state.withLock { if $0.epoch == epoch { $0.uncommitted = issued } }
        try? await vault.perform { [self] in write(unstored, to: $0, isLate: false, epoch: epoch) }
    }

    private func storeAgain() async {
        try? await vault.perform { [self] store in
            // Here and not before: what has been stored or has failed since then is newer.
            let (unstored, epoch) = state.withLock { ($0.unstored, $0.epoch) }
            if let unstored { write(unstored, to: store, isLate: true, epoch: epoch) }
        }
    }

    /// Writes a token, and notes what came of it before anything else is done with the store.
    ///
    /// - Parameter isLate: Whether this is another attempt, made without the store's lock.
    private func write(_ unstored: Unstored, to store: any OAuth2TokenStore, isLate: Bool, epoch: UInt64) {
        // Here and not before: ending the session deletes in the same queue, so what is written now is deleted after it.
        guard state.withLock({ $0.epoch == epoch }) else { return }
        do {
            do {
                try replace(unstored, in: store, isLate: isLate)
            } catch let error where error.isDamage {
                // What is there cannot be read, so it is nobody's newer token.
                try store.deleteToken(for: url)
                try store.store(token: unstored.token, for: url)
            }
            state.withLock { state in
                guard state.epoch == epoch else { return }
                state.unstored = nil
                // The token of the user before is overwritten, or was no longer there.
                state.undeleted = nil
                state.isDisowned = false
            }
        } catch {
            var again = unstored
            again.next = clock.elapsed() + Self.patience
            state.withLock { if $0.epoch == epoch { $0.unstored = again } }
            report(.notStored)
        }
    }

    private func replace(_ unstored: Unstored, in store: any OAuth2TokenStore, isLate: Bool) throws {
        if let shared = store as? any SharedTokenStore {
            if try shared.replaceToken(unstored.old, with: unstored.token, for: url) { return }
            // Another process has logged out meanwhile, or in: a renewal of what was before must not undo that, nor must a login that
            // was before it and is stored late.
            if isLate || unstored.origin == .renewal { return }
        } else if isLate, let stored = try store.token(for: url), !unstored.replaces(stored) {
            // The application has stored a token itself, after a login of its own.
            return
        }
        try store.store(token: unstored.token, for: url)
    }

    /// Forgets a token that the server will never take again, unless there is another by now.
    private func forget(_ token: OAuth2Token, epoch: UInt64) async {
        let outdated = state.withLock { state -> OAuth2Token? in
            guard state.epoch == epoch else { return nil }
            if state.held?.token.refreshToken == token.refreshToken { state.held = nil }
            if state.uncommitted?.token.refreshToken == token.refreshToken { state.uncommitted = nil }
            defer { state.unstored = nil }
            return state.unstored?.old
        }
        try? await vault.perform { [self] store in
            guard state.withLock({ $0.epoch == epoch }) else { return }
            // The store may still have the one before, which could not be replaced.
            for token in [token, outdated].compactMap({ $0 }) {
                if let shared = store as? any SharedTokenStore {
                    _ = try shared.replaceToken(token, with: nil, for: url)
                } else if try store.token(for: url)?.refreshToken == token.refreshToken {
                    try store.deleteToken(for: url)
                }
            }
        }
    }

    /// Leaves what the store has where it is, and uses it only once a token was stored here: it may be the token of a user who has logged
    /// out, or that of a later login in another process.
    func disown() {
        state.withLock { state in
            state.isRestored = true
            state.isDisowned = true
        }
    }

    /// Ends the user's session here.
    ///
    /// - Parameter deletes: Whether the stored token goes, too: at a logout, but not when an observer is taken off its session.
    func end(deletes: Bool) {
        coordinator.endSession()
        let generation = coordinator.generation
        let (held, epoch) = state.withLock { state in
            let (held, undeleted, isDisowned) = (state.held?.token, state.undeleted, state.isDisowned)
            let epoch = state.epoch + 1
            state = State()
            state.epoch = epoch
            state.generation = generation
            // After a logout nothing is read from the store until something was stored.
            state.isRestored = deletes
            // What an earlier logout left behind is still to be deleted.
            state.undeleted = undeleted
            state.isDisowned = !deletes && isDisowned
            return (held, epoch)
        }
        guard deletes else { return }
        vault.enqueue { [self] store in
            do {
                try store.deleteToken(for: url)
                state.withLock { $0.undeleted = nil }
            } catch {
                let undeleted = Undeleted(next: clock.elapsed() + Self.patience, token: held, failure: error)
                state.withLock { if $0.epoch == epoch { $0.undeleted = undeleted } }
                report(.notStored)
            }
        }
    }

    /// Waits until the store was asked to forget, and asks it once more if it has failed.
    ///
    /// - Throws: what keeps the store from forgetting.
    func forget() async throws {
        try await vault.perform { [self] store in
            deleteAgain(in: store)
            if let undeleted = state.withLock({ $0.undeleted }) { throw undeleted.failure }
        }
    }

    /// Deletes what a logout could not delete, unless another token has taken its place.
    private func deleteAgain(in store: any OAuth2TokenStore) {
        guard let undeleted = state.withLock({ $0.undeleted }) else { return }
        do {
            if let token = undeleted.token, let shared = store as? any SharedTokenStore {
                _ = try shared.replaceToken(token, with: nil, for: url)
            } else if let token = undeleted.token {
                if try store.token(for: url)?.accessToken == token.accessToken { try store.deleteToken(for: url) }
            } else {
                try store.deleteToken(for: url)
            }
            state.withLock { $0.undeleted = nil }
        } catch {
            let again = Undeleted(next: clock.elapsed() + Self.patience, token: undeleted.token, failure: error)
            state.withLock { if $0.undeleted != nil { $0.undeleted = again } }
        }
    }
}

extension Error {
    /// Whether what is stored is not what was stored there: then nothing is lost by writing over it.
    ///
    /// Not so where it is whole and only this process cannot read it, with another key for example.
    fileprivate var isDamage: Bool {
        switch self {
        case let error as CredentialStoreError: error.code == .corrupt || error.code == .foreign
        case is DecodingError: true
        default: false
        }
    }
}
