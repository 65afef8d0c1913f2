// Why archives are parsed here, and not by NIOSSL.
//
// NIOSSL's parser (that of BoringSSL with a Swift wrapper) supports all ciphers. But it crashes the process, uncatchably, for an
// archive without a key and for a key without a certificate. Its parser of encrypted PEM keys does so for a password beyond
// ASCII, and it allows up to a hundred million iterations for each bag. To use it safely, the content must be known beforehand,
// and the content is encrypted. AES, PBKDF2, HMAC and the hash functions come from swift-crypto, keys and certificates from
// swift-certificates, and BER from swift-asn1, all of which throw errors. None of them has the features that only old archives
// need: the key derivation of PKCS #12 (which the writer needs as well), and decryption with RC2 and triple DES. These are 170
// lines without pointers, half of them tables, tested with the standards' vectors and OpenSSL. That is safer than guarding the
// other parser, and hardly more code.
//
// The cost of an archive is limited by its length and its hash iterations (see `RoundBudget`), by the depth of its bags, and by
// the number of certificates (see `CertificateChain`). swift-asn1 limits the depth of structures.

internal import SwiftASN1

/// Parses archives: the structure (RFC 7292), its MAC, and the encrypted or plain bags.
struct PKCS12Reader {
    /// The content of an archive.
    struct Contents {
        let key: IdentityKey
        let certificates: [[UInt8]]
    }

    /// The maximum size of an archive in bytes, which is also that of BoringSSL. An identity with a chain has two to twenty
    /// thousand bytes.
    static let maximumSize = 256 * 1024
    /// The maximum depth of nested bags. In practice, they are not nested.
    private static let maximumDepth = 4

    private enum KeyBag {
        case plain([UInt8])
        case shrouded(PasswordEncryption, [UInt8])
    }

    private var rounds: RoundBudget
    private let password: ArchivePassword
    private var keys: [KeyBag] = []
    private var certificates: [[UInt8]] = []

    private init(password: ArchivePassword, rounds: RoundBudget) {
        self.password = password
        self.rounds = rounds
    }

    /// Parses an archive.
    static func read(_ bytes: [UInt8], password: String) throws(IdentityError) -> Contents {
        do {
            return try readStructure(bytes, password: password)
        } catch let error as IdentityError {
            throw error
        } catch {
            // The errors of SwiftASN1 and this module name positions in the code, which do not help callers.
            throw IdentityError(.malformed, detail: "The archive is not PKCS #12, or is damaged.")
        }
    }

    private static func readStructure(_ bytes: [UInt8], password: String) throws -> Contents {
        let (content, authentication) = try open(bytes)
        var rounds = RoundBudget()
        let candidates = ArchivePassword.candidates(for: password)
        let wrong = IdentityError(.wrongPassword, detail: "The password is wrong, or the archive was altered.")
        if let authentication {
            for candidate in candidates where try authentication.isValid(for: content, password: candidate, rounds: &rounds) {
                var reader = PKCS12Reader(password: candidate, rounds: rounds)
                return try reader.contents(of: content)
            }
            throw wrong
        }
        // Without a MAC, only the decrypted content shows whether the password is correct.
        for candidate in candidates {
            var reader = PKCS12Reader(password: candidate, rounds: rounds)
            do {
                return try reader.contents(of: content)
            } catch is PasswordEncryption.Failure {
                rounds = reader.rounds
            }
        }
        throw wrong
    }

    // MARK: The structure

    /// Parses the outermost structure, PFX: the authenticated content and its MAC.
    private static func open(_ bytes: [UInt8]) throws -> (content: [UInt8], authentication: ArchiveAuthentication?) {
        guard bytes.count <= maximumSize else {
            throw IdentityError(.tooLarge, detail: "The archive has \(bytes.count) bytes; \(maximumSize) is the limit.")
        }
        let truncated = IdentityError(.truncated, detail: "The archive ends early, after \(bytes.count) bytes.")
        let root = try BER.parse(whole: bytes, truncated: truncated)
        return try BER.sequence(root, identifier: .sequence) { nodes in
            guard try Int(berEncoded: &nodes) == 3, let info = nodes.next() else { throw UnexpectedStructure() }
            let content = try BER.sequence(info, identifier: .sequence) { nodes in
                guard try ASN1ObjectIdentifier(berEncoded: &nodes) == ASN1ObjectIdentifier.Archive.data else {
                    throw IdentityError(.unsupported, detail: "The archive is protected by a public key instead of a password.")
                }
                return try octets(&nodes)
            }
            return (content, try nodes.next().map { try ArchiveAuthentication($0) })
        }
    }

