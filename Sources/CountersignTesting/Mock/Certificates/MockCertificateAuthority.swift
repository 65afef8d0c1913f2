public import Countersign
public import CountersignIdentity
internal import Crypto
public import Foundation
internal import SwiftASN1
internal import Synchronization
internal import X509

/// A certification authority for tests, which issues certificates for the mock's servers and for users.
///
/// ```swift
/// var options = MockOptions()
/// options.certificates = MockCertificateOptions(authority: try MockCertificateAuthority())
/// ```
///
/// Its key is generated for each instance and kept in memory, so nothing outside of the test trusts it.
public final class MockCertificateAuthority: Sendable {
    /// A deliberate defect of a certificate.
    public enum Fault: Sendable, Hashable, CaseIterable {
        /// It expired a day ago.
        case expired
        /// It is signed by another authority of the same name.
        case unknownIssuer
    }

    private let name: DistinguishedName
    private let key: Certificate.PrivateKey
    private let certificate: Certificate
    private let revoked = Mutex<Set<[UInt8]>>([])
    /// The lifetime of certificates in seconds from now on.
    private static let lifetime: TimeInterval = 86_400

    /// Creates an authority with a new key.
    public init(name: String = "Countersign Mock Authority") throws {
        self.name = try DistinguishedName { CommonName(name) }
        key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey, notValidBefore: .now - Self.lifetime,
            notValidAfter: .now + Self.lifetime, issuer: self.name, subject: self.name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            }, issuerPrivateKey: key)
    }

    /// The authority's certificate in PEM, which clients have to trust.
    public var pem: [UInt8] {
        get throws { Array((try certificate.serializeAsPEM().pemString + "\n").utf8) }
    }

    /// The authority's private key in PEM, for a program that signs in its place, such as `openssl ca`.
    public var keyPEM: SecretBytes {
        get throws { SecretBytes(utf8: try key.serializeAsPEM().pemString + "\n") }
    }

    /// Returns an identity for a user, issued by this authority.
    ///
    /// - Parameters:
    ///   - user: The common name of the subject, by which the mock identifies the user.
    ///   - kind: The kind of key.
    ///   - fault: The defect of the certificate; `nil` for none.
    public func identity(
        for user: String, kind: IdentityKey.Kind = .p256, fault: Fault? = nil
    ) throws -> ClientIdentity {
        let key = try IdentityKey(generating: kind)
        let issuer = fault == .unknownIssuer ? Certificate.PrivateKey(P256.Signing.PrivateKey()) : self.key
        let publicKey = try Certificate.PrivateKey(derBytes: key.pkcs8.bytes).publicKey
        let leaf = try Self.der(
            certificate(
                for: publicKey, subject: DistinguishedName { CommonName(user) }, purposes: [.clientAuth], names: [],
                notValidAfter: fault == .expired ? .now - Self.lifetime / 2 : .now + Self.lifetime, signedWith: issuer))
        return try ClientIdentity(certificates: [leaf, Self.der(certificate)], privateKey: key)
    }

    /// Returns an identity as a PKCS #12 archive.
    public func archive(
        for user: String, password: String = "", kind: IdentityKey.Kind = .p256, fault: Fault? = nil
    ) throws -> Data {
        // A low iteration count suffices for tests.
        Data(try PKCS12Archive.write(try identity(for: user, kind: kind, fault: fault), password: password, iterations: 2048).bytes)
    }

    /// Revokes an identity. Servers that trust the authority refuse it from now on.
    public func revoke(_ identity: ClientIdentity) {
        if let leaf = identity.certificateChain.first { revoke(leaf: leaf) }
    }

    /// Revokes a certificate in DER.
    package func revoke(leaf: [UInt8]) { revoked.withLock { _ = $0.insert(leaf) } }

    /// Returns a certificate for the subject and the alternative names of a certificate request (PKCS #10).
    ///
    /// - Parameter request: The request in DER.
    /// - Returns: The certificate and then the authority's own, in DER.
    /// - Throws: If the request is invalid, or not signed with its own key.
    public func sign(_ request: [UInt8]) throws -> [[UInt8]] { try sign(request, for: nil) }

    /// Returns a certificate with a subject for a user and without alternative names; `nil` uses those of the request.
    package func sign(_ request: [UInt8], for user: String?) throws -> [[UInt8]] {
        let request = try CertificateSigningRequest(derEncoded: request)
        let subject = try user.map { user in try DistinguishedName { CommonName(user) } } ?? request.subject
        guard request.publicKey.isValidSignature(request.signature, for: request) else { throw CancellationError() }
        var extensions = try Certificate.Extensions {
            Critical(BasicConstraints.notCertificateAuthority)
            try ExtendedKeyUsage([.clientAuth])
        }
        for asked in try request.attributes.extensionRequest?.extensions ?? Certificate.Extensions()
        where user == nil && asked.oid == .X509ExtensionID.subjectAlternativeName {
            try extensions.append(asked)
        }
        let leaf = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: request.publicKey, notValidBefore: .now - 60,
            notValidAfter: .now + Self.lifetime, issuer: name, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions, issuerPrivateKey: key)
        return [try Self.der(leaf), try Self.der(certificate)]
    }

    /// Returns certificates in PEM, concatenated.
    package static func pem(_ certificates: [[UInt8]]) -> String {
        certificates.map { PEMDocument(type: "CERTIFICATE", derBytes: $0).pemString + "\n" }.joined()
    }

    /// Returns the serial number of a certificate: lowercase hexadecimal, two digits per byte, without DER's sign byte.
    package static func serialNumber(of der: [UInt8]) -> String? {
        guard let certificate = try? Certificate(derEncoded: der) else { return nil }
        return certificate.serialNumber.bytes.drop { $0 == 0 }.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Returns the certificate and the key of a server in PEM, for `nginx`, `openssl s_server`, etcd (as server and client) or the
    /// mock.
    ///
    /// - Parameter names: The host names and IPv4 addresses, in addition to 127.0.0.1.
    public func serverCredential(for names: [String] = ["localhost"]) throws -> (certificate: [UInt8], key: SecretBytes) {
        let key = P256.Signing.PrivateKey()
        let names = (names + ["127.0.0.1"]).map { name in
            Self.address(name).map { .ipAddress(ASN1OctetString(contentBytes: $0)) } ?? GeneralName.dnsName(name)
        }
        let server = try certificate(
            for: Certificate.PrivateKey(key).publicKey, subject: DistinguishedName { CommonName("Countersign Mock Server") },
            purposes: [.serverAuth, .clientAuth], names: names,
            notValidAfter: .now + Self.lifetime,
            signedWith: self.key)
        return (
            Array((try server.serializeAsPEM().pemString + "\n").utf8), SecretBytes(utf8: key.pemRepresentation + "\n")
        )
    }

    /// Returns the bytes of an IPv4 address; `nil` for a host name.
    private static func address(_ name: String) -> ArraySlice<UInt8>? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return parts.count == 4 && !parts.contains(nil) ? ArraySlice(parts.compactMap(\.self)) : nil
    }

    /// Returns the user of a certificate; `nil` if this authority did not issue it, or if it has expired or is revoked.
    func user(of der: [UInt8]) -> String? {
        guard let certificate = try? Certificate(derEncoded: der), certificate.issuer == name,
            key.publicKey.isValidSignature(certificate.signature, for: certificate), certificate.notValidAfter > .now,
            !revoked.withLock({ $0.contains(der) })
        else { return nil }
        for part in certificate.subject {
            for attribute in part where attribute.type == .RDNAttributeType.commonName { return "\(attribute.value)" }
        }
        return nil
    }

    private func certificate(
        for publicKey: Certificate.PublicKey, subject: DistinguishedName, purposes: [ExtendedKeyUsage.Usage], names: [GeneralName],
        notValidAfter: Date, signedWith issuer: Certificate.PrivateKey
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey, notValidBefore: .now - Self.lifetime,
            notValidAfter: notValidAfter, issuer: name, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                try ExtendedKeyUsage(purposes)
                if !names.isEmpty { SubjectAlternativeNames(names) }
            }, issuerPrivateKey: issuer)
    }

    private static func der(_ certificate: Certificate) throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.serialize(certificate)
        return coder.serializedBytes
    }
}
