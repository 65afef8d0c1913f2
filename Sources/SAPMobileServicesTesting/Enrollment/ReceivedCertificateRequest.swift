internal import SwiftASN1
internal import X509

/// A received certificate request (PKCS #10, RFC 2986) with a valid signature of its own key.
struct ReceivedCertificateRequest: Sendable {
    let request: CertificateSigningRequest
    let der: [UInt8]

    /// Parses a request in DER; `nil` if it is invalid or its signature is wrong.
    init?(der: [UInt8]) {
        guard let request = try? CertificateSigningRequest(derEncoded: der),
            request.publicKey.isValidSignature(request.signature, for: request)
        else { return nil }
        self.request = request
        self.der = der
    }

    /// Parses a request in PEM; `nil` if it is invalid or its signature is wrong.
    init?(pem: String) {
        guard let document = try? PEMDocument(pemString: pem),
            ["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"].contains(document.discriminator)
        else { return nil }
        self.init(der: document.derBytes)
    }
}

extension MockCertificateDiscoveryOptions.KeyType {
    /// Whether a key is of this type, which is determined by the beginning of its `SubjectPublicKeyInfo`.
    func isKind(of key: Certificate.PublicKey) -> Bool {
        var coder = DER.Serializer()
        guard (try? coder.serialize(key)) != nil else { return false }
        return coder.serializedBytes.starts(with: beginning)
    }

    private var beginning: [UInt8] {
        switch self {
        // RFC 5480, section 2: id-ecPublicKey, secp256r1, and an uncompressed point of 65 bytes.
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
