@_spi(Generated) public import Countersign
internal import Foundation
internal import JWTKit

/// Signs JSON Web Tokens (RFC 7519) with a private key in PEM, with `RS256`, `ES256`, `ES384` or `ES512` depending on the key.
@_spi(Generated) public struct TokenSigner: TokenSigning {
    /// Creates a signer.
    public init() {}

    public func token(
        saying claims: [UInt8], signedBy key: String, named name: String?
    ) async throws(UnusableSigningKey) -> String {
        let algorithm = try await Self.algorithm(of: key)
        guard let header = try? JSONEncoder().encode(Header(alg: algorithm.name, typ: "JWT", kid: name)) else {
            throw UnusableSigningKey()
        }
        let message = [Array(header), claims].map(Base64URL.text).joined(separator: ".")
        guard let signature = try? algorithm.sign(Array(message.utf8)) else { throw UnusableSigningKey() }
        return "\(message).\(Base64URL.text(signature))"
    }

    /// Returns the signature algorithm of a key in PEM.
    private static func algorithm(of key: String) async throws(UnusableSigningKey) -> any JWTAlgorithm {
        let keys = JWTKeyCollection()
        if let key = try? ES256PrivateKey(pem: key) {
            await keys.add(ecdsa: key)
        } else if let key = try? ES384PrivateKey(pem: key) {
            await keys.add(ecdsa: key)
        } else if let key = try? ES512PrivateKey(pem: key) {
            await keys.add(ecdsa: key)
        } else if let key = try? Insecure.RSA.PrivateKey(pem: key) {
            await keys.add(rsa: key, digestAlgorithm: .sha256)
        }
        guard let algorithm = try? await keys.getKey() else { throw UnusableSigningKey() }
        return algorithm
    }
}

private struct Header: Encodable {
    let alg, typ: String
    let kid: String?
}
