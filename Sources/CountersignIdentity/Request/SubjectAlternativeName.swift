internal import X509

/// An alternative name of a certificate's subject (RFC 5280, section 4.2.1.6).
public enum SubjectAlternativeName: Sendable, Hashable {
    /// An e-mail address such as `ada@example.org` (`rfc822Name`).
    case email(String)
    /// A host name such as `ada.example.org` (`dNSName`).
    case dns(String)
    /// An absolute URI such as `urn:uuid:…` (`uniformResourceIdentifier`).
    case uri(String)

    /// The name in the form of certificates. It must be printable ASCII without spaces.
    var generalName: GeneralName {
        get throws(IdentityError) {
            let (text, name): (String, GeneralName) =
                switch self {
                case .email(let text): (text, .rfc822Name(text))
                case .dns(let text): (text, .dnsName(text))
                case .uri(let text): (text, .uniformResourceIdentifier(text))
                }
            guard (1...2048).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw IdentityError(
                    .malformedAlternativeName, detail: "An alternative name is empty, too long, or not plain ASCII.")
            }
            return name
        }
    }
}
