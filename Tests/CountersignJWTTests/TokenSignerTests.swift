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
        let token = try await TokenSigner().token(
            saying: Array(#"{"sub":"app"}"#.utf8), signedBy: key.pem, named: "2026", rsaAlgorithm: .rs256)
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let header = try JSONDecoder().decode([String: String].self, from: try #require(bytes(parts[0])))
        #expect(header == ["alg": key.algorithm, "typ": "JWT", "kid": "2026"])
        #expect(bytes(parts[1]) == Data(#"{"sub":"app"}"#.utf8))
        #expect(key.verify(try #require(bytes(parts[2])), Data("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test func `a key without a name has none in the header`() async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let token = try await TokenSigner().token(saying: [UInt8]("{}".utf8), signedBy: pem, named: nil, rsaAlgorithm: .rs256)
        #expect(try header(of: token) == ["alg": "ES256", "typ": "JWT"])
    }

    @Test func `a key for RSA signs by RSASSA-PSS where that is wanted`() async throws {
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let token = try await TokenSigner().token(
            saying: [UInt8]("{}".utf8), signedBy: rsa.pemRepresentation, named: nil, rsaAlgorithm: .ps256)
        let parts = token.split(separator: ".")
        try #require(parts.count == 3)
        #expect(try header(of: token) == ["alg": "PS256", "typ": "JWT"])
        let signature = _RSA.Signing.RSASignature(rawRepresentation: try #require(bytes(parts[2])))
        let digest = SHA256.hash(data: Data("\(parts[0]).\(parts[1])".utf8))
        #expect(rsa.publicKey.isValidSignature(signature, for: digest, padding: .PSS))
        #expect(!rsa.publicKey.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5))
    }

    @Test(arguments: [true, false], ["\n", "\r\n"])
    func `the thumbprint of the certificate beside a key is in the header`(isFirst: Bool, newline: String) async throws {
        let key = P256.Signing.PrivateKey()
        let (certificate, issuer) = (Data((0..<200).map { UInt8($0) }), Data([1, 2, 3]))
        let chain = [certificate, issuer].map { "-----BEGIN CERTIFICATE-----\n\(folded($0))\n-----END CERTIFICATE-----" }
        let parts = isFirst ? chain + [key.pemRepresentation] : [key.pemRepresentation] + chain
        let text = (["Bag Attributes"] + parts).joined(separator: "\n").replacing("\n", with: newline)
        let token = try await TokenSigner().token(
            saying: [UInt8]("{}".utf8), signedBy: text, named: nil, rsaAlgorithm: .rs256)
        let hash = Data(SHA256.hash(data: certificate)).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        #expect(try header(of: token) == ["alg": "ES256", "typ": "JWT", "x5t#S256": hash])
        let pieces = token.split(separator: ".")
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try #require(bytes(pieces[2])))
        #expect(key.publicKey.isValidSignature(signature, for: Data("\(pieces[0]).\(pieces[1])".utf8)))
    }

    @Test func `a key beside its parameters signs, and beside what is no certificate does not`() async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
        let token = try await TokenSigner().token(
            saying: [UInt8]("{}".utf8), signedBy: parameters + pem, named: nil, rsaAlgorithm: .rs256)
        #expect(try header(of: token) == ["alg": "ES256", "typ": "JWT"])
        let broken = "\n-----BEGIN CERTIFICATE-----\nc4n4ry!\n-----END CERTIFICATE-----"
        await #expect(throws: UnusableSigningKey()) {
            try await TokenSigner().token(saying: [UInt8]("{}".utf8), signedBy: pem + broken, named: nil, rsaAlgorithm: .rs256)
        }
    }

    private func header(of token: String) throws -> [String: String] {
        let header = try #require(token.split(separator: ".").first.flatMap { bytes($0) })
        return try JSONDecoder().decode([String: String].self, from: header)
    }

    private func folded(_ data: Data) -> String {
        data.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    }

    static let others = [
        "", "no key", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nc4n4ry\n-----END PRIVATE KEY-----",
        P256.Signing.PrivateKey().publicKey.pemRepresentation,
    ]

    @Test(arguments: others) func `what is no private key signs nothing`(text: String) async {
        await #expect(throws: UnusableSigningKey()) {
            try await TokenSigner().token(saying: [UInt8]("{}".utf8), signedBy: text, named: nil, rsaAlgorithm: .rs256)
        }
    }

    @Test func `a key for RSA that is short signs nothing`() async throws {
        let pem = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024)).pemRepresentation
        await #expect(throws: UnusableSigningKey()) {
            try await TokenSigner().token(saying: [UInt8]("{}".utf8), signedBy: pem, named: nil, rsaAlgorithm: .rs256)
        }
    }
}
