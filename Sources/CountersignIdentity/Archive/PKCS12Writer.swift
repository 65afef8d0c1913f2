// Why archives are written here: NIOSSL's writer uses PBES2 with AES-256, but a MAC with SHA-1 and 2048 iterations, neither of
// which can be changed. The format is that of OpenSSL 3: the certificates are encrypted together, the key is in a separate bag,
// and both are marked with the SHA-1 hash of the certificate, by which Windows, Java and Apple's systems find the key's
// certificate.

internal import Countersign
internal import Crypto
internal import CryptoExtras
internal import SwiftASN1

/// Writes archives (RFC 7292, section 5) with modern algorithms.
struct PKCS12Writer {
    let password: ArchivePassword
    let iterations: Int

    private typealias Name = ASN1ObjectIdentifier.Archive

    func archive(of identity: ClientIdentity, random: (Int) -> [UInt8]) throws -> [UInt8] {
        let mark = identity.certificateChain.first.map { Array(Insecure.SHA1.hash(data: $0)) } ?? []
        let certificates = try Self.encode { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                for (index, certificate) in identity.certificateChain.enumerated() {
                    try Self.bag(Name.certificateBag, mark: index == 0 ? mark : nil, in: &coder) { coder in
                        try coder.appendConstructedNode(identifier: .sequence) { coder in
                            try coder.serialize(Name.x509Certificate)
                            try Self.tagged(&coder) { try $0.serialize(ASN1OctetString(contentBytes: certificate[...])) }
                        }
                    }
                }
            }
        }
        let (certificateCipher, encryptedCertificates) = try encrypt(certificates, random: random)
        let (keyCipher, encryptedKey) = try encrypt(identity.privateKey.pkcs8.bytes, random: random)
        let keys = try Self.encode { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try Self.bag(Name.shroudedKeyBag, mark: mark, in: &coder) { coder in
                    try coder.appendConstructedNode(identifier: .sequence) { coder in
                        coder.serializeRawBytes(keyCipher)
                        try coder.serialize(ASN1OctetString(contentBytes: encryptedKey[...]))
                    }
                }
            }
        }
        let contents = try Self.encode { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try Self.encryptedData(encryptedCertificates, cipher: certificateCipher, in: &coder)
                try Self.data(keys, in: &coder)
            }
        }
        return try sealed(contents, salt: random(16))
    }

    /// Returns the complete archive, with a MAC of its contents.
    func sealed(_ contents: [UInt8], salt: [UInt8]) throws -> [UInt8] {
        let hash = ArchiveHash.sha256
        let key = hash.pkcs12Key(
            .authentication, password: password.utf16, salt: salt, iterations: iterations, byteCount: hash.byteCount)
        let code = hash.hmac(of: contents, key: key)
        return try Self.encode { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize(3)
                try Self.data(contents, in: &coder)
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try coder.appendConstructedNode(identifier: .sequence) { coder in
                        try Self.algorithm(hash.identifier, in: &coder) { try $0.serialize(ASN1Null()) }
                        try coder.serialize(ASN1OctetString(contentBytes: code[...]))
                    }
                    try coder.serialize(ASN1OctetString(contentBytes: salt[...]))
                    try coder.serialize(iterations)
                }
            }
        }
    }

    /// Encrypts with PBES2 (RFC 8018, section 6.2) with a new salt and initialization vector.
    ///
    /// - Returns: The encoded algorithm identifier, and the encrypted bytes.
    private func encrypt(
        _ bytes: [UInt8], random: (Int) -> [UInt8]
    ) throws -> (algorithm: [UInt8], encrypted: [UInt8]) {
        let hash = ArchiveHash.sha256
        let salt = random(16)
        let vector = random(16)
        let key = try hash.pbkdf2(password: password.utf8, salt: salt, iterations: iterations, byteCount: 32)
        let encrypted = try AES._CBC.encrypt(bytes, using: SymmetricKey(data: key), iv: AES._CBC.IV(ivBytes: vector))
        let algorithm = try Self.encode { coder in
            try Self.algorithm(ASN1ObjectIdentifier.Encryption.pbes2, in: &coder) { coder in
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try Self.algorithm(ASN1ObjectIdentifier.Encryption.pbkdf2, in: &coder) { coder in
                        try coder.appendConstructedNode(identifier: .sequence) { coder in
                            try coder.serialize(ASN1OctetString(contentBytes: salt[...]))
                            try coder.serialize(iterations)
                            try Self.algorithm(hash.hmacIdentifier, in: &coder) { try $0.serialize(ASN1Null()) }
                        }
                    }
                    try Self.algorithm(ASN1ObjectIdentifier.Encryption.aes256, in: &coder) { coder in
                        try coder.serialize(ASN1OctetString(contentBytes: vector[...]))
                    }
                }
            }
        }
        return (algorithm, Array(encrypted))
    }

    // MARK: Pieces

    private static func encode(_ write: (inout DER.Serializer) throws -> Void) throws -> [UInt8] {
        var coder = DER.Serializer()
        try write(&coder)
        return coder.serializedBytes
    }

    private static func algorithm(
        _ identifier: ASN1ObjectIdentifier, in coder: inout DER.Serializer, parameters: (inout DER.Serializer) throws -> Void
    ) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(identifier)
            try parameters(&coder)
        }
    }

    private static func tagged(_ coder: inout DER.Serializer, _ write: (inout DER.Serializer) throws -> Void) throws {
        try coder.appendConstructedNode(identifier: ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific), write)
    }

    private static func data(_ bytes: [UInt8], in coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(Name.data)
            try tagged(&coder) { try $0.serialize(ASN1OctetString(contentBytes: bytes[...])) }
        }
    }

    private static func encryptedData(_ bytes: [UInt8], cipher: [UInt8], in coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(Name.encryptedData)
            try tagged(&coder) { coder in
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try coder.serialize(0)
                    try coder.appendConstructedNode(identifier: .sequence) { coder in
                        try coder.serialize(Name.data)
                        coder.serializeRawBytes(cipher)
                        let tag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
                        try ASN1OctetString(contentBytes: bytes[...]).serialize(into: &coder, withIdentifier: tag)
                    }
                }
            }
        }
    }

    private static func bag(
        _ type: ASN1ObjectIdentifier, mark: [UInt8]?, in coder: inout DER.Serializer, value: (inout DER.Serializer) throws -> Void
    ) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(type)
            try tagged(&coder, value)
            guard let mark else { return }
            try coder.appendConstructedNode(identifier: .set) { coder in
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try coder.serialize(Name.localKeyIdentifier)
                    try coder.appendConstructedNode(identifier: .set) { coder in
                        try coder.serialize(ASN1OctetString(contentBytes: mark[...]))
                    }
                }
            }
        }
    }
}