    private static func octets(_ nodes: inout ASN1NodeCollection.Iterator) throws -> [UInt8] {
        try BER.explicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) {
            Array(try ASN1OctetString(berEncoded: $0).bytes)
        }
    }

    // MARK: The contents

    private mutating func contents(of content: [UInt8]) throws -> Contents {
        for info in try Self.elements(of: BER.parse(content)) {
            try BER.sequence(info, identifier: .sequence) { nodes in
                let type = try ASN1ObjectIdentifier(berEncoded: &nodes)
                switch type {
                case ASN1ObjectIdentifier.Archive.data:
                    try collect(BER.parse(Self.octets(&nodes)), depth: 1)
                case ASN1ObjectIdentifier.Archive.encryptedData:
                    let plain = try BER.explicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) { try decryptData($0) }
                    try collect(plain, depth: 1)
                default:
                    // Other contents, such as those encrypted to a public key, are skipped.
                    while nodes.next() != nil {}
                }
            }
        }
        guard keys.count <= 1 else {
            throw IdentityError(.severalPrivateKeys, detail: "The archive has \(keys.count) private keys.")
        }
        guard let bag = keys.first else { throw IdentityError(.noPrivateKey, detail: "The archive has no private key.") }
        return Contents(key: try key(in: bag), certificates: certificates)
    }

    private static func elements(of node: ASN1Node) throws -> ASN1NodeCollection {
        guard node.identifier == .sequence, case .constructed(let elements) = node.content else { throw UnexpectedStructure() }
        return elements
    }

    /// Decrypts contents that are encrypted as a whole (RFC 2315, section 13).
    private mutating func decryptData(_ node: ASN1Node) throws -> ASN1Node {
        try BER.sequence(node, identifier: .sequence) { nodes in
            _ = try Int(berEncoded: &nodes)
            guard let info = nodes.next() else { throw UnexpectedStructure() }
            // Attributes may follow, which are ignored.
            while nodes.next() != nil {}
            return try BER.sequence(info, identifier: .sequence) { nodes in
                guard try ASN1ObjectIdentifier(berEncoded: &nodes) == ASN1ObjectIdentifier.Archive.data else {
                    throw UnexpectedStructure()
                }
                let encryption = try PasswordEncryption(ArchiveAlgorithm(&nodes))
                guard let bytes = nodes.next() else { throw UnexpectedStructure() }
                let tag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
                let encrypted = Array(try ASN1OctetString(berEncoded: bytes, withIdentifier: tag).bytes)
                let plain = try encryption.decrypt(encrypted, password: password, rounds: &rounds)
                // With a wrong password, the padding is valid by chance in one of 256 cases, but the content is no sequence.
                guard let parsed = try? BER.parse(plain) else { throw PasswordEncryption.Failure() }
                return parsed
            }
        }
    }

    private mutating func collect(_ node: ASN1Node, depth: Int) throws {
        guard depth <= Self.maximumDepth else { throw UnexpectedStructure() }
        for bag in try Self.elements(of: node) {
            try BER.sequence(bag, identifier: .sequence) { nodes in
                let type = try ASN1ObjectIdentifier(berEncoded: &nodes)
                try BER.explicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) { value in
                    try collect(value, of: type, depth: depth)
                }
                // Names and other attributes are ignored, since the key's certificate is found by its public key.
                _ = nodes.next()
            }
        }
    }

    private mutating func collect(_ value: ASN1Node, of type: ASN1ObjectIdentifier, depth: Int) throws {
        switch type {
        case ASN1ObjectIdentifier.Archive.keyBag:
            keys.append(.plain(Array(value.encodedBytes)))
        case ASN1ObjectIdentifier.Archive.shroudedKeyBag:
            keys.append(
                try BER.sequence(value, identifier: .sequence) { nodes in
                    let encryption = try PasswordEncryption(ArchiveAlgorithm(&nodes))
                    return .shrouded(encryption, Array(try ASN1OctetString(berEncoded: &nodes).bytes))
                })
        case ASN1ObjectIdentifier.Archive.certificateBag:
            try BER.sequence(value, identifier: .sequence) { nodes in
                guard try ASN1ObjectIdentifier(berEncoded: &nodes) == ASN1ObjectIdentifier.Archive.x509Certificate else {
                    while nodes.next() != nil {}
                    return
                }
                certificates.append(try Self.octets(&nodes))
            }
        case ASN1ObjectIdentifier.Archive.safeContentsBag:
            try collect(value, depth: depth + 1)
        default:
            break  // revocation lists and secrets
        }
    }

    private mutating func key(in bag: KeyBag) throws -> IdentityKey {
        switch bag {
        case .plain(let bytes):
            return try IdentityKey(pkcs8: bytes)
        case .shrouded(let encryption, let bytes):
            let plain = try encryption.decrypt(bytes, password: password, rounds: &rounds)
            guard (try? BER.parse(plain)) != nil else { throw PasswordEncryption.Failure() }
            return try IdentityKey(pkcs8: plain)
        }
    }
}
