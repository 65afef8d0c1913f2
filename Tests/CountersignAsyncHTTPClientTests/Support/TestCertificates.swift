import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// An authority and a server's certificate for `localhost`, generated for each run.
struct TestCertificates: Sendable {
    let authority: [UInt8]
    let server: TLSConfiguration
    /// The pin of the server's key, in the form of settings.
    let pin: String

    static let shared = Result { try TestCertificates() }

    init(serverName: String = "localhost", authorityName name: String = "Test Authority") throws {
        let authorityKey = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let authorityName = try DistinguishedName { CommonName(name) }
        let authority = try Self.certificate(
            publicKey: authorityKey.publicKey, issuer: authorityName, subject: authorityName, issuerKey: authorityKey,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true))
            })
        let key = P256.Signing.PrivateKey()
        pin = "sha256/" + Data(SHA256.hash(data: key.publicKey.derRepresentation)).base64EncodedString()
        let serverKey = Certificate.PrivateKey(key)
        let server = try Self.certificate(
            publicKey: serverKey.publicKey, issuer: authorityName, subject: DistinguishedName { CommonName("Test Server") },
            issuerKey: authorityKey,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames([.dnsName(serverName)])
            })
        self.authority = Array(try authority.serializeAsPEM().pemString.utf8)
        self.server = .makeServerConfiguration(
            certificateChain: [
                .certificate(try NIOSSLCertificate(bytes: Array(try server.serializeAsPEM().pemString.utf8), format: .pem))
            ],
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(try serverKey.serializeAsPEM().pemString.utf8), format: .pem)))
    }

    private static func certificate(
        publicKey: Certificate.PublicKey, issuer: DistinguishedName, subject: DistinguishedName, issuerKey: Certificate.PrivateKey,
        extensions: Certificate.Extensions
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: Date.now - 3600, notValidAfter: Date.now + 3600, issuer: issuer, subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions, issuerPrivateKey: issuerKey)
    }
}
