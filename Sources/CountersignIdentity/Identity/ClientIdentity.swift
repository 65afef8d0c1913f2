internal import Crypto
internal import SwiftASN1
internal import X509

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A certificate, those that vouch for it, and its private key: what a client proves itself with in TLS.
///
/// Two identities are equal if their certificates are, byte by byte: that is what a server sees, and what tells connections of one
/// identity from those of another. The initializer has made sure that the key belongs to the certificate.
public struct ClientIdentity: Sendable {
    /// The certificates as DER: the client's own first, each followed by its issuer, as far as they were there.
    public let certificateChain: [[UInt8]]
    /// The key of the first certificate.
    public let privateKey: IdentityKey
    /// Before this moment the first certificate is not valid yet.
    public let notValidBefore: Date
    /// After this moment the first certificate is not valid any more.
    public let notValidAfter: Date
    /// The SHA-256 of the first certificate, in lower-case hexadecimal: fit for logs, and what equality goes by.
    public let fingerprint: String
    /// The serial number of the first certificate, by which its authority knows it, to revoke it for one.
    ///
    /// It is in lower-case hexadecimal, two digits for each byte, without leading zero bytes: not even the one that DER puts before a
    /// first bit that is set. Zero is `00`. `openssl x509 -serial` prints the same with capitals. Of a negative number, which RFC 5280
    /// (section 4.1.2.2) forbids, it is the bytes as they are.
    public let serialNumber: String

    /// Puts an identity together, from a certificate authority's answer and the key that the request was made with.
    ///
    /// - Parameters:
    ///   - certificates: DER, in any order; the one of the key is found, and its issuers are put behind it. Others are left out.
    ///   - privateKey: The key of one of them.
    /// - Throws: ``IdentityError/Code/noCertificate`` if none belongs to the key, ``IdentityError/Code/tooLarge`` if there are more than
    ///   a hundred. A certificate that is none is left out, too.
    public init(certificates: [[UInt8]], privateKey: IdentityKey) throws(IdentityError) {
        self = try CertificateChain(of: privateKey, among: certificates).identity
    }

    init(chain: [[UInt8]], leaf: Certificate, privateKey: IdentityKey) {
        certificateChain = chain
        self.privateKey = privateKey
        notValidBefore = leaf.notValidBefore
        notValidAfter = leaf.notValidAfter
        fingerprint = Self.hexadecimal(SHA256.hash(data: chain[0]))
        let serialNumber = leaf.serialNumber.bytes.drop { $0 == 0 }
        self.serialNumber = serialNumber.isEmpty ? "00" : Self.hexadecimal(serialNumber)
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// The first certificate as the PEM text `CERTIFICATE` (RFC 7468, section 5).
    public var certificatePEM: String { PEMDocument(type: "CERTIFICATE", derBytes: certificateChain[0]).pemString + "\n" }

    /// Whether the certificate's time is over.
    ///
    /// Nothing here asks whether its time has come: a certificate fresh from its authority is often ahead of the device's clock, and the
    /// server decides.
    public func isExpired(at instant: Date) -> Bool { instant > notValidAfter }
}

extension ClientIdentity: Hashable {
    public static func == (left: ClientIdentity, right: ClientIdentity) -> Bool { left.fingerprint == right.fingerprint }
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

extension ClientIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The fingerprint and the number of certificates; the subject is not in it, because it names the user.
    public var description: String { "ClientIdentity(\(fingerprint), \(certificateChain.count) certificates, key redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["fingerprint": fingerprint, "notValidAfter": notValidAfter], displayStyle: .struct)
    }
}
