#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A token store for a session. Calls run in order, one at a time, and not on the threads of Swift tasks, since they may block.
final class TokenVault: Sendable {
    private let store: any OAuth2TokenStore
    private let calls = BlockingCalls("countersign.token-store")

    init(_ store: any OAuth2TokenStore) {
        self.store = store
    }

    /// Whether processes share the store, so that a token that is not in it does not exist.
    var isShared: Bool { store is any SharedTokenStore }

    /// The store on servers that the tokens are in; `nil` if there is none.
    var distributed: (any DistributedCredentialStore)? {
        (store as? CredentialTokenStore)?.credentials as? any DistributedCredentialStore
    }

    /// The name under which the renewals of an origin's token take turns in this process; `nil` if the store has locks.
    func turn(of origin: Origin) -> CredentialKey? {
        isShared ? nil : RenewalTurns.key(of: "\(origin)", in: store, usedBy: self)
    }

    /// Runs work with the store, after all earlier calls.
    func perform<Result: Sendable>(_ work: @escaping @Sendable (any OAuth2TokenStore) throws -> Result) async throws -> Result {
        try await calls.perform { [store] in try work(store) }
    }

    /// Runs work with the store, without waiting for it.
    func enqueue(_ work: @escaping @Sendable (any OAuth2TokenStore) -> Void) {
        calls.enqueue { [store] in work(store) }
    }

    /// Runs work that no other process runs at the same time, if the store can ensure that.
    ///
    /// - Parameter timeout: The time limit for taking the store's lock. The store may have a lower one of its own.
    /// - Throws: ``CredentialStoreError`` with the code `lockTimedOut`; the store's errors; the errors of the work.
    func exclusively<Result: Sendable>(
        for url: URL, timeout: Duration, _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let shared = store as? any SharedTokenStore else { return try await work() }
        let turn = LockTurn()
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await shared.withExclusiveAccess(for: url) { () async throws -> Result? in
                    guard turn.end(in: .working) else { return nil }
                    return try await work()
                }
            }
            group.addTask {
                // A cancelled caller gets the store's error, or the result of work that has begun.
                guard (try? await Task.sleep(for: timeout)) != nil, turn.end(in: .over) else { return nil }
                throw CredentialStoreError(.lockTimedOut, detail: "another task or process holds the token's lock for too long")
            }
            defer { group.cancelAll() }
            while let success = try await group.next() {
                if let success { return success }
            }
            // Not reached: one of the two tasks returns a result or throws.
            throw CancellationError()
        }
    }
}
