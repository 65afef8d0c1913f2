#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Stores tokens by URL, beyond the lifetime of a request or of the process.
///
/// The session calls a store when a token was obtained, renewed or rejected. Calls may block and may come from any thread. If
/// ``store(token:for:)`` throws, the session continues with the token in memory.
///
/// Shared by several processes, or by an app and its extensions, a store with only these requirements does not guarantee:
///
/// - **One renewal for all.** Without a lock, two processes may renew at the same time. If the server rotates refresh tokens, the
///   slower process sends one that was already used, and many servers then end the whole session.
/// - **The newest token wins.** There is no conditional write, so a slower process can overwrite a newer token with an older one.
/// - **Atomic writes.** The effect of a crash during ``store(token:for:)`` depends on the implementation.
/// - **Secrecy at rest.** Tokens are passed in clear; encryption is up to the implementation.
///
/// The first two do not matter to a single process with one session per store. Sessions of a process that have the same object as
/// their store renew one after another. Processes that share a store need a ``SharedTokenStore``, such as ``CredentialTokenStore``.
///
/// ```swift
/// let store = MemoryTokenStore()
/// try store.store(token: token, for: orders)
/// let known = try store.token(for: orders)
/// ```
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol OAuth2TokenStore: Sendable {
    /// Stores a token, replacing an existing one.
    ///
    /// - Throws: The store's error.
    func store(token: OAuth2Token, for url: URL) throws

    /// Returns the token for a URL, or `nil` if there is none.
    ///
    /// - Throws: The store's error, also for a token that exists and is unreadable.
    func token(for url: URL) throws -> OAuth2Token?

    /// Deletes the token for a URL, if there is one.
    ///
    /// - Throws: The store's error. A logout then throws ``CountersignError/Code/credentialNotDeleted``.
    func deleteToken(for url: URL) throws

    /// Deletes all tokens.
    ///
    /// The default implementation does nothing; then only ``deleteToken(for:)`` deletes tokens.
    func clear()
}

extension OAuth2TokenStore {
    public func clear() {}
}
