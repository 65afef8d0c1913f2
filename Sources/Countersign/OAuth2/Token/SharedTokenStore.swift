#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A token store for several processes, with the guarantees that ``OAuth2TokenStore`` lacks.
///
/// One process renews a token, and the others read the new one. A session renews in these steps:
///
/// 1. It takes the lock with ``withExclusiveAccess(for:_:)``, and reads the token again.
/// 2. If another process has stored a newer token meanwhile, it uses that one. Otherwise it sends the refresh token, which no other
///    process does at the same time.
/// 3. It stores the new token with ``replaceToken(_:with:for:)``, and only then releases the lock and resumes requests.
///
/// ``CredentialTokenStore`` implements this over encrypted files or memory. A custom store, for example in a database, must
/// guarantee:
///
/// - The lock is released when its process ends for any reason. A lock that survives a crash blocks every other process.
/// - A stored token survives a crash, since the server no longer accepts its predecessor.
/// - Storing and deleting do not wait for the lock. A logout does not wait for a renewal.
public protocol SharedTokenStore: OAuth2TokenStore {
    /// Runs work while no other task or process runs work for the same URL.
    ///
    /// A session cancels the call if it still waits for the lock near the time limit of the authentication.
    ///
    /// - Throws: The error of the work; `CancellationError` if the task is cancelled while it waits; the store's own error if it
    ///   cannot lock. In the last case nothing is sent to the server, since a renewal without the lock could end the session of
    ///   every process.
    func withExclusiveAccess<Result: Sendable>(
        for url: URL, _ work: @Sendable () async throws -> Result
    ) async throws -> Result

    /// Replaces a token if the stored one still equals the given one.
    ///
    /// - Parameters:
    ///   - old: The expected token; `nil` if none is expected.
    ///   - new: The new token; `nil` to delete the old one.
    ///   - url: The URL of the token.
    /// - Returns: Whether the token was replaced.
    /// - Throws: The store's error.
    func replaceToken(_ old: OAuth2Token?, with new: OAuth2Token?, for url: URL) throws -> Bool
}
