/// Hexadecimal texts of bytes: two digits each (RFC 4648, section 8).
package enum Hexadecimal {
    /// Returns the digits of bytes in lower case.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            digits.append(digit(byte >> 4, ten: UInt8(ascii: "a")))
            digits.append(digit(byte & 0xF, ten: UInt8(ascii: "a")))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the two digits of a byte in upper case, as percent encodings contain them (RFC 3986, section 2.1).
    static func uppercaseDigits(of byte: UInt8) -> [UInt8] {
        [digit(byte >> 4, ten: UInt8(ascii: "A")), digit(byte & 0xF, ten: UInt8(ascii: "A"))]
    }

    /// - Returns: The bytes; `nil` if the text contains anything but pairs of digits, in either case.
    package static func bytes(_ text: String) -> [UInt8]? {
        let values = text.utf8.compactMap(value)
        guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    /// Returns the value of an ASCII digit in either case; `nil` for any other character.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private static func digit(_ value: UInt8, ten: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : ten + value - 10 }
}
