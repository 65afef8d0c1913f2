#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Synchronization

/// The tokens of a method in an ``OAuth2TokenStore``: one for each origin, stored under the origin's URL.
///
/// Such a store may support neither locks nor versions, and its calls may block. A token that a logout could not delete is not
/// used, since it belongs to the previous user. The same applies to the stored token of an origin that is first used after a
/// logout, until a token is stored here.
final class TokenCredentials: CredentialRepository {
    private struct State {
        /// The origins that may have a token.
        var origins: Set<Origin>
        /// The tokens in the store, as far as they were read or stored here.
        var tokens: [Origin: OAuth2Token] = [:]
        /// The tokens that a logout could not delete.
        var undeleted: [Origin: Undeleted] = [:]
        /// The origins whose token may belong to a user who has logged out.
        var disowned: Set<Origin> = []
        /// The origins whose damaged token was deleted here, and that have no token since.
        var lost: Set<Origin> = []
        /// The number of logouts. A write that began before a logout does not change the state that the logout has set.
        var logouts = 0
    }

    /// A token that could not be deleted at a logout.
    private struct Undeleted {
        /// The time of the next attempt.
        var next: Duration
        /// The token in the store at the logout; `nil` if the store had never been read.
        let token: OAuth2Token?
        /// The error of the deletion.
        let failure: any Error
    }

    private let vault: TokenVault
    private let state: Mutex<State>

    let locksOrFails = true

    /// - Parameter origins: The origins that may have a stored token already; `nil` if they are unknown.
    init(_ store: any OAuth2TokenStore, for origins: ProtectedOrigins?) {
        vault = TokenVault(store)
        state = Mutex(State(origins: origins?.origins ?? []))
    }

    /// Whether processes share the store, so that a token that is not in it does not exist.
    var isShared: Bool { vault.isShared }

    /// Whether the store must be readable: another machine may have used the refresh token that this process has in memory.
    var mustBeRead: Bool { vault.distributed?.requiresLock ?? false }

    func requireLock() async throws { try await vault.distributed?.requireLock() }

    func isDamage(_ error: any Error) -> Bool { error.isDamage }

    func note(_ place: ProtectionSpace) {
        guard let origin = place.server else { return }
        let isForeign = state.withLock { state in
            guard state.origins.insert(origin).inserted, state.logouts > 0 else { return false }
            state.disowned.insert(origin)
            return true
        }
        // If only this process uses the store, its token belongs to the user who has logged out.
        if isForeign, !isShared { delete(origin, at: .zero) }
    }

    func load(_ place: ProtectionSpace) async throws -> CredentialEntry? {
        guard let origin = place.server, let url = origin.url else { return nil }
        let token = try await vault.perform { [self] store -> OAuth2Token? in
            deleteAgain(origin, in: store)
            guard state.withLock({ $0.undeleted[origin] == nil && !$0.disowned.contains(origin) }) else { return nil }
            let token = try store.token(for: url)
            state.withLock { state in
                state.tokens[origin] = token
                // If it is missing later, another process has logged out.
                if token != nil { state.lost.remove(origin) }
            }
            return token
        }
        return token.map { CredentialEntry($0, for: place) }
    }

    /// Returns the tokens of all origins that may have one.
    func all() async throws -> [CredentialEntry] {
        try await vault.perform { [self] store in
            try state.withLock(\.origins).compactMap { origin -> CredentialEntry? in
                let isHidden = state.withLock { $0.undeleted[origin] != nil || $0.disowned.contains(origin) }
                guard let url = origin.url, !isHidden else { return nil }
                do {
                    let token = try store.token(for: url)
                    state.withLock { $0.tokens[origin] = token }
                    return token.map { CredentialEntry($0, for: ProtectionSpace(server: origin, separators: [])) }
                } catch let error where error.isDamage {
                    return nil
                }
            }
        }
    }

    func save(for place: ProtectionSpace, _ change: @escaping @Sendable () -> StoredChange?) async -> StoredOutcome {
        guard let origin = place.server, let url = origin.url else { return .declined }
        do {
            return try await vault.perform { [self] store -> StoredOutcome in
                // Read within the queue: a logout deletes in the same queue, so it deletes what is written now.
                let logouts = state.withLock(\.logouts)
                guard let change = change(), let token = change.entry.token?.token else { return .declined }
                deleteAgain(origin, in: store)
                do {
                    guard try write(token, of: origin, for: url, insteadOf: change.basis, to: store) else { return .declined }
                } catch let error where error.isDamage {
                    // An unreadable entry is not a newer token, so it is replaced.
                    try store.deleteToken(for: url)
                    state.withLock { if $0.logouts == logouts { $0.lost.insert(origin) } }
                    try store.store(token: token, for: url)
                }
                state.withLock { state in
                    state.tokens[origin] = token
                    state.lost.remove(origin)
                    guard state.logouts == logouts else { return }
                    // The previous user's token has been replaced, or was already gone.
                    state.undeleted[origin] = nil
                    state.disowned.remove(origin)
                }
                return .kept
            }
        } catch {
            return .failed(error)
        }
    }

