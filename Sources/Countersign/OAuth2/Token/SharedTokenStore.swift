#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A token store that several processes use at once: what ``OAuth2TokenStore`` alone cannot promise.
///
/// With such a store one process renews a token and the others take over what it got. A session renews like this:
///
/// 1. It takes the lock with ``withExclusiveAccess(for:_:)``, and reads the token again.
/// 2. If another process has stored a newer one meanwhile, it takes that over. Otherwise it sends the refresh token, which no other
///    process does now.
/// 3. It stores what it got with ``replaceToken(_:with:for:)``, and only then gives the lock back and lets requests go on.
///
/// ``CredentialTokenStore`` is such a store over encrypted files or memory. A store of one's own, in a database for example, has to
/// keep these promises:
///
/// - The lock ends with its process, however that ends. One that outlives a crash stops every other process.
/// - A stored token is there after a crash: the server accepts the one before it no more.
/// - Storing and deleting do not wait for the lock. A logout does not wait for a renewal.
public protocol SharedTokenStore: OAuth2TokenStore {
    /// Runs work that no other task and no other process does at the same time for the same address.
    ///
    /// - Throws: what the work throws; `CancellationError` if the task is cancelled while it waits; the store's own error if it cannot
    ///   lock. Then nothing is sent to the server: a renewal without the lock could cost every process the session.
    func withExclusiveAccess<Result: Sendable>(
        for url: URL, _ work: @Sendable () async throws -> Result
    ) async throws -> Result

    /// Keeps a token, or none, if what is there is still the token that it replaces.
    ///
    /// - Parameters:
    ///   - old: The token that was seen; `nil` if there was none.
    ///   - new: The token to keep; `nil` to keep none.
    ///   - url: The address that the token is for.
    /// - Returns: whether it was.
    func replaceToken(_ old: OAuth2Token?, with new: OAuth2Token?, for url: URL) throws -> Bool
}
