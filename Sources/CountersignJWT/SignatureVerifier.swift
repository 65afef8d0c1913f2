@_spi(Generated) public import Countersign
internal import Crypto
internal import Foundation
internal import JWTKit

/// Verifies the signatures of JSON Web Tokens (RFC 7515) with the keys of a JSON Web Key Set (RFC 7517).
///
/// It accepts RSA (`RS256` to `PS512`, with at least 2,048 bits), ECDSA (`ES256`, `ES384`, `ES512`) and `EdDSA`, and neither `none`
/// nor algorithms with a shared secret. If a token names its key, only that key is used. Keys for another algorithm or for
/// encryption are ignored, and so is the private part of a key that has one.
@_spi(Generated) public struct SignatureVerifier: SignatureVerifying {
    /// Creates a verifier.
    public init() {}

    public func signed(_ token: String, by keys: [UInt8]) async throws(TokenProblem) -> SignedClaims {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.bytes(parts[0]), let claims = Base64URL.bytes(parts[1]),
            let signature = Base64URL.bytes(parts[2]), let read = try? JSONDecoder().decode(Header.self, from: Data(header)),
            read.crit == nil
        else { throw .malformed }
        guard let algorithm = Algorithm(rawValue: read.alg) else { throw .algorithm }
        guard let set = try? JSONDecoder().decode(KeySet.self, from: Data(keys)) else { throw .keys }
        let candidates = set.keys.compactMap(\.key).filter { $0.fits(read.kid, algorithm) }
        guard !candidates.isEmpty else { throw .unknownKey }
        let message = Array("\(parts[0]).\(parts[1])".utf8)
        for key in candidates where await Self.hasSigned(key.jwk, message, signature, algorithm) {
            return SignedClaims(claims) { algorithm.halfHash(of: $0) }
        }
        throw .signature
    }

    private static func hasSigned(
        _ key: JWK, _ message: [UInt8], _ signature: [UInt8], _ algorithm: Algorithm
    ) async -> Bool {
        var key = key
        // A signature is verified with the public part alone. With a private part, the library would verify with the key that it
        // belongs to, and for RSA it searches for prime factors, without end if the numbers are those of no key.
        key.privateExponent = nil
        key.prime1 = nil
        key.prime2 = nil
        // A collection finds keys by identifier, so the only key gets a fixed one.
        key.keyIdentifier = "key"
        key.algorithm = JWK.Algorithm(rawValue: algorithm.rawValue)
        let collection = JWTKeyCollection()
        guard (try? await collection.add(jwk: key)) != nil, let verifier = try? await collection.getKey(for: "key") else {
            return false
        }
        return (try? verifier.verify(signature, signs: message)) ?? false
    }
}

private struct Header: Decodable {
    let alg: String
    let kid: String?
    /// The critical header parameters, none of which is supported.
    let crit: [String]?
}

/// A signature algorithm.
private enum Algorithm: String {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case eddsa = "EdDSA"

    /// The type of the algorithm's keys, and their curve, if any.
    var key: (type: JWK.KeyType, curve: String?) {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: (.rsa, nil)
        case .es256: (.ecdsa, "P-256")
        case .es384: (.ecdsa, "P-384")
        case .es512: (.ecdsa, "P-521")
        case .eddsa: (.octetKeyPair, "Ed25519")
        }
    }

    func halfHash(of text: String) -> String {
        let bytes = Data(text.utf8)
        let hash =
            switch self {
            case .rs256, .ps256, .es256: Array(SHA256.hash(data: bytes))
            case .rs384, .ps384, .es384: Array(SHA384.hash(data: bytes))
            case .rs512, .ps512, .es512, .eddsa: Array(SHA512.hash(data: bytes))
            }
        return Base64URL.text(hash.prefix(hash.count / 2))
    }
}

/// A set of keys. Keys of unknown types are ignored (RFC 7517, section 5).
private struct KeySet: Decodable {
    let keys: [Element]

    struct Element: Decodable {
        let key: SigningKey?

        init(from decoder: any Decoder) throws { key = try? SigningKey(from: decoder) }
    }
}

/// A key of a set, with its intended use.
private struct SigningKey: Decodable {
    let jwk: JWK
    private let use: String?
    private let operations: [String]?

    private enum CodingKeys: String, CodingKey {
        case use
        case operations = "key_ops"
    }

    init(from decoder: any Decoder) throws {
        jwk = try JWK(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        use = try container.decodeIfPresent(String.self, forKey: .use)
        operations = try container.decodeIfPresent([String].self, forKey: .operations)
    }

    /// Whether the key can be that of a signature.
    ///
    /// - Parameter name: The key identifier in the token; `nil` for none.
    func fits(_ name: String?, _ algorithm: Algorithm) -> Bool {
        guard name == nil || jwk.keyIdentifier.map({ $0.string.utf8.elementsEqual((name ?? "").utf8) }) == true,
            use == nil || use == "sig", operations?.contains("verify") != false, jwk.keyType == algorithm.key.type,
            jwk.algorithm == nil || jwk.algorithm?.rawValue == algorithm.rawValue
        else { return false }
        if let curve = algorithm.key.curve { return jwk.curve?.rawValue == curve }
        // A modulus of 2,048 bits has 342 characters in base64url (RFC 7518, section 3.3).
        return (jwk.modulus?.utf8.count ?? 0) >= 342
    }
}
