internal import SwiftASN1

/// The parameters of PBKDF2 (RFC 8018, appendix A.2).
struct PBKDF2Parameters {
    let salt: [UInt8]
    let iterations: Int
    let keyByteCount: Int?
    let hash: ArchiveHash

    init(_ algorithm: ArchiveAlgorithm) throws {
        guard algorithm.identifier == ASN1ObjectIdentifier.Encryption.pbkdf2 else {
            throw IdentityError(.unsupported, detail: "The archive derives keys with a function other than PBKDF2.")
        }
        (salt, iterations, keyByteCount, hash) = try algorithm.parameters { nodes in
            let salt = try ASN1OctetString(berEncoded: &nodes)
            let iterations = try Int(berEncoded: &nodes)
            var (count, hash): (Int?, ArchiveHash) = (nil, .sha1)
            while let node = nodes.next() {
                if node.identifier == .integer, count == nil {
                    count = try Int(berEncoded: node)
                } else {
                    hash = try Self.hmac(ArchiveAlgorithm(node))
                }
            }
            return (Array(salt.bytes), iterations, count, hash)
        }
    }

    func key(of byteCount: Int, from password: ArchivePassword, rounds: inout RoundBudget) throws -> [UInt8] {
        guard keyByteCount == nil || keyByteCount == byteCount else { throw UnexpectedStructure() }
        try rounds.spend(iterations, for: byteCount, with: hash)
        return try hash.pbkdf2(password: password.utf8, salt: salt, iterations: iterations, byteCount: byteCount)
    }

    static func hmac(_ algorithm: ArchiveAlgorithm) throws -> ArchiveHash {
        guard let hash = ArchiveHash.allCases.first(where: { $0.hmacIdentifier == algorithm.identifier }) else {
            throw IdentityError(.unsupported, detail: "The archive's HMAC uses none of SHA-1, SHA-256, SHA-384 and SHA-512.")
        }
        return hash
    }
}
