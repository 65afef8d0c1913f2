#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import Logging

/// Stores tokens in a ``CredentialStore``, one per ``Origin``, with that store's encryption, persistence and sharing.
///
/// With an `EncryptedFileStore` of the module `CountersignFileStore`, any number of processes of one user share their tokens: one
/// process renews a token, and the others read the new one.
///
/// ```swift
/// let credentials = EncryptedFileStore(folder: folder, key: key)
/// let tokens = CredentialTokenStore(credentials, name: "orders-client")
/// try tokens.store(token: token, for: orders)
/// ```
///
/// Calls block the calling thread while they wait for the credential store. Sessions call from a separate thread.
///
/// **Errors** are ``CredentialStoreError``. An unreadable token is an error, and is not overwritten before ``deleteToken(for:)`` or
/// ``clear()`` removes it. A session removes a damaged token and logs in again. It keeps a token that is intact but unreadable
/// here, for example encrypted with another key; then requests to that origin fail with the error.
public struct CredentialTokenStore: SharedTokenStore {
    /// The underlying credential store.
    public let credentials: any CredentialStore
    /// The name of the client or user that the tokens belong to.
    public let name: String
    /// The longest time that a renewal or a login waits for that of another process. A session waits at most for nine tenths of its
    /// ``SessionConfiguration/flightTimeout``, or of its ``SessionConfiguration/interactiveTimeout`` for a login with the user.
    public let lockTimeout: Duration

    private let bridge = BlockingBridge()

    /// Creates a token store.
    ///
    /// - Parameters:
    ///   - credentials: The underlying credential store. ``clear()`` removes all its entries.
    ///   - name: The name of the client or user. It separates tokens of several clients or users in one credential store.
    ///   - lockTimeout: The time that a renewal or a login waits for that of another process; for a login, the time that the user
    ///     needs. 300 seconds by default.
    public init(_ credentials: any CredentialStore, name: String = "", lockTimeout: Duration = .seconds(300)) {
        self.credentials = credentials
        self.name = name
        self.lockTimeout = lockTimeout
    }

    /// Stores a token for the origin of a URL, replacing any existing token.
    ///
    /// - Throws: ``CredentialStoreError``; ``CountersignError`` with the code ``CountersignError/Code/invalidRequest`` if the URL
    ///   has no origin.
    public func store(token: OAuth2Token, for url: URL) throws {
        let key = try key(for: url)
        let secret = try Self.secret(token)
        try bridge.wait { [credentials] () async throws(CredentialStoreError) in
            while true {
                let found = try await credentials.read(key)
                do throws(CredentialStoreError) {
                    try await credentials.write(secret, for: key, replacing: found?.version)
                    return
                } catch {
                    // Each conflict means that another writer has succeeded, so the loop ends.
                    guard error.code == .conflict else { throw error }
                }
            }
        }
    }

    public func token(for url: URL) throws -> OAuth2Token? {
        guard let key = try? key(for: url) else { return nil }
        return try bridge.wait { [credentials] () async throws(CredentialStoreError) in
            try await credentials.read(key).map(Self.token)
        }
    }

    /// Deletes the token for the origin of a URL, if there is one, even if it is unreadable.
    ///
    /// - Throws: ``CredentialStoreError``.
    public func deleteToken(for url: URL) throws {
        guard let key = try? key(for: url) else { return }
        try bridge.wait { [credentials] () async throws(CredentialStoreError) in try await credentials.discard(key) }
    }

    /// Deletes all entries of the credential store, even unreadable ones, as far as possible.
    ///
    /// This requirement of the protocol cannot throw, so a failure is a warning in the log, with the label `countersign`. Call
    /// ``CredentialStore/clear()`` of ``credentials`` for the error.
    public func clear() { clear(reportingTo: Logger(label: "countersign")) }

    func clear(reportingTo logger: Logger) {
        do throws(CredentialStoreError) {
            try bridge.wait { [credentials] () async throws(CredentialStoreError) in try await credentials.clear() }
        } catch {
            logger.warning("a store failed to delete its tokens", metadata: ["code": "\(error.code.rawValue)"])
        }
    }

    public func withExclusiveAccess<Result: Sendable>(
        for url: URL, _ work: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await credentials.withExclusiveLock(on: try key(for: url), timeout: lockTimeout, work)
    }

    public func replaceToken(_ old: OAuth2Token?, with new: OAuth2Token?, for url: URL) throws -> Bool {
        let key = try key(for: url)
        let secret = try new.map(Self.secret)
        return try bridge.wait { [credentials] () async throws(CredentialStoreError) in
            let found = try await credentials.read(key)
            guard try found.map(Self.token) == old else { return false }
            do throws(CredentialStoreError) {
                if let secret {
                    try await credentials.write(secret, for: key, replacing: found?.version)
                } else if let found {
                    try await credentials.delete(key, replacing: found.version)
                }
                return true
            } catch {
                guard error.code == .conflict else { throw error }
                return false
            }
        }
    }
}

extension CredentialTokenStore {
    /// Returns the key of an origin's token. An origin has no line break, so the last one separates it from the name.
    private func key(for url: URL) throws -> CredentialKey {
        guard let origin = Origin(url) else {
            throw CountersignError(.invalidRequest, detail: "a token can be stored only for an absolute http or https URL")
        }
        return CredentialKey("OAuth 2.0 token\n\(name)\n\(origin)")
    }

    private static func secret(_ token: OAuth2Token) throws(CredentialStoreError) -> SecretBytes {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            return SecretBytes(try encoder.encode(token))
        } catch {
            throw CredentialStoreError(.inputOutput, detail: "the token could not be encoded")
        }
    }

    private static func token(_ stored: StoredCredential) throws(CredentialStoreError) -> OAuth2Token {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            return try decoder.decode(OAuth2Token.self, from: Data(stored.secret.bytes))
        } catch {
            // The decoder's own error quotes the data, which may be secret.
            throw CredentialStoreError(.foreign, detail: "the stored data is not a token")
        }
    }
}

extension CredentialTokenStore: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type of the credential store. The name is not shown.
    public var description: String { "CredentialTokenStore(\(type(of: credentials)), \(redacted))" }

    public var debugDescription: String { description }

    // `dump(_:)` and loggers that use reflection read the mirror.
    public var customMirror: Mirror {
        Mirror(self, children: ["credentials": "\(type(of: credentials))"], displayStyle: .struct)
    }
}
