internal import SwiftASN1
internal import X509

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a certificate authority is asked with: a name, the public key, and the proof that the sender has the private one (PKCS #10,
/// RFC 2986).
///
/// ```swift
/// let request = try CertificateRequest(
///     subject: CertificateSubject("CN=Ada,O=Example"), alternativeNames: [.email("ada@example.org")], key: key)
/// let body = request.pem
/// ```
public struct CertificateRequest: Sendable, Hashable {
    /// The request as DER.
    public let der: [UInt8]

    /// Makes a request and signs it, with SHA-256 for the keys that are generated here.
    ///
    /// - Parameters:
    ///   - subject: May be empty if there is an alternative name, or if the authority knows the subject of the certificate.
    ///   - alternativeNames: Asked for as an extension, which is critical if there is no subject (RFC 5280, section 4.2.1.6).
    ///   - key: Whose public part goes into the certificate.
    ///   - needsName: Whether a request without any name is an error.
    /// - Throws: ``IdentityError/Code/malformedSubject`` when there is no name at all, ``IdentityError/Code/malformedAlternativeName``,
    ///   or ``IdentityError/Code/keyFailed``.
    public init(
        subject: CertificateSubject, alternativeNames: [SubjectAlternativeName] = [], key: IdentityKey, needsName: Bool = true
    ) throws(IdentityError) {
        guard !needsName || !subject.isEmpty || !alternativeNames.isEmpty else {
            throw IdentityError(.malformedSubject, detail: "The request has neither a subject nor an alternative name.")
        }
        var names: [GeneralName] = []
        for name in alternativeNames { names.append(try name.generalName) }
        do {
            var attributes = CertificateSigningRequest.Attributes()
            if !names.isEmpty {
                let extensionValue = try Certificate.Extension(SubjectAlternativeNames(names), critical: subject.isEmpty)
                let extensions = ExtensionRequest(extensions: try Certificate.Extensions([extensionValue]))
                attributes = try CertificateSigningRequest.Attributes([.init(extensions)])
            }
            let request = try CertificateSigningRequest(
                version: .v1, subject: subject.distinguishedName, privateKey: key.key, attributes: attributes)
            var coder = DER.Serializer()
            try coder.serialize(request)
            der = coder.serializedBytes
        } catch {
            throw IdentityError(.keyFailed, detail: "The request could not be signed.")
        }
    }

    /// Takes a request that was made before.
    init(der: [UInt8]) { self.der = der }

    /// The request as the PEM text `CERTIFICATE REQUEST` (RFC 7468, section 7).
    public var pem: String { PEMDocument(type: "CERTIFICATE REQUEST", derBytes: der).pemString + "\n" }

    /// The request as DER in base64, without line breaks.
    public var base64: String { Data(der).base64EncodedString() }
}

extension CertificateRequest: CustomStringConvertible, CustomReflectable {
    /// How long the request is; the name in it is a user's.
    public var description: String { "CertificateRequest(\(der.count) bytes)" }
    public var customMirror: Mirror { Mirror(self, children: ["byteCount": der.count], displayStyle: .struct) }
}