    /// - Returns: `false` if the store contains another token than the one to replace.
    private func write(
        _ token: OAuth2Token, of origin: Origin, for url: URL, insteadOf basis: StoredBasis, to store: any OAuth2TokenStore
    ) throws -> Bool {
        if case .anything = basis {
            try store.store(token: token, for: url)
            return true
        }
        // A token that was lost by damage is replaced, unless the store has another one since.
        let isLost = try state.withLock { $0.lost.contains(origin) } && store.token(for: url) == nil
        let old = isLost ? nil : basis.entry?.token
        if let shared = store as? any SharedTokenStore {
            // It fails if another process has logged out or in meanwhile.
            return try shared.replaceToken(old?.token, with: token, for: url)
        }
        // The application or another observer may have stored a token after a login, or deleted it at a logout.
        guard try store.token(for: url).map(StoredToken.init) == old else { return false }
        try store.store(token: token, for: url)
        return true
    }

    func remove(
        _ entry: CredentialEntry, for place: ProtectionSpace, while isWanted: @escaping @Sendable () -> Bool
    ) async -> (any Error)? {
        guard let token = entry.token?.token, let url = place.server?.url else { return nil }
        do {
            try await vault.perform { store in
                guard isWanted() else { return }
                try store.deleteToken(token, for: url)
            }
            return nil
        } catch {
            return error
        }
    }

    func mayHaveDropped(_ place: ProtectionSpace) async -> Bool {
        guard let origin = place.server else { return false }
        return state.withLock { $0.lost.contains(origin) }
    }

    func turn(of place: ProtectionSpace) -> CredentialKey? { place.server.flatMap { vault.turn(of: $0) } }

    func exclusively<Success: Sendable>(
        for place: ProtectionSpace, timeout: Duration, unless found: @escaping @Sendable () async throws -> Success?,
        _ work: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        guard let url = place.server?.url else { return try await work() }
        return try await vault.exclusively(for: url, timeout: timeout, work)
    }
}

// MARK: - Logout

extension TokenCredentials {
    func disown() {
        state.withLock { state in
            state.logouts += 1
            state.disowned = state.origins
            state.lost = []
        }
    }

    func discard(at now: Duration) {
        for origin in state.withLock(\.origins) { delete(origin, at: now) }
    }

    func discard(_ origin: Origin, at now: Duration) {
        let isNew = state.withLock { $0.origins.insert(origin).inserted }
        if isNew { delete(origin, at: now) }
    }

    func waitForDeletion() async throws {
        try await vault.perform { [self] store in
            for origin in state.withLock({ $0.undeleted.keys }) { deleteAgain(origin, in: store) }
            if let undeleted = state.withLock({ $0.undeleted.values.first }) { throw undeleted.failure }
        }
    }

    func tend(_ place: ProtectionSpace, at now: Duration) {
        guard let origin = place.server else { return }
        let isDue = state.withLock { state in
            guard let undeleted = state.undeleted[origin], now >= undeleted.next else { return false }
            state.undeleted[origin]?.next = now + ManagedCredential.patience
            return true
        }
        if isDue { vault.enqueue { [self] in deleteAgain(origin, in: $0) } }
    }

    private func delete(_ origin: Origin, at now: Duration) {
        guard let url = origin.url else { return }
        vault.enqueue { [self] store in
            // Read within the queue: a write that began before the logout may have stored another token.
            let token = state.withLock { state in
                let latest = state.tokens.removeValue(forKey: origin)
                return latest ?? state.undeleted[origin]?.token
            }
            do {
                try store.deleteToken(for: url)
                state.withLock { state in
                    state.undeleted[origin] = nil
                    state.disowned.remove(origin)
                }
            } catch {
                state.withLock {
                    $0.undeleted[origin] = Undeleted(next: now + ManagedCredential.patience, token: token, failure: error)
                }
            }
        }
    }

    /// Retries a deletion that failed at a logout, unless another token has replaced that one.
    private func deleteAgain(_ origin: Origin, in store: any OAuth2TokenStore) {
        guard let undeleted = state.withLock({ $0.undeleted[origin] }), let url = origin.url else { return }
        do {
            if let token = undeleted.token { try store.deleteToken(token, for: url) } else { try store.deleteToken(for: url) }
            state.withLock { $0.undeleted[origin] = nil }
        } catch {
            let again = Undeleted(next: undeleted.next, token: undeleted.token, failure: error)
            state.withLock { if $0.undeleted[origin] != nil { $0.undeleted[origin] = again } }
        }
    }
}

extension OAuth2TokenStore {
    /// Deletes a token, unless another one has replaced it.
    fileprivate func deleteToken(_ token: OAuth2Token, for url: URL) throws {
        if let shared = self as? any SharedTokenStore {
            _ = try shared.replaceToken(token, with: nil, for: url)
        } else if try self.token(for: url).map(StoredToken.init) == StoredToken(token: token) {
            try deleteToken(for: url)
        }
    }
}

extension Origin {
    fileprivate var url: URL? { URL(string: "\(self)/") }
}

extension Error {
    /// Whether the stored data is damaged, so that overwriting it loses nothing.
    ///
    /// `false` for intact data that only this process cannot read, for example because it has another key.
    var isDamage: Bool {
        switch self {
        case let error as CredentialStoreError: error.code == .corrupt || error.code == .foreign
        case is DecodingError: true
        default: false
        }
    }

    /// Whether only one entry is damaged, so that the next one can replace it.
    var isCorruption: Bool { (self as? CredentialStoreError)?.code == .corrupt }
}
