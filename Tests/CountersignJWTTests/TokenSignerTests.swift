@_spi(Generated) import Countersign
@_spi(Generated) import CountersignJWT
import Crypto
import CryptoExtras
import Foundation
import TestTurns
import Testing

/// Tokens that are signed with keys in PEM, and read without the library that signs them.
@Suite(.takesTurns) struct TokenSignerTests {
    /// A key in PEM, its algorithm, and the function that verifies its signatures.
    private struct Key {
        let algorithm: String
        let pem: String
        let verify: (_ signature: Data, _ message: Data) -> Bool
    }

    private static func keys() throws -> [Key] {
        let (p256, p384, p521) = (P256.Signing.PrivateKey(), P384.Signing.PrivateKey(), P521.Signing.PrivateKey())
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        func verifies(_ signature: Data, _ message: Data) -> Bool {
            rsa.publicKey.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message),
                padding: .insecurePKCS1v1_5)
        }
        return [
            Key(algorithm: "ES256", pem: p256.pemRepresentation) { signature, message in
                (try? P256.Signing.ECDSASignature(rawRepresentation: signature))
                    .map { p256.publicKey.isValidSignature($0, for: message) } ?? false
            },
            Key(algorithm: "ES384", pem: p384.pemRepresentation) { signature, message in
                (try? P384.Signing.ECDSASignature(rawRepresentation: signature))
                    .map { p384.publicKey.isValidSignature($0, for: message) } ?? false
            },
            Key(algorithm: "ES512", pem: p521.pemRepresentation) { signature, message in
                (try? P521.Signing.ECDSASignature(rawRepresentation: signature))
                    .map { p521.publicKey.isValidSignature($0, for: message) } ?? false
            },
            Key(algorithm: "RS256", pem: rsa.pemRepresentation, verify: verifies),
            Key(algorithm: "RS256", pem: rsa.pkcs8PEMRepresentation, verify: verifies),
        ]
    }

    private func bytes(_ text: Substring) -> Data? {
        let letters = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: letters + String(repeating: "=", count: (4 - letters.utf8.count % 4) % 4))
    }

    @Test(arguments: 0..<5) func `a key signs by the algorithm that it is for`(number: Int) async throws {
        let key = try Self.keys()[number]
        let token = try await TokenSigner().token(saying: Array(#"{"sub":"app"}"#.utf8), signedBy: key.pem, named: "2026")
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let header = try JSONDecoder().decode([String: String].self, from: try #require(bytes(parts[0])))
        #expect(header == ["alg": key.algorithm, "typ": "JWT", "kid": "2026"])
        #expect(bytes(parts[1]) == Data(#"{"sub":"app"}"#.utf8))
        #expect(key.verify(try #require(bytes(parts[2])), Data("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test func `a key without a name has none in the header`() async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let token = try await TokenSigner().token(saying: [UInt8]("{}".utf8), signedBy: pem, named: nil)
        let header = try #require(token.split(separator: ".").first.flatMap { bytes($0) })
        #expect(try JSONDecoder().decode([String: String].self, from: header) == ["alg": "ES256", "typ": "JWT"])
    }

    static let others = [
        "", "no key", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nc4n4ry\n-----END PRIVATE KEY-----",
        P256.Signing.PrivateKey().publicKey.pemRepresentation,
    ]

    @Test(arguments: others) func `what is no private key signs nothing`(text: String) async {
        await #expect(throws: UnusableSigningKey()) {
            try await TokenSigner().token(saying: [UInt8]("{}".utf8), signedBy: text, named: nil)
        }
    }

    @Test func `a key for RSA that is short signs nothing`() async throws {
        let pem = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024)).pemRepresentation
        await #expect(throws: UnusableSigningKey()) {
            try await TokenSigner().token(saying: [UInt8]("{}".utf8), signedBy: pem, named: nil)
        }
    }
}
