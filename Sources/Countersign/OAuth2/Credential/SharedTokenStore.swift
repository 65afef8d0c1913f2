#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A token store that several processes use at once: what ``OAuth2TokenStore`` alone cannot promise.
///
/// With such a store one process renews a token and the others take over what it got.
public protocol SharedTokenStore: OAuth2TokenStore {
    /// Runs work that no other task and no other process does at the same time for the same address.
    ///
    /// - Throws: what the work throws, and the store's own error if it cannot lock.
    func withExclusiveAccess<Result: Sendable>(
        for url: URL, _ work: @Sendable () async throws -> Result
    ) async throws -> Result

    /// Keeps a token, or none, if what is there is still the token that it replaces.
    ///
    /// - Returns: Whether it was.
    func replaceToken(_ old: OAuth2Token?, with new: OAuth2Token?, for url: URL) throws -> Bool
}
