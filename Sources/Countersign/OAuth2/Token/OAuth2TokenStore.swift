#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps tokens by the address that they are for, beyond the life of a request or of the process.
///
/// The session calls a store when a token was got, renewed or rejected. A call may block, as files and keychains do, and may come
/// from any thread. If ``store(token:for:)`` throws, the session goes on with the token in memory.
///
/// A store with these requirements alone, shared by several processes (or by an app and its extensions), cannot promise:
///
/// - **One renewal for all.** It has no lock, so two processes may renew at once. Where the server replaces refresh tokens at each
///   use, the slower process then sends one that is used up, and many servers end the whole session for that.
/// - **The newest token wins.** It cannot store on the condition that nothing changed since it was read, so a slower process can
///   write an older token over a newer one.
/// - **Nothing half written.** Whether a crash in the middle of ``store(token:for:)`` leaves the old token, the new one or neither is
///   up to the implementation.
/// - **Secrecy at rest.** Tokens come in clear; encrypting them is up to the implementation.
///
/// One process with one session for each store needs none of the first two. Processes that share a store use one that can lock:
/// a ``SharedTokenStore``, such as ``CredentialTokenStore``.
///
/// ```swift
/// let store = MemoryTokenStore()
/// try store.store(token: token, for: orders)
/// let known = try store.token(for: orders)
/// ```
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes are stores without a word about `Sendable`.
@preconcurrency public protocol OAuth2TokenStore: Sendable {
    /// Keeps a token in place of the one that is there.
    func store(token: OAuth2Token, for url: URL) throws

    /// The token for an address, or `nil` if there is none.
    func token(for url: URL) throws -> OAuth2Token?

    /// Forgets the token for an address; there may be none.
    func deleteToken(for url: URL) throws

    /// Forgets all tokens.
    ///
    /// A store that does not implement it keeps them: then only ``deleteToken(for:)`` takes tokens away.
    func clear()
}

extension OAuth2TokenStore {
    public func clear() {}
}
