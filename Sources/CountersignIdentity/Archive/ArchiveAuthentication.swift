internal import Crypto
internal import SwiftASN1

/// The message authentication code (MAC) of an archive: that of PKCS #12 (RFC 7292, section 4), or PBMAC1 (RFC 9579).
struct ArchiveAuthentication {
    private enum Derivation {
        case pkcs12(salt: [UInt8], iterations: Int)
        case pbmac1(PBKDF2Parameters, keyByteCount: Int)
    }

    private let hash: ArchiveHash
    private let derivation: Derivation
    private let code: [UInt8]

    init(_ node: ASN1Node) throws {
        (hash, derivation, code) = try BER.sequence(node, identifier: .sequence) { nodes in
            guard let digestInfo = nodes.next() else { throw UnexpectedStructure() }
            let (algorithm, code) = try BER.sequence(digestInfo, identifier: .sequence) { nodes in
                (try ArchiveAlgorithm(&nodes), Array(try ASN1OctetString(berEncoded: &nodes).bytes))
            }
            let salt = Array(try ASN1OctetString(berEncoded: &nodes).bytes)
            let iterations = try nodes.next().map { try Int(berEncoded: $0) } ?? 1
            if algorithm.identifier == ASN1ObjectIdentifier.Encryption.pbmac1 {
                let (hash, derivation) = try Self.pbmac1(algorithm)
                return (hash, derivation, code)
            }
            guard let hash = ArchiveHash.allCases.first(where: { $0.identifier == algorithm.identifier }) else {
                throw IdentityError(
                    .unsupported, detail: "The archive's MAC uses none of SHA-1, SHA-256, SHA-384 and SHA-512.")
            }
            return (hash, .pkcs12(salt: salt, iterations: iterations), code)
        }
    }

    /// Parses PBMAC1 parameters (RFC 9579, section 5): the outer salt and iteration count are ignored, and the key length is
    /// required.
    private static func pbmac1(_ algorithm: ArchiveAlgorithm) throws -> (ArchiveHash, Derivation) {
        try algorithm.parameters { nodes in
            let parameters = try PBKDF2Parameters(ArchiveAlgorithm(&nodes))
            let hash = try PBKDF2Parameters.hmac(ArchiveAlgorithm(&nodes))
            // A key shorter than SHA-1's output is too short for HMAC, and HMAC hashes a key longer than a block.
            guard let count = parameters.keyByteCount, (20...128).contains(count) else { throw UnexpectedStructure() }
            return (hash, .pbmac1(parameters, keyByteCount: count))
        }
    }

    /// Whether the MAC matches the bytes.
    func isValid(for bytes: [UInt8], password: ArchivePassword, rounds: inout RoundBudget) throws -> Bool {
        let key: [UInt8]
        switch derivation {
        case .pkcs12(let salt, let iterations):
            try rounds.spend(iterations, for: hash.byteCount, with: hash)
            key = hash.pkcs12Key(
                .authentication, password: password.utf16, salt: salt, iterations: iterations, byteCount: hash.byteCount)
        case .pbmac1(let parameters, let count):
            key = try parameters.key(of: count, from: password, rounds: &rounds)
        }
        let expected = hash.hmac(of: bytes, key: key)
        return expected.count == code.count && zip(expected, code).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
