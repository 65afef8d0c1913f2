public import Countersign
internal import SwiftASN1

extension PublicKeyPin {
    /// Computes the pin of a certificate's public key.
    ///
    /// - Parameter certificate: The certificate in DER. Only the structure up to the key is checked.
    /// - Throws: ``IdentityError/Code/malformed`` if no key is found.
    public init(certificate: some Sequence<UInt8>) throws(IdentityError) {
        do {
            self.init(subjectPublicKeyInfo: try Self.subjectPublicKeyInfo(of: Array(certificate)))
        } catch {
            throw IdentityError(.malformed, detail: "The data is not a certificate in DER.")
        }
    }

    /// Returns whether one of a connection's certificates has a pinned key.
    ///
    /// - Parameters:
    ///   - certificates: The verified chain in DER. Unverified certificates that a server has sent prove nothing.
    ///   - pins: The pins. An empty set matches nothing.
    public static func matches(certificates: some Sequence<[UInt8]>, anyOf pins: Set<PublicKeyPin>) -> Bool {
        certificates.contains { certificate in (try? PublicKeyPin(certificate: certificate)).map(pins.contains) ?? false }
    }

    /// Returns the encoded field of a certificate (RFC 5280, section 4.1), also for unknown kinds of keys.
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
