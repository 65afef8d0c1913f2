internal import Crypto
internal import SwiftASN1

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The SHA-256 of a certificate's public key, by which a client recognizes a server or an authority (RFC 7469, section 2.4).
///
/// The key is hashed with its algorithm, as the field `SubjectPublicKeyInfo` of the certificate has it: a renewed certificate with the
/// same key has the same pin.
public struct PublicKeyPin: Sendable, Hashable {
    /// The hash, 32 bytes.
    public let sha256: [UInt8]

    /// Reads a pin as settings have it: base64, with or without `sha256/` or `sha256:` before it.
    ///
    /// - Returns: `nil` unless that gives 32 bytes.
    public init?(_ text: String) {
        var base64 = Substring(text)
        for prefix in ["sha256/", "sha256:"] where base64.lowercased().hasPrefix(prefix) { base64 = base64.dropFirst(prefix.count) }
        guard let data = Data(base64Encoded: String(base64)), data.count == SHA256.byteCount else { return nil }
        sha256 = Array(data)
    }

    /// Computes the pin of a certificate's public key.
    ///
    /// - Parameter certificate: DER. Nothing of it is checked but its structure as far as the key.
    /// - Throws: ``IdentityError/Code/malformed`` when there is no key to be found.
    public init(certificate: some Sequence<UInt8>) throws(IdentityError) {
        do {
            sha256 = Array(SHA256.hash(data: try Self.subjectPublicKeyInfo(of: Array(certificate))))
        } catch {
            throw IdentityError(.malformed, detail: "That is no certificate in DER.")
        }
    }

    /// Whether one of a connection's certificates has one of the pinned keys.
    ///
    /// - Parameters:
    ///   - certificates: DER, as verified. A pin for a certificate that a server merely sent along proves nothing.
    ///   - pins: If there are none, nothing matches: who pins nothing does not ask.
    public static func matches(certificates: some Sequence<[UInt8]>, anyOf pins: Set<PublicKeyPin>) -> Bool {
        certificates.contains { certificate in (try? PublicKeyPin(certificate: certificate)).map(pins.contains) ?? false }
    }

    /// The bytes of the field as they stand in the certificate (RFC 5280, section 4.1), also for kinds of key that nobody here knows.
    private static func subjectPublicKeyInfo(of certificate: [UInt8]) throws -> ArraySlice<UInt8> {
        try DER.sequence(DER.parse(certificate), identifier: .sequence) { outer in
            guard let signed = outer.next(), outer.next() != nil, outer.next() != nil else {
                throw UnexpectedStructure()
            }
            guard signed.identifier == .sequence, case .constructed(let fields) = signed.content else {
                throw UnexpectedStructure()
            }
            let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
            // serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo
            let named = Array(fields.drop { $0.identifier == version }.prefix(6))
            guard named.count == 6, let key = named.last, key.identifier == .sequence else {
                throw UnexpectedStructure()
            }
            return key.encodedBytes
        }
    }
}

extension PublicKeyPin: CustomStringConvertible {
    /// The pin as settings have it, `sha256/` and base64.
    public var description: String { "sha256/" + Data(sha256).base64EncodedString() }
}
