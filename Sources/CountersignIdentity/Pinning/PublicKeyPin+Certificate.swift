public import Countersign
internal import SwiftASN1

extension PublicKeyPin {
    /// Computes the pin of a certificate's public key.
    ///
    /// - Parameter certificate: DER. Nothing of it is checked but its structure as far as the key.
    /// - Throws: ``IdentityError/Code/malformed`` when there is no key to be found.
    public init(certificate: some Sequence<UInt8>) throws(IdentityError) {
        do {
            self.init(subjectPublicKeyInfo: try Self.subjectPublicKeyInfo(of: Array(certificate)))
        } catch {
            throw IdentityError(.malformed, detail: "That is no certificate in DER.")
        }
    }

    /// Whether one of a connection's certificates has one of the pinned keys.
    ///
    /// - Parameters:
    ///   - certificates: DER, as verified. A pin for a certificate that a server merely sent along proves nothing.
    ///   - pins: If there are none, nothing matches: a caller that pins nothing does not ask.
    public static func matches(certificates: some Sequence<[UInt8]>, anyOf pins: Set<PublicKeyPin>) -> Bool {
        certificates.contains { certificate in (try? PublicKeyPin(certificate: certificate)).map(pins.contains) ?? false }
    }

    /// The bytes of the field as they stand in the certificate (RFC 5280, section 4.1), also for kinds of key that are unknown
    /// here.
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
