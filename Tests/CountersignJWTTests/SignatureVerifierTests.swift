@_spi(Generated) import Countersign
@_spi(Generated) import CountersignJWT
import Crypto
import CryptoExtras
import Foundation
import TestTurns
import Testing

/// Tokens that are signed without the library that verifies them.
@Suite(.takesTurns) struct SignatureVerifierTests {
    /// A published key, and the function that signs with it.
    private struct Signer {
        let algorithm: String
        var key: [String: String]
        let sign: (Data) throws -> Data

        /// - Parameter claims: The claims of the token. They differ from the signed ones unless they are left out.
        func token(header: [String: Any] = [:], claims: String = #"{"sub":"alice"}"#) throws -> String {
            var members: [String: Any] = ["alg": algorithm, "kid": key["kid"] ?? "key"]
            members.merge(header) { $1 }
            let header = encoded(try JSONSerialization.data(withJSONObject: members))
            let signed = header + "." + encoded(Data(#"{"sub":"alice"}"#.utf8))
            return header + "." + encoded(Data(claims.utf8)) + "." + encoded(try sign(Data(signed.utf8)))
        }
    }

    private static func signers() throws -> [Signer] {
        let (p256, p384, p521) = (P256.Signing.PrivateKey(), P384.Signing.PrivateKey(), P521.Signing.PrivateKey())
        let edwards = Curve25519.Signing.PrivateKey()
        func elliptic(_ curve: String, _ point: Data) -> [String: String] {
            let half = point.count / 2
            return ["kty": "EC", "crv": curve, "kid": "key", "x": encoded(point.prefix(half)), "y": encoded(point.suffix(half))]
        }
        return [
            Signer(algorithm: "ES256", key: elliptic("P-256", p256.publicKey.rawRepresentation)) {
                try p256.signature(for: $0).rawRepresentation
            },
            Signer(algorithm: "ES384", key: elliptic("P-384", p384.publicKey.rawRepresentation)) {
                try p384.signature(for: $0).rawRepresentation
            },
            Signer(algorithm: "ES512", key: elliptic("P-521", p521.publicKey.rawRepresentation)) {
                try p521.signature(for: $0).rawRepresentation
            },
            Signer(
                algorithm: "EdDSA",
                key: ["kty": "OKP", "crv": "Ed25519", "kid": "key", "x": encoded(edwards.publicKey.rawRepresentation)]
            ) { try edwards.signature(for: $0) },
        ] + (try rsa(.bits2048))
    }

    private static func rsa(_ size: _RSA.Signing.KeySize) throws -> [Signer] {
        let key = try _RSA.Signing.PrivateKey(keySize: size)
        let numbers = try key.publicKey.getKeyPrimitives()
        let jwk = ["kty": "RSA", "kid": "key", "n": encoded(numbers.modulus), "e": encoded(numbers.publicExponent)]
        return [("RS", _RSA.Signing.Padding.insecurePKCS1v1_5), ("PS", .PSS)].flatMap { name, padding in
            [
                Signer(algorithm: name + "256", key: jwk) {
                    try key.signature(for: SHA256.hash(data: $0), padding: padding).rawRepresentation
                },
                Signer(algorithm: name + "384", key: jwk) {
                    try key.signature(for: SHA384.hash(data: $0), padding: padding).rawRepresentation
                },
                Signer(algorithm: name + "512", key: jwk) {
                    try key.signature(for: SHA512.hash(data: $0), padding: padding).rawRepresentation
                },
            ]
        }
    }

    private static func set(_ keys: [[String: String]]) throws -> [UInt8] {
        Array(try JSONSerialization.data(withJSONObject: ["keys": keys]))
    }

    private func problem(_ token: String, _ keys: [[String: String]]) async throws -> TokenProblem? {
        do throws(TokenProblem) {
            _ = try await SignatureVerifier().signed(token, by: (try? Self.set(keys)) ?? [])
            return nil
        } catch {
            return error
        }
    }

    @Test func `every asymmetric algorithm of RFC 7518 and 8037 is verified`() async throws {
        let signers = try Self.signers()
        #expect(signers.count == 10)
        for signer in signers {
            let signed = try await SignatureVerifier().signed(try signer.token(), by: try Self.set([signer.key]))
            #expect(String(decoding: signed.claims, as: UTF8.self) == #"{"sub":"alice"}"#, "\(signer.algorithm)")
            // The key names its algorithm and use, and the set has other keys that do not fit the token.
            var key = signer.key
            (key["alg"], key["use"]) = (signer.algorithm, "sig")
            #expect(try await problem(try signer.token(), [["kty": "oct", "k": "AAAA", "kid": "key"], key]) == nil)
        }
    }

    @Test func `a token that was changed, or that another key has signed, is none of its issuer`() async throws {
        for signer in try Self.signers() {
            #expect(
                try await problem(try signer.token(claims: #"{"sub":"mallory"}"#), [signer.key]) == .signature,
                "\(signer.algorithm)")
        }
        let (first, second) = (try Self.signers()[0], try Self.signers()[0])
        #expect(try await problem(try first.token(), [second.key]) == .signature)
    }

    @Test func `no algorithm without a key of the issuer's alone is taken`() async throws {
        let signer = try Self.signers()[0]
        let message = encoded(Data(#"{"alg":"none"}"#.utf8)) + "." + encoded(Data("{}".utf8))
        #expect(try await problem(message + ".", [signer.key]) == .algorithm)
        for name in ["none", "None", "HS256", "HS512", "RSA-OAEP", "es256", ""] {
            #expect(try await problem(try signer.token(header: ["alg": name]), [signer.key]) == .algorithm, "\(name)")
        }
    }

    @Test func `a key is used for what it is for`() async throws {
        let signer = try Self.signers()[0]
        for (member, value) in [("use", "enc"), ("alg", "ES384"), ("kid", "other"), ("crv", "P-384"), ("kty", "RSA")] {
            var key = signer.key
            key[member] = value
            #expect(try await problem(try signer.token(), [key]) == .unknownKey, "\(member)")
        }
        #expect(try await problem(try signer.token(), []) == .unknownKey)
        // Without a key identifier all keys that fit are tried.
        var nameless = signer
        nameless.key["kid"] = nil
        let message = encoded(Data(#"{"alg":"ES256"}"#.utf8)) + "." + encoded(Data("{}".utf8))
        let token = message + "." + encoded(try signer.sign(Data(message.utf8)))
        #expect(try await problem(token, [try Self.signers()[0].key, nameless.key]) == nil)
    }

    @Test func `the private part of a published key is not used`() async throws {
        let signers = try Self.signers()
        for var signer in [signers[0], signers[3]] {
            // The private key of another pair.
            signer.key["d"] = encoded(Data(repeating: 7, count: 32))
            #expect(try await problem(try signer.token(), [signer.key]) == nil, "\(signer.algorithm)")
        }
        // The product of both exponents is 1, which holds for no pair of keys, and from which no prime factors follow.
        let key = ["kty": "RSA", "kid": "key", "n": encoded(Data(repeating: 0xC1, count: 256)), "e": "AQ", "d": "AQ"]
        #expect(try await problem(try Self.rsa(.bits2048)[0].token(), [key]) == .signature)
    }

    @Test func `an RSA key with less than 2048 bits is none`() async throws {
        // 1,024 bits, which libraries do not generate any longer.
        let key = ["kty": "RSA", "kid": "key", "n": encoded(Data(repeating: 0xC1, count: 128)), "e": "AQAB"]
        let signer = try Self.rsa(.bits2048)[0]
        #expect(try await problem(try signer.token(), [key]) == .unknownKey)
    }

    @Test func `what is no token, and what is no set of keys`() async throws {
        let signer = try Self.signers()[0]
        let token = try signer.token()
        let parts = token.split(separator: ".").map(String.init)
        let texts = [
            "", ".", "..", parts[0] + "." + parts[1], token + ".x", parts[0] + "=." + parts[1] + "." + parts[2],
            parts[0] + ". " + parts[1] + "." + parts[2], "e30." + parts[1] + "." + parts[2],
            try signer.token(header: ["crit": ["b64"], "b64": false]),
        ]
        for text in texts { #expect(try await problem(text, [signer.key]) == .malformed, "\(text)") }
        await #expect(throws: TokenProblem.keys) { try await SignatureVerifier().signed(token, by: Array("[]".utf8)) }
        await #expect(throws: TokenProblem.keys) { try await SignatureVerifier().signed(token, by: []) }
    }

    @Test func `the half hash of an access token is that of OpenID Connect Core, appendix A`() async throws {
        // "at_hash":"77QmUPtjPfzWtF2AnpK9RQ" of "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", from section A.3.
        let signer = try Self.signers()[0]
        let signed = try await SignatureVerifier().signed(try signer.token(), by: try Self.set([signer.key]))
        #expect(signed.halfHash("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y") == "77QmUPtjPfzWtF2AnpK9RQ")
    }
}

/// Base64url without padding.
private func encoded(_ data: some DataProtocol) -> String {
    Data(data).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}
