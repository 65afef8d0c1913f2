public import Countersign
internal import Foundation

/// Stores values in a `CredentialStore`, such as encrypted files, with that store's encryption and persistence.
///
/// ```swift
/// let store = CredentialCodableStore(EncryptedFileStore(folder: folder, key: key), name: "orders-client")
/// let context = OnboardingContext(credentialStore: store)
/// ```
///
/// Calls block the calling thread while they wait for the credential store. If processes share a store, the last value for a key
/// wins.
public final class CredentialCodableStore: CodableStoring {
    private let credentials: any CredentialStore
    private let name: String
    private let bridge = BlockingBridge()

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - credentials: The underlying credential store.
    ///   - name: The name of the owner of the values in a shared credential store.
    public init(_ credentials: any CredentialStore, name: String = "") {
        self.credentials = credentials
        self.name = name
    }

    /// - Throws: `CredentialStoreError`, also if the stored value has another type.
    public func get<T: Codable>(_ type: T.Type, for key: String) throws -> T? {
        let credential = credentialKey(key)
        let stored = try bridge.wait { [credentials] () async throws(CredentialStoreError) in try await credentials.read(credential)
        }
        guard let stored else { return nil }
        do {
            return try JSONDecoder().decode([T].self, from: Data(stored.secret.bytes)).first
        } catch {
            // The decoder's error is not passed on, because it quotes the value.
            throw CredentialStoreError(.foreign, detail: "the stored data is another kind of value")
        }
    }

    /// - Throws: `CredentialStoreError`.
    public func put<T: Codable>(_ value: T, for key: String) throws {
        // The value is wrapped in a list, because some JSON decoders require an object or array at the top level.
        guard let data = try? JSONEncoder().encode([value]) else {
            throw CredentialStoreError(.inputOutput, detail: "the value could not be encoded")
        }
        try write(SecretBytes(data), for: credentialKey(key))
        try changeIndex { $0.insert(key) }
    }

    /// - Throws: `CredentialStoreError`.
    public func remove(for key: String) throws {
        let credential = credentialKey(key)
        try bridge.wait { [credentials] () async throws(CredentialStoreError) in try await credentials.discard(credential) }
        try changeIndex { $0.remove(key) }
    }

    /// - Throws: `CredentialStoreError`.
    public func keys() throws -> Set<String> {
        let credential = indexKey
        return try bridge.wait { [credentials] () async throws(CredentialStoreError) in
            Self.index(try await credentials.read(credential))
        }
    }

    /// Changes the list of keys, which is stored as a separate value because a credential store cannot list its keys.
    private func changeIndex(_ change: @escaping @Sendable (inout Set<String>) -> Void) throws {
        let credential = indexKey
        try bridge.wait { [credentials] () async throws(CredentialStoreError) in
            while true {
                let found = try await credentials.read(credential)
                let old = Self.index(found)
                var new = old
                change(&new)
                if new == old { return }
                do throws(CredentialStoreError) {
                    let data = (try? JSONEncoder().encode(new.sorted())) ?? Data()
                    try await credentials.write(SecretBytes(data), for: credential, replacing: found?.version)
                    return
                } catch {
                    // Each conflict means that another writer succeeded, so the loop terminates.
                    guard error.code == .conflict else { throw error }
                }
            }
        }
    }

    private func write(_ secret: SecretBytes, for credential: CredentialKey) throws(CredentialStoreError) {
        try bridge.wait { [credentials] () async throws(CredentialStoreError) in
            while true {
                let found = try await credentials.read(credential)
                do throws(CredentialStoreError) {
                    try await credentials.write(secret, for: credential, replacing: found?.version)
                    return
                } catch {
                    guard error.code == .conflict else { throw error }
                }
            }
        }
    }

    private static func index(_ stored: StoredCredential?) -> Set<String> {
        guard let stored else { return [] }
        return Set((try? JSONDecoder().decode([String].self, from: Data(stored.secret.bytes))) ?? [])
    }

    private func credentialKey(_ key: String) -> CredentialKey { CredentialKey("value\n\(name)\n\(key)") }
    private var indexKey: CredentialKey { CredentialKey("value keys\n\(name)") }
}

extension CredentialCodableStore: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "CredentialCodableStore(\(type(of: credentials)), redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class) }
}
