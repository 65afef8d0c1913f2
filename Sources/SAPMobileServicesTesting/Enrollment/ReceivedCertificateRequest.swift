internal import SwiftASN1
internal import X509

/// A certificate request (PKCS #10, RFC 2986) as a service reads it: signed with the key that it names.
struct ReceivedCertificateRequest: Sendable {
    let request: CertificateSigningRequest
    let der: [UInt8]

    /// Reads DER; `nil` if it is something else, or if the signature is wrong.
    init?(der: [UInt8]) {
        guard let request = try? CertificateSigningRequest(derEncoded: der),
            request.publicKey.isValidSignature(request.signature, for: request)
        else { return nil }
        self.request = request
        self.der = der
    }

    /// Reads PEM; `nil` if it is something else, or if the signature is wrong.
    init?(pem: String) {
        guard let document = try? PEMDocument(pemString: pem),
            ["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"].contains(document.discriminator)
        else { return nil }
        self.init(der: document.derBytes)
    }
}

extension MockCertificateDiscoveryOptions.KeyType {
    /// Whether a key is of this kind: each kind begins the field `SubjectPublicKeyInfo` in its own way.
    func isKind(of key: Certificate.PublicKey) -> Bool {
        var coder = DER.Serializer()
        guard (try? coder.serialize(key)) != nil else { return false }
        return coder.serializedBytes.starts(with: beginning)
    }

    private var beginning: [UInt8] {
        switch self {
        // RFC 5480, section 2: id-ecPublicKey, secp256r1, 65 bytes of an uncompressed point.
        case .p256:
            [0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
                + [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00]
        // RFC 8017, appendix A.1: rsaEncryption, a modulus of 257 bytes with its leading zero, and an exponent of three.
        case .rsa2048:
            [0x30, 0x82, 0x01, 0x22, 0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]
                + [0x03, 0x82, 0x01, 0x0F, 0x00, 0x30, 0x82, 0x01, 0x0A, 0x02, 0x82, 0x01, 0x01, 0x00]
        }
    }
}
