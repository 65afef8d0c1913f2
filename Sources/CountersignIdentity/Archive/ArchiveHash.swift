internal import Crypto
internal import CryptoExtras
internal import SwiftASN1

/// The hash functions of archives, used directly or in an HMAC.
enum ArchiveHash: CaseIterable {
    case sha1, sha256, sha384, sha512

    /// The object identifier of the hash function (RFC 8017, appendix B.1).
    var identifier: ASN1ObjectIdentifier {
        switch self {
        case .sha1: [1, 3, 14, 3, 2, 26]
        case .sha256: [2, 16, 840, 1, 101, 3, 4, 2, 1]
        case .sha384: [2, 16, 840, 1, 101, 3, 4, 2, 2]
        case .sha512: [2, 16, 840, 1, 101, 3, 4, 2, 3]
        }
    }

    /// The object identifier of the HMAC with the hash function (RFC 8018, appendix B.1).
    var hmacIdentifier: ASN1ObjectIdentifier {
        switch self {
        case .sha1: [1, 2, 840, 113549, 2, 7]
        case .sha256: [1, 2, 840, 113549, 2, 9]
        case .sha384: [1, 2, 840, 113549, 2, 10]
        case .sha512: [1, 2, 840, 113549, 2, 11]
        }
    }

    var byteCount: Int {
        switch self {
        case .sha1: Insecure.SHA1.byteCount
        case .sha256: SHA256.byteCount
        case .sha384: SHA384.byteCount
        case .sha512: SHA512.byteCount
        }
    }

    /// Derives a key by PBKDF2 with this HMAC (RFC 8018, section 5.2).
    ///
    /// - Parameter password: The password in UTF-8.
    func pbkdf2(password: [UInt8], salt: [UInt8], iterations: Int, byteCount: Int) throws -> [UInt8] {
        let function: KDF.Insecure.PBKDF2.HashFunction =
            switch self {
            case .sha1: .insecureSHA1
            case .sha256: .sha256
            case .sha384: .sha384
            case .sha512: .sha512
            }
        // The library requires non-empty buffers. HMAC pads a short key with zeros, so a single zero is equivalent to an empty
        // password.
        guard !salt.isEmpty else { throw UnexpectedStructure() }
        // The unchecked function accepts any number of iterations, which the archive determines and `RoundBudget` has limited.
        return try KDF.Insecure.PBKDF2.deriveKey(
            from: password.isEmpty ? [0] : password, salt: salt, using: function, outputByteCount: byteCount,
            unsafeUncheckedRounds: iterations
        ).withUnsafeBytes { Array($0) }
    }

    /// Derives a key by the method of PKCS #12 (RFC 7292, appendix B).
    ///
    /// - Parameter password: The password in big-endian UTF-16 with two zero bytes at the end; or empty.
    func pkcs12Key(
        _ purpose: PKCS12KeyDerivation.Purpose, password: [UInt8], salt: [UInt8], iterations: Int, byteCount: Int
    ) -> [UInt8] {
        let derivation = PKCS12KeyDerivation(
            purpose: purpose, password: password, salt: salt, iterations: iterations, byteCount: byteCount)
        return switch self {
        case .sha1: derivation.key(with: Insecure.SHA1.self)
        case .sha256: derivation.key(with: SHA256.self)
        case .sha384: derivation.key(with: SHA384.self)
        case .sha512: derivation.key(with: SHA512.self)
        }
    }

    func hmac(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: key)
        return switch self {
        case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: bytes, using: key))
        case .sha256: Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
        case .sha384: Array(HMAC<SHA384>.authenticationCode(for: bytes, using: key))
        case .sha512: Array(HMAC<SHA512>.authenticationCode(for: bytes, using: key))
        }
    }
}
