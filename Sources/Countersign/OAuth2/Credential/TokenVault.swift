#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A token store as a session may use it: in order, one call at a time, and off the threads that tasks run on, for it may block.
final class TokenVault: Sendable {
    private let store: any OAuth2TokenStore
    private let calls = BlockingCalls("countersign.token-store")

    init(_ store: any OAuth2TokenStore) {
        self.store = store
    }

    /// Whether processes share the store, so that what is not in it is nowhere.
    var isShared: Bool { store is any SharedTokenStore }

    /// Does something with the store, after all that was asked for before.
    func perform<Result: Sendable>(_ work: @escaping @Sendable (any OAuth2TokenStore) throws -> Result) async throws -> Result {
        try await calls.perform { [store] in try work(store) }
    }

    /// The same without waiting for it.
    func enqueue(_ work: @escaping @Sendable (any OAuth2TokenStore) -> Void) {
        calls.enqueue { [store] in work(store) }
    }

    /// Runs work that no other process does at the same time, if the store can ensure that.
    func exclusively<Result: Sendable>(
        for url: URL, _ work: @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let shared = store as? any SharedTokenStore else { return try await work() }
        return try await shared.withExclusiveAccess(for: url, work)
    }
}
