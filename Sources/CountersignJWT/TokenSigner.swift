@_spi(Generated) public import Countersign
internal import Crypto
internal import Foundation
internal import JWTKit

/// Signs JSON Web Tokens (RFC 7519) with a private key in PEM, with `RS256`, `PS256`, `ES256`, `ES384` or `ES512` depending on the
/// key.
@_spi(Generated) public struct TokenSigner: TokenSigning {
    /// Creates a signer.
    public init() {}

    public func token(
        saying claims: [UInt8], signedBy key: String, named name: String?, rsaAlgorithm: HTTPCall.Client.RSAAlgorithm
    ) async throws(UnusableSigningKey) -> String {
        let blocks = PEMBlock.blocks(of: key)
        // The text can have parts beside the key, such as its parameters and its certificate, which the library does not read.
        let algorithm = try await Self.algorithm(of: blocks.first(where: \.isPrivateKey)?.text ?? key, rsaAlgorithm)
        let thumbprint = blocks.first(where: \.isCertificate).map { $0.bytes.map { Base64URL.text(SHA256.hash(data: $0)) } }
        if case .some(nil) = thumbprint { throw UnusableSigningKey() }
        let content = Header(alg: algorithm.name, typ: "JWT", kid: name, thumbprint: thumbprint.flatMap(\.self))
        guard let header = try? JSONEncoder().encode(content) else { throw UnusableSigningKey() }
        let message = [Array(header), claims].map(Base64URL.text).joined(separator: ".")
        guard let signature = try? algorithm.sign(Array(message.utf8)) else { throw UnusableSigningKey() }
        return "\(message).\(Base64URL.text(signature))"
    }

    /// Returns the signature algorithm of a key in PEM.
    private static func algorithm(
        of key: String, _ rsaAlgorithm: HTTPCall.Client.RSAAlgorithm
    ) async throws(UnusableSigningKey) -> any JWTAlgorithm {
        let keys = JWTKeyCollection()
        if let key = try? ES256PrivateKey(pem: key) {
            await keys.add(ecdsa: key)
        } else if let key = try? ES384PrivateKey(pem: key) {
            await keys.add(ecdsa: key)
        } else if let key = try? ES512PrivateKey(pem: key) {
            await keys.add(ecdsa: key)
        } else if let key = try? Insecure.RSA.PrivateKey(pem: key) {
            switch rsaAlgorithm {
            case .rs256: await keys.add(rsa: key, digestAlgorithm: .sha256)
            case .ps256: await keys.add(pss: key, digestAlgorithm: .sha256)
            }
        }
        guard let algorithm = try? await keys.getKey() else { throw UnusableSigningKey() }
        return algorithm
    }
}

private struct Header: Encodable {
    let alg, typ: String
    let kid: String?
    /// The SHA-256 thumbprint of the certificate (RFC 7515, section 4.1.8).
    let thumbprint: String?

    enum CodingKeys: String, CodingKey {
        case alg, typ, kid
        case thumbprint = "x5t#S256"
    }
}

/// A part of a PEM text (RFC 7468).
private struct PEMBlock {
    /// The label, such as `CERTIFICATE`.
    let label: String
    /// The part with its boundaries.
    let text: String

    var isPrivateKey: Bool { label.hasSuffix("PRIVATE KEY") }
    var isCertificate: Bool { ["CERTIFICATE", "X509 CERTIFICATE", "X.509 CERTIFICATE"].contains(label) }
    /// The content; `nil` if it is not Base64.
    var bytes: Data? { Data(base64Encoded: text.split(whereSeparator: \.isNewline).dropFirst().dropLast().joined()) }

    /// Returns the parts in order, without the text between them.
    static func blocks(of text: String) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var lines: [Substring] = []
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("-----BEGIN ") { lines = [] } else if lines.isEmpty { continue }
            lines.append(line)
            guard line.hasPrefix("-----END "), let start = lines.first else { continue }
            let label = start.dropFirst("-----BEGIN ".count).prefix { $0 != "-" }
            blocks.append(PEMBlock(label: String(label), text: lines.joined(separator: "\n")))
            lines = []
        }
        return blocks
    }
}
