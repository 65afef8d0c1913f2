import TestTurns
import Testing

@testable import CountersignIdentity

/// The test vectors of the standards.
@Suite(.computes) struct `Old ciphers` {
    @Test(arguments: [
        // RFC 2268, section 5: key, effective bits, plaintext, ciphertext.
        ("0000000000000000", 63, "0000000000000000", "ebb773f993278eff"),
        ("ffffffffffffffff", 64, "ffffffffffffffff", "278b27e42e2f0d49"),
        ("3000000000000000", 64, "1000000000000001", "30649edf9be7d2c2"),
        ("88", 64, "0000000000000000", "61a8a244adacccf0"),
        ("88bca90e90875a", 64, "0000000000000000", "6ccf4308974c267f"),
        ("88bca90e90875a7f0f79c384627bafb2", 64, "0000000000000000", "1a807d272bbe5db1"),
        ("88bca90e90875a7f0f79c384627bafb2", 128, "0000000000000000", "2269552ab0f85ca6"),
        ("88bca90e90875a7f0f79c384627bafb216f80a6f85920584c42fceb0be255daf1e", 129, "0000000000000000", "5b78d3a43dfff1f1"),
    ])
    func `RC2 decrypts`(key: String, bits: Int, plain: String, encrypted: String) throws {
        let cipher = try #require(RC2(key: [UInt8](hexadecimal: key), effectiveBits: bits))
        #expect(cipher.decrypt([UInt8](hexadecimal: encrypted)[...]).hexadecimal == plain)
    }

    @Test(arguments: [
        // NIST SP 800-67, appendix B.
        ("0123456789abcdef23456789abcdef01456789abcdef0123", "5468652071756663", "a826fd8ce53b855f"),
        ("0123456789abcdef23456789abcdef01456789abcdef0123", "6b2062726f776e20", "cce21c8112256fe6"),
        ("0123456789abcdef23456789abcdef01456789abcdef0123", "666f78206a756d70", "68d5c05dd9b6b900"),
        // Three equal keys make triple DES equal to DES.
        ("133457799bbcdff1133457799bbcdff1133457799bbcdff1", "0123456789abcdef", "85e813540f0ab405"),
        // With two keys, the third is the first.
        ("133457799bbcdff1133457799bbcdff1", "0123456789abcdef", "85e813540f0ab405"),
    ])
    func `triple DES decrypts`(key: String, plain: String, encrypted: String) throws {
        let cipher = try #require(TripleDES(key: [UInt8](hexadecimal: key)))
        #expect(cipher.decrypt([UInt8](hexadecimal: encrypted)[...]).hexadecimal == plain)
    }

    @Test(arguments: [
        // Test vectors of the first implementations, which OpenSSL confirms.
        (PKCS12KeyDerivation.Purpose.encryption, "0a58cf64530d823f", 1, 24, "8aaae6297b6cb04642ab5b077851284eb7128f1a2a7fbca3"),
        (.initializationVector, "0a58cf64530d823f", 1, 8, "79993dfe048d3b76"),
        (.authentication, "3d83c0e4546ac140", 1, 20, "8d967d88f6caa9d714800ab3d48051d63f73a312"),
    ])
    func `a password gives keys`(purpose: PKCS12KeyDerivation.Purpose, salt: String, iterations: Int, count: Int, key: String) {
        let password = ArchivePassword("smeg").utf16
        let derived = ArchiveHash.sha1.pkcs12Key(
            purpose, password: password, salt: [UInt8](hexadecimal: salt), iterations: iterations, byteCount: count)
        #expect(derived.hexadecimal == key)
    }

    @Test func `an empty password is no byte for PBKDF2`() throws {
        // HMAC-SHA-256 with an empty key over the salt and the number of the block, once (RFC 8018, section 5.2).
        let derived = try ArchiveHash.sha256.pbkdf2(password: [], salt: [1, 2, 3], iterations: 1, byteCount: 32)
        #expect(derived == ArchiveHash.sha256.hmac(of: [1, 2, 3, 0, 0, 0, 1], key: []))
    }
}
