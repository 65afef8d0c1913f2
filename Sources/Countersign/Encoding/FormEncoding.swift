/// The percent encoding of `application/x-www-form-urlencoded`, in UTF-8 (URL standard, section 5; RFC 6749, appendix B).
package enum FormEncoding {
    /// The encoding of a space.
    package enum Space: Sendable {
        /// `+`, as in serialised forms.
        case plus
        /// `%20`, which decoders of forms and of URLs both read as a space.
        case percent
    }

    /// Returns the encoded form of a text.
    package static func encode(_ text: String, space: Space = .plus) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                encoded.append(byte)
            case UInt8(ascii: " ") where space == .plus: encoded.append(UInt8(ascii: "+"))
            default:
                encoded.append(UInt8(ascii: "%"))
                encoded += Hexadecimal.uppercaseDigits(of: byte)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Returns the decoded text; `nil` if an escape is invalid or the bytes are not UTF-8.
    package static func decode(_ text: some StringProtocol) -> String? {
        PercentEncoding.decode(text.utf8, isForm: true).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
