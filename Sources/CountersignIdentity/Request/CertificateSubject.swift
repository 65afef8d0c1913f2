internal import SwiftASN1
internal import X509

/// The requested subject of a certificate: a distinguished name, as text (RFC 4514) or as a list.
///
/// ```swift
/// let subject = try CertificateSubject("CN=Ada Lovelace,OU=Engines,O=Example\\, Ltd.,C=GB")
/// ```
///
/// The text begins with the most specific attribute. The certificate contains them in reverse order.
public struct CertificateSubject: Sendable, Hashable {
    /// The names from the most general to the most specific, as in the certificate.
    let names: [RelativeDistinguishedName]

    /// The maximum length of a subject in bytes.
    static let maximumSize = 4096

    /// Parses the text form (RFC 4514): `CN=Ada,O=Example`, with `+` between attributes of one level and `\` before special
    /// characters.
    ///
    /// Space around separators is ignored. Attributes are named as in ``AttributeType``, or by object identifiers.
    ///
    /// - Throws: ``IdentityError/Code/malformedSubject``; the error has the byte offset, and nothing of the name.
    public init(_ text: String) throws(IdentityError) {
        var reader = SubjectReader(text)
        names = try reader.read().reversed()
    }

    /// Creates a subject from attributes, one per level, from the most specific to the most general.
    ///
    /// - Throws: ``IdentityError/Code/malformedSubject`` for an invalid value.
    public init(_ attributes: [(type: AttributeType, value: String)]) throws(IdentityError) {
        var names: [RelativeDistinguishedName] = []
        for (type, value) in attributes.reversed() { names.append(RelativeDistinguishedName(try type.attribute(value))) }
        self.names = names
    }

    /// Whether there is no attribute. Then the alternative names identify the subject.
    public var isEmpty: Bool { names.isEmpty }

    var distinguishedName: DistinguishedName { DistinguishedName(names) }
}

extension CertificateSubject: CustomStringConvertible {
    /// The text form.
    public var description: String { distinguishedName.description }
}
