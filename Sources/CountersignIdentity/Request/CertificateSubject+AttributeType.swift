internal import SwiftASN1
internal import X509

extension CertificateSubject {
    /// An attribute type of a distinguished name: those of RFC 4514, section 3, and further common ones.
    public struct AttributeType: Sendable, Hashable {
        let identifier: ASN1ObjectIdentifier
        private let form: Form

        /// The string type of values (RFC 5280, appendix A.1).
        private enum Form {
            case text
            case printable
            case ascii
        }

        private init(_ identifier: ASN1ObjectIdentifier, _ form: Form = .text) {
            self.identifier = identifier
            self.form = form
        }

        /// `CN`
        public static let commonName = AttributeType([2, 5, 4, 3])
        /// `SN`
        public static let surname = AttributeType([2, 5, 4, 4])
        /// `SERIALNUMBER`
        public static let serialNumber = AttributeType([2, 5, 4, 5], .printable)
        /// `C`, two letters
        public static let country = AttributeType([2, 5, 4, 6], .printable)
        /// `L`
        public static let locality = AttributeType([2, 5, 4, 7])
        /// `ST`
        public static let stateOrProvince = AttributeType([2, 5, 4, 8])
        /// `STREET`
        public static let street = AttributeType([2, 5, 4, 9])
        /// `O`
        public static let organization = AttributeType([2, 5, 4, 10])
        /// `OU`
        public static let organizationalUnit = AttributeType([2, 5, 4, 11])
        /// `T` or `TITLE`
        public static let title = AttributeType([2, 5, 4, 12])
        /// `GN` or `GIVENNAME`
        public static let givenName = AttributeType([2, 5, 4, 42])
        /// `UID`
        public static let userIdentifier = AttributeType([0, 9, 2342, 19_200_300, 100, 1, 1])
        /// `DC`
        public static let domainComponent = AttributeType([0, 9, 2342, 19_200_300, 100, 1, 25], .ascii)
        /// `E` or `EMAILADDRESS`. Authorities prefer the e-mail address among the alternative names.
        public static let emailAddress = AttributeType([1, 2, 840, 113549, 1, 9, 1], .ascii)

        private static let names: [String: AttributeType] = [
            "CN": .commonName, "SN": .surname, "SERIALNUMBER": .serialNumber, "C": .country, "L": .locality, "ST": .stateOrProvince,
            "STREET": .street, "O": .organization, "OU": .organizationalUnit, "T": .title, "TITLE": .title, "GN": .givenName,
            "GIVENNAME": .givenName, "UID": .userIdentifier, "DC": .domainComponent, "E": .emailAddress,
            "EMAILADDRESS": .emailAddress,
        ]

        /// Finds a type by its case-insensitive name, or by its object identifier, such as `2.5.4.3`.
        ///
        /// - Returns: `nil` for an unknown name or an invalid object identifier.
        public init?(_ name: String) {
            if let known = Self.names[name.uppercased()] {
                self = known
                return
            }
            // The numbers are limited to 32 bits, because SwiftASN1 multiplies the first one unchecked. Registered numbers are
            // smaller.
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt32(part) : nil }
            guard numbers.count == parts.count, (2...32).contains(numbers.count),
                numbers[0] < 2 ? numbers[1] < 40 : numbers[0] == 2,
                let identifier = try? ASN1ObjectIdentifier(elements: numbers.map(UInt.init))
            else { return nil }
            self = Self.names.values.first { $0.identifier == identifier } ?? AttributeType(identifier)
        }

        func attribute(_ value: String) throws(IdentityError) -> RelativeDistinguishedName.Attribute {
            let isCountry = self == .country
            guard !value.isEmpty, !value.utf8.contains(0), value.utf8.count <= CertificateSubject.maximumSize,
                !isCountry || value.utf8.count == 2
            else {
                throw IdentityError(.malformedSubject, detail: "A value in the subject is empty or invalid for its attribute.")
            }
            do {
                switch form {
                case .text: return RelativeDistinguishedName.Attribute(type: identifier, utf8String: value)
                case .printable: return try RelativeDistinguishedName.Attribute(type: identifier, printableString: value)
                case .ascii: return try RelativeDistinguishedName.Attribute(type: identifier, ia5String: value)
                }
            } catch {
                throw IdentityError(
                    .malformedSubject, detail: "A value in the subject has characters that its attribute does not allow.")
            }
        }
    }
}
