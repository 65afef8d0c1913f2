public import Countersign
public import Foundation

/// Identities that an application obtains and stores. Generated observers for client certificates use it.
///
/// A stored identity that is unreadable or expired counts as absent, and the new identity replaces it. A credential has two values:
/// the identity, and its PKCS #12 archive in Base64.
public struct UserIdentitySource {
    private let discovery: any UserIdentityObtaining
    private let store: (any UserIdentityStoring)?
    private let now: @Sendable () -> Date
    private let calls = BlockingCalls("countersign.identity-store")

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - discovery: Obtains an identity if none is stored.
    ///   - store: The store of identities; `nil` for memory only.
    ///   - now: The clock for the expiry of certificates.
    public init(
        _ discovery: any UserIdentityObtaining, store: (any UserIdentityStoring)? = nil,
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.discovery = discovery
        self.store = store
        self.now = now
    }

    private static func read(_ archive: Data, at now: Date) throws(IdentityError) -> [ProgramValue] {
        let identity = try PKCS12Archive(reading: Array(archive), at: now).identity
        return [.identity(identity.connectionIdentity), .secret(archive.base64EncodedString())]
    }
}

extension UserIdentitySource: PlaceCredentialStore {
    public func load(for place: CredentialPlace) async throws -> [ProgramValue]? {
        guard let store, let url = place.url else { return nil }
        return try await calls.perform { [now] in
            guard let archive = try store.identity(for: url) else { return nil }
            return try? Self.read(archive, at: now())
        }
    }

    public func store(_ values: [ProgramValue], for place: CredentialPlace) async throws {
        guard let store, let url = place.url, case .secret(let text)? = values.last, let archive = Data(base64Encoded: text) else {
            return
        }
        try await calls.perform { try store.store(identity: archive, for: url) }
    }

    public func delete(for place: CredentialPlace) async throws {
        guard let store, let url = place.url else { return }
        try await calls.perform { try store.delete(for: url) }
    }
}

extension UserIdentitySource: ProgramPrompting {
    public func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
        let archive = try await archive()
        do {
            // Parsing an archive takes time, so it must not block the threads of other tasks.
            return try await calls.perform { [now] in try Self.read(archive, at: now()) }
        } catch let error as IdentityError {
            throw CredentialFailure.unusable("the obtained identity cannot be used: \(error.detail)")
        }
    }

    private func archive() async throws -> Data {
        if let discovery = discovery as? any CancellableUserIdentityObtaining { return try await discovery.obtainUserIdentity() }
        return try await GeneratedCodeVersion3.answer { complete in
            discovery.obtainUserIdentity { identity, error in
                switch (identity, error) {
                case (let identity?, nil): complete(.success(identity))
                case (nil, nil): complete(.failure(CredentialFailure.cancelled))
                case (nil, let error?): complete(.failure(error))
                case (_?, _?):
                    complete(.failure(CredentialFailure.unusable("the discovery gave an identity and an error at once")))
                }
            }
        }
    }
}

extension ClientIdentity {
    /// The identity for a transport.
    public var connectionIdentity: ConnectionIdentity {
        ConnectionIdentity(certificateChain: certificateChain, privateKey: privateKey.pkcs8)
    }
}
