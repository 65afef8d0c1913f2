internal import Crypto
internal import CryptoExtras
internal import SwiftASN1

/// A scheme of password-based encryption in an archive.
///
/// Supported are PBES2 with AES or triple DES (RFC 8018, section 6.2) and the schemes of PKCS #12 with RC2 and triple DES (RFC
/// 7292, appendix C). RC4 is not supported, since no existing archive uses it.
struct PasswordEncryption {
    /// The error for a wrong password or damaged data.
    struct Failure: Error {}

    private enum Cipher {
        case aes(keyByteCount: Int)
        case tripleDES(keyByteCount: Int)
        case rc2(keyByteCount: Int)
    }

    private enum Derivation {
        case pkcs12(salt: [UInt8], iterations: Int)
        case pbkdf2(PBKDF2Parameters, initializationVector: [UInt8])
    }

    private let cipher: Cipher
    private let derivation: Derivation

    init(_ algorithm: ArchiveAlgorithm) throws {
        typealias Name = ASN1ObjectIdentifier.Encryption
        if algorithm.identifier == Name.pbes2 {
            (cipher, derivation) = try algorithm.parameters { nodes in
                let parameters = try PBKDF2Parameters(ArchiveAlgorithm(&nodes))
                let scheme = try ArchiveAlgorithm(&nodes)
                let cipher: Cipher? =
                    switch scheme.identifier {
                    case Name.aes128: .aes(keyByteCount: 16)
                    case Name.aes192: .aes(keyByteCount: 24)
                    case Name.aes256: .aes(keyByteCount: 32)
                    case Name.tripleDES: .tripleDES(keyByteCount: 24)
                    default: nil
                    }
                guard let cipher, let vector = scheme.parameters else { throw Self.unsupported }
                let bytes = Array(try ASN1OctetString(berEncoded: vector).bytes)
                return (cipher, .pbkdf2(parameters, initializationVector: bytes))
            }
            return
        }
        switch algorithm.identifier {
        case Name.sha1TripleDES: cipher = .tripleDES(keyByteCount: 24)
        case Name.sha1TwoKeyTripleDES: cipher = .tripleDES(keyByteCount: 16)
        case Name.sha1RC2With128Bits: cipher = .rc2(keyByteCount: 16)
        case Name.sha1RC2With40Bits: cipher = .rc2(keyByteCount: 5)
        default: throw Self.unsupported
        }
        derivation = try algorithm.parameters { nodes in
            let salt = try ASN1OctetString(berEncoded: &nodes)
            return .pkcs12(salt: Array(salt.bytes), iterations: try Int(berEncoded: &nodes))
        }
    }

    private static var unsupported: IdentityError {
        IdentityError(
            .unsupported, detail: "The archive is not encrypted with any of AES, triple DES and RC2 in their usual forms.")
    }

    /// Decrypts bytes.
    ///
    /// - Throws: ``Failure`` if the padding is invalid. A valid padding does not prove that the password is correct.
    func decrypt(_ bytes: [UInt8], password: ArchivePassword, rounds: inout RoundBudget) throws -> [UInt8] {
        switch cipher {
        case .aes(let count):
            let (key, vector) = try key(of: count, vectorByteCount: 16, password: password, rounds: &rounds)
            do {
                return Array(try AES._CBC.decrypt(bytes, using: SymmetricKey(data: key), iv: AES._CBC.IV(ivBytes: vector)))
            } catch {
                throw Failure()
            }
        case .tripleDES(let count):
            let (key, vector) = try key(of: count, vectorByteCount: TripleDES.blockByteCount, password: password, rounds: &rounds)
            guard let des = TripleDES(key: key) else { throw UnexpectedStructure() }
            return try Self.unchain(bytes, vector: vector, block: des.decrypt)
        case .rc2(let count):
            let (key, vector) = try key(of: count, vectorByteCount: RC2.blockByteCount, password: password, rounds: &rounds)
            guard let rc2 = RC2(key: key, effectiveBits: 8 * count) else { throw UnexpectedStructure() }
            return try Self.unchain(bytes, vector: vector, block: rc2.decrypt)
        }
    }

    private func key(
        of byteCount: Int, vectorByteCount: Int, password: ArchivePassword, rounds: inout RoundBudget
    ) throws -> (key: [UInt8], vector: [UInt8]) {
        switch derivation {
        case .pbkdf2(let parameters, let vector):
            guard vector.count == vectorByteCount else { throw UnexpectedStructure() }
            return (try parameters.key(of: byteCount, from: password, rounds: &rounds), vector)
        case .pkcs12(let salt, let iterations):
            let hash = ArchiveHash.sha1
            func derive(_ purpose: PKCS12KeyDerivation.Purpose, _ count: Int) throws -> [UInt8] {
                try rounds.spend(iterations, for: count, with: hash)
                return hash.pkcs12Key(purpose, password: password.utf16, salt: salt, iterations: iterations, byteCount: count)
            }
            return (try derive(.encryption, byteCount), try derive(.initializationVector, vectorByteCount))
        }
    }

    /// Decrypts in cipher block chaining mode with blocks of eight bytes, for the old ciphers, and removes the padding of RFC
    /// 8018, section 6.1.1.
    private static func unchain(_ bytes: [UInt8], vector: [UInt8], block decrypt: (ArraySlice<UInt8>) -> [UInt8]) throws -> [UInt8]
    {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: 8) else { throw Failure() }
        var (plain, previous): ([UInt8], ArraySlice<UInt8>) = ([], vector[...])
        plain.reserveCapacity(bytes.count)
        for start in stride(from: 0, to: bytes.count, by: 8) {
            let block = bytes[start..<(start + 8)]
            plain += zip(decrypt(block), previous).map { $0 ^ $1 }
            previous = block
        }
        guard let last = plain.last, (1...8).contains(last), plain.suffix(Int(last)).allSatisfy({ $0 == last }) else {
            throw Failure()
        }
        return Array(plain.dropLast(Int(last)))
    }
}
