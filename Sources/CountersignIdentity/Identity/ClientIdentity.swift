internal import Countersign
internal import Crypto
internal import SwiftASN1
internal import X509

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The certificate chain and the private key that a client presents in the TLS handshake.
///
/// Two identities are equal if their certificates are, byte by byte, since a server and the connection pool distinguish identities
/// by them. The initialiser verifies that the key belongs to the certificate.
public struct ClientIdentity: Sendable {
    /// The certificates in DER: the client's own first, each followed by its issuer, as far as available.
    public let certificateChain: [[UInt8]]
    /// The private key of the first certificate.
    public let privateKey: IdentityKey
    /// The start of the first certificate's validity.
    public let notValidBefore: Date
    /// The end of the first certificate's validity.
    public let notValidAfter: Date
    /// The SHA-256 fingerprint of the first certificate in lowercase hexadecimal. It may be logged.
    public let fingerprint: String
    /// The serial number of the first certificate, by which its authority identifies it.
    ///
    /// It is in lowercase hexadecimal, two digits per byte, without leading zero bytes, also without DER's sign byte. Zero is `00`.
    /// `openssl x509 -serial` prints the same in uppercase. For a negative number, which RFC 5280 (section 4.1.2.2) forbids, it
    /// contains the bytes of the encoding.
    public let serialNumber: String

    /// Creates an identity from a certification authority's certificates and the key of the request.
    ///
    /// - Parameters:
    ///   - certificates: The certificates in DER, in any order. The key's certificate and its issuers are selected; others are
    ///     ignored.
    ///   - privateKey: The private key of one of the certificates.
    /// - Throws: ``IdentityError/Code/noCertificate`` if none belongs to the key, ``IdentityError/Code/tooLarge`` if there are more
    ///   than 100. Invalid certificates are ignored.
    public init(certificates: [[UInt8]], privateKey: IdentityKey) throws(IdentityError) {
        self = try CertificateChain(of: privateKey, among: certificates).identity
    }

    init(chain: [[UInt8]], leaf: Certificate, privateKey: IdentityKey) {
        certificateChain = chain
        self.privateKey = privateKey
        notValidBefore = leaf.notValidBefore
        notValidAfter = leaf.notValidAfter
        fingerprint = Hexadecimal.text(SHA256.hash(data: chain[0]))
        let serialNumber = leaf.serialNumber.bytes.drop { $0 == 0 }
        self.serialNumber = serialNumber.isEmpty ? "00" : Hexadecimal.text(serialNumber)
    }

    /// The first certificate as PEM with the label `CERTIFICATE` (RFC 7468, section 5).
    public var certificatePEM: String { PEMDocument(type: "CERTIFICATE", derBytes: certificateChain[0]).pemString + "\n" }

    /// Returns whether the certificate has expired.
    ///
    /// The start of the validity is not checked: a new certificate is often ahead of the device's clock, and the server decides.
    public func isExpired(at instant: Date) -> Bool { instant > notValidAfter }
}

extension ClientIdentity: Hashable {
    public static func == (left: ClientIdentity, right: ClientIdentity) -> Bool { left.fingerprint == right.fingerprint }
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

extension ClientIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The fingerprint and the number of certificates, without the subject, which identifies the user.
    public var description: String { "ClientIdentity(\(fingerprint), \(certificateChain.count) certificates, key redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["fingerprint": fingerprint, "notValidAfter": notValidAfter], displayStyle: .struct)
    }
}
