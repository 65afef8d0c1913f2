#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The encoded form of an identity with its private key.
struct StoredIdentity: Codable, Sendable, Hashable {
    private let certificates: [Data]
    private let key: Data

    init(_ identity: ConnectionIdentity) {
        certificates = identity.certificateChain.map { Data($0) }
        key = Data(identity.privateKey.bytes)
    }

    /// The decoded identity.
    var identity: ConnectionIdentity {
        ConnectionIdentity(certificateChain: certificates.map(Array.init), privateKey: SecretBytes(key))
    }
}

extension StoredIdentity: RedactedDescription {}
