internal import SwiftASN1
internal import X509

/// The name that a certificate is asked for: a distinguished name, in the text form of RFC 4514 or as a list.
///
/// ```swift
/// let subject = try CertificateSubject("CN=Ada Lovelace,OU=Engines,O=Example\\, Ltd.,C=GB")
/// ```
///
/// The text begins with the most special attribute; the certificate holds them the other way round.
public struct CertificateSubject: Sendable, Hashable {
    /// From the most general to the most special, as the certificate has them.
    let names: [RelativeDistinguishedName]

    /// Longer subjects do not come from people.
    static let byteLimit = 4096

    /// Reads the text form (RFC 4514): `CN=Ada,O=Example`, with `+` between attributes of one level and `\` before special characters.
    ///
    /// Space around separators is let go, as most writers put some there. Attributes are named as in ``AttributeType``, or by numbers.
    ///
    /// - Throws: ``IdentityError/Code/malformedSubject``; the error says at which byte, and repeats nothing of the name.
    public init(_ text: String) throws(IdentityError) {
        var reader = SubjectReader(text)
        names = try reader.read().reversed()
    }

    /// Takes attributes, each on a level of its own, from the most special to the most general, as the text form has them.
    ///
    /// - Throws: ``IdentityError/Code/malformedSubject`` for a value that its attribute cannot have.
    public init(_ attributes: [(type: AttributeType, value: String)]) throws(IdentityError) {
        var names: [RelativeDistinguishedName] = []
        for (type, value) in attributes.reversed() { names.append(RelativeDistinguishedName(try type.attribute(value))) }
        self.names = names
    }

    /// Whether there is no attribute; then the certificate's alternative names say whose it is.
    public var isEmpty: Bool { names.isEmpty }

    var distinguishedName: DistinguishedName { DistinguishedName(names) }
}

extension CertificateSubject: CustomStringConvertible {
    /// The text form.
    public var description: String { distinguishedName.description }
}
