#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps tokens in a ``CredentialStore``, one for each ``Origin``: as secret, as lasting and as shared as that store is.
///
/// Over the encrypted files of the module `CountersignFileStore`, any number of processes of one user share their tokens: one of
/// them renews, and the others take over what it got.
///
/// ```swift
/// let credentials = EncryptedFileStore(folder: folder, key: key)
/// let tokens = CredentialTokenStore(credentials, name: "orders-client")
/// try tokens.store(token: token, for: orders)
/// ```
///
/// A call blocks the calling thread while it waits for the credential store; a session calls from a thread of its own.
///
/// **Errors** are ``CredentialStoreError``. What is stored and cannot be read is one, not "no token", and this store does not overwrite
/// it until ``deleteToken(for:)`` or ``clear()`` gives it up. A session gives up what is damaged, and logs in anew; what is whole and
/// only cannot be read here, with another key for example, it leaves alone: requests to that origin then fail with the error.
public struct CredentialTokenStore: SharedTokenStore {
    /// Where the tokens are kept.
    public let credentials: any CredentialStore
    /// Whose tokens they are.
    public let name: String
    /// How long a renewal or a login waits for that of another process.
    public let lockTimeout: Duration

    private let bridge = BlockingBridge()

    /// Makes a token store.
    ///
    /// - Parameters:
    ///   - credentials: Where the tokens are kept. ``clear()`` empties all of it.
    ///   - name: Whose tokens they are. Tokens of several clients or users are told apart by it where they share a credential store.
    ///   - lockTimeout: How long a renewal or a login waits for that of another process, which for a login is the time that the
    ///     user takes.
    public init(_ credentials: any CredentialStore, name: String = "", lockTimeout: Duration = .seconds(300)) {
        self.credentials = credentials
        self.name = name
        self.lockTimeout = lockTimeout
    }

    /// Keeps a token for the origin of a URL, in place of whatever token is there.
    ///
    /// - Throws: ``CredentialStoreError``; ``CountersignError`` with the code ``CountersignError/Code/invalidRequest`` if the URL has
    ///   no origin.
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
                    // Each conflict is another writer's success, so this comes to an end.
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

    /// Forgets the token for the origin of a URL, readable or not; there may be none.
    public func deleteToken(for url: URL) throws {
        guard let key = try? key(for: url) else { return }
        try bridge.wait { [credentials] () async throws(CredentialStoreError) in try await credentials.discard(key) }
    }

    /// Forgets everything in the credential store, readable or not, as far as that can be done.
    public func clear() {
        try? bridge.wait { [credentials] () async throws(CredentialStoreError) in try await credentials.clear() }
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
    /// An origin has no line break, so the last one parts it from the name.
    private func key(for url: URL) throws -> CredentialKey {
        guard let origin = Origin(url) else {
            throw CountersignError(.invalidRequest, detail: "a token can be kept for an absolute http or https URL only")
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
            // The decoder's own error quotes what it read.
            throw CredentialStoreError(.foreign, detail: "what is stored in the token's place is no token")
        }
    }
}

extension CredentialTokenStore: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of credential store; a name can tell who uses what.
    public var description: String { "CredentialTokenStore(\(type(of: credentials)), \(redacted))" }

    public var debugDescription: String { description }

    // What dump(_:) and reflecting loggers walk through.
    public var customMirror: Mirror {
        Mirror(self, children: ["credentials": "\(type(of: credentials))"], displayStyle: .struct)
    }
}
