internal import SwiftASN1

extension MockCertificateAuthority {
    /// Returns certificates as a certs-only PKCS #7 message (RFC 5652, section 5.1; RFC 8551, section 3.8).
    ///
    /// - Parameter certificates: The certificates in DER.
    package static func pkcs7(_ certificates: [[UInt8]]) throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { message in
            try message.serialize([1, 2, 840, 113549, 1, 7, 2] as ASN1ObjectIdentifier)
            try message.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { content in
                try content.appendConstructedNode(identifier: .sequence) { signed in
                    try signed.serialize(1)
                    signed.appendConstructedNode(identifier: .set) { _ in }
                    try signed.appendConstructedNode(identifier: .sequence) {
                        try $0.serialize([1, 2, 840, 113549, 1, 7, 1] as ASN1ObjectIdentifier)
                    }
                    try signed.appendConstructedNode(identifier: ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)) {
                        set in
                        for certificate in certificates { try set.serialize(DER.parse(certificate)) }
                    }
                    signed.appendConstructedNode(identifier: .set) { _ in }
                }
            }
        }
        return coder.serializedBytes
    }
}
