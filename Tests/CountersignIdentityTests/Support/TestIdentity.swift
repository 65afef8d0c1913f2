import Countersign
import CountersignIdentity
import Crypto
import Foundation
import SwiftASN1
import X509

/// Identities and certificates for tests.
enum TestIdentity {
    /// Noon of 1 June 2026 UTC, in the middle of the validity of these certificates.
    static let now = Date(timeIntervalSince1970: 1_780_315_200)
    static let notValidAfter = now.addingTimeInterval(86_400)

    /// An authority that signs certificates for keys.
    struct Authority {
        let key = P256.Signing.PrivateKey()
        let name: DistinguishedName
        let certificate: Certificate
        var der: [UInt8] { get throws { try TestIdentity.der(certificate) } }

        init(_ commonName: String, issuer: Authority? = nil) throws {
            name = try DistinguishedName { CommonName(commonName) }
            certificate = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
                notValidBefore: now.addingTimeInterval(-864_000), notValidAfter: now.addingTimeInterval(864_000),
                issuer: issuer?.name ?? name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions { Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil)) },
                issuerPrivateKey: .init(issuer?.key ?? key))
        }

        func certificate(
            for key: IdentityKey, name: String = "Ada", notValidAfter: Date = TestIdentity.notValidAfter
        ) throws -> [UInt8] {
            let publicKey = try Certificate.PrivateKey(derBytes: key.pkcs8.bytes).publicKey
            return try TestIdentity.der(
                Certificate(
                    version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
                    notValidBefore: now.addingTimeInterval(-86_400), notValidAfter: notValidAfter, issuer: self.name,
                    subject: try DistinguishedName { CommonName(name) }, signatureAlgorithm: .ecdsaWithSHA256,
                    extensions: try Certificate.Extensions { KeyUsage(digitalSignature: true) }, issuerPrivateKey: .init(self.key)))
        }
    }

    /// An RSA key that all tests share, because generating one takes long.
    static let rsaKey = Result { () throws(IdentityError) in try IdentityKey(generating: .rsa2048) }
    static let p256Key = Result { () throws(IdentityError) in try IdentityKey(generating: .p256) }

    static func key(_ kind: IdentityKey.Kind) throws -> IdentityKey {
        switch kind {
        case .p256: try p256Key.get()
        case .rsa2048: try rsaKey.get()
        }
    }

    /// A root, an authority below it, and an identity below that.
    struct Family {
        let root: Authority
        let authority: Authority
        let identity: ClientIdentity
        var leaf: [UInt8] { identity.certificateChain[0] }

        init(_ kind: IdentityKey.Kind = .p256, notValidAfter: Date = TestIdentity.notValidAfter) throws {
            root = try Authority("Root")
            authority = try Authority("Clients", issuer: root)
            let key = try TestIdentity.key(kind)
            let leaf = try authority.certificate(for: key, notValidAfter: notValidAfter)
            identity = try ClientIdentity(certificates: [leaf, authority.der, root.der], privateKey: key)
        }
    }

    /// Makes an identity that is the same in every run, byte by byte, because Ed25519 signatures are deterministic.
    static func unchanging() throws -> ClientIdentity {
        let authorityKey = try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 32))
        let clientKey = try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 2, count: 32))
        let (authority, client) = (try DistinguishedName { CommonName("Clients") }, try DistinguishedName { CommonName("Ada") })
        let certificates = try [
            (client, Certificate.PublicKey(clientKey.publicKey)), (authority, Certificate.PublicKey(authorityKey.publicKey)),
        ].map { name, key in
            try der(
                Certificate(
                    version: .v3, serialNumber: Certificate.SerialNumber(bytes: [1]), publicKey: key,
                    notValidBefore: now.addingTimeInterval(-86_400), notValidAfter: notValidAfter, issuer: authority, subject: name,
                    signatureAlgorithm: .ed25519, extensions: try Certificate.Extensions { KeyUsage(digitalSignature: true) },
                    issuerPrivateKey: .init(authorityKey)))
        }
        return try ClientIdentity(certificates: certificates, privateKey: IdentityKey(pkcs8: clientKey.derRepresentation))
    }

    static func der(_ certificate: Certificate) throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.serialize(certificate)
        return coder.serializedBytes
    }

    static func pem(_ der: [UInt8]) -> [UInt8] { Array((PEMDocument(type: "CERTIFICATE", derBytes: der).pemString + "\n").utf8) }
}
