internal import SwiftASN1
internal import X509

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A certificate signing request: a name, the public key, and the proof of possession of the private key (PKCS #10, RFC 2986).
///
/// ```swift
/// let request = try CertificateRequest(
///     subject: CertificateSubject("CN=Ada,O=Example"), alternativeNames: [.email("ada@example.org")], key: key)
/// let body = request.pem
/// ```
public struct CertificateRequest: Sendable, Hashable {
    /// The request in DER.
    public let der: [UInt8]

    /// Creates and signs a request, with SHA-256 for generated keys.
    ///
    /// - Parameters:
    ///   - subject: The subject. It may be empty if there is an alternative name, or if the authority sets the subject.
    ///   - alternativeNames: The alternative names, requested as an extension that is critical without a subject (RFC 5280, section
    ///     4.2.1.6).
    ///   - key: The key of the certificate. The request contains its public part.
    ///   - needsName: Whether a request without any name is an error.
    /// - Throws: ``IdentityError/Code/malformedSubject`` if there is no name, ``IdentityError/Code/malformedAlternativeName``, or
    ///   ``IdentityError/Code/keyFailed``.
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

    /// Creates a request from its encoding.
    init(der: [UInt8]) { self.der = der }

    /// The request as PEM with the label `CERTIFICATE REQUEST` (RFC 7468, section 7).
    public var pem: String { PEMDocument(type: "CERTIFICATE REQUEST", derBytes: der).pemString + "\n" }

    /// The request in DER and Base64, without line breaks.
    public var base64: String { Data(der).base64EncodedString() }
}

extension CertificateRequest: CustomStringConvertible, CustomReflectable {
    /// The length of the request. Its name is not shown, since it identifies the user.
    public var description: String { "CertificateRequest(\(der.count) bytes)" }
    public var customMirror: Mirror { Mirror(self, children: ["byteCount": der.count], displayStyle: .struct) }
}
