public import Countersign
internal import Crypto
internal import CryptoExtras
internal import SwiftASN1
internal import X509

/// The private key of an identity, which is never printed.
///
/// ```swift
/// let key = try IdentityKey(generating: .p256)
/// let request = try CertificateRequest(subject: CertificateSubject("CN=Ada,O=Example"), key: key)
/// ```
///
/// Supported keys are P-256, P-384, P-521, Ed25519, and RSA with at least 2048 bits.
public struct IdentityKey: Sendable {
    /// The key as PKCS #8 in DER (RFC 5208), unencrypted.
    public let pkcs8: SecretBytes
    let key: Certificate.PrivateKey

    /// The kinds of keys that can be generated.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// ECDSA on the curve P-256: fast, short, and supported nearly everywhere.
        case p256
        /// RSA with 2048 bits, for servers without ECDSA. Generating one takes noticeable time.
        case rsa2048
    }

    /// Generates a random key.
    ///
    /// - Throws: ``IdentityError/Code/keyFailed`` if the system cannot generate a key.
    public init(generating kind: Kind) throws(IdentityError) {
        do {
            switch kind {
            case .p256:
                let key = P256.Signing.PrivateKey()
                self.key = Certificate.PrivateKey(key)
                pkcs8 = SecretBytes(key.derRepresentation)
            case .rsa2048:
                let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
                self.key = Certificate.PrivateKey(key)
                pkcs8 = SecretBytes(key.pkcs8DERRepresentation)
            }
        } catch {
            throw IdentityError(.keyFailed, detail: "No key could be generated.")
        }
    }

    /// Parses an unencrypted PKCS #8 key (RFC 5208, or RFC 5958 without its public key), in DER or BER.
    ///
    /// - Throws: ``IdentityError/Code/malformed`` or ``IdentityError/Code/unsupported``.
    public init(pkcs8 bytes: some Sequence<UInt8>) throws(IdentityError) {
        let plain: [UInt8]
        do {
            plain = try Self.withoutAttributes(Array(bytes))
        } catch {
            throw IdentityError(.malformed, detail: "The private key is not PKCS #8.")
        }
        do {
            key = try Certificate.PrivateKey(derBytes: plain)
        } catch {
            throw IdentityError(
                .unsupported,
                detail: "The private key is damaged, or neither on a NIST curve, nor Ed25519, nor RSA of 2048 bits or more.")
        }
        pkcs8 = SecretBytes(plain)
    }

    /// The key as PEM with the label `PRIVATE KEY` (RFC 7468, section 10), in UTF-8.
    public var pem: SecretBytes {
        SecretBytes(utf8: PEMDocument(type: "PRIVATE KEY", derBytes: pkcs8.bytes).pemString + "\n")
    }

    /// Returns the key without attributes and public key, which some exports contain, and which other parsers may reject.
    private static func withoutAttributes(_ bytes: [UInt8]) throws -> [UInt8] {
        guard case .constructed(let fields) = try BER.parse(bytes).content else { throw UnexpectedStructure() }
        var nodes = fields.makeIterator()
        let version = try Int(berEncoded: &nodes)
        guard version == 0 || version == 1, let algorithm = nodes.next() else { throw UnexpectedStructure() }
        let key = try ASN1OctetString(berEncoded: &nodes)
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(0)
            coder.serialize(algorithm)
            try coder.serialize(key)
        }
        return coder.serializedBytes
    }
}

extension IdentityKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of key.
    public var description: String { "IdentityKey(\(key), redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
