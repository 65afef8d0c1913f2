/// Percent encoding (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// Returns a text in which all bytes are escaped except those of unreserved characters (section 2.3).
    ///
    /// - Parameter others: Other ASCII characters that are not escaped.
    package static func encode(_ bytes: some Sequence<UInt8>, keeping others: String = "") -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes {
            if isUnreserved(byte) || others.utf8.contains(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded += Hexadecimal.uppercaseDigits(of: byte)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Returns the bytes of an encoded text; `nil` if a `%` is not followed by two hexadecimal digits.
    ///
    /// - Parameter isForm: Whether `+` is a space, as in `application/x-www-form-urlencoded`.
    static func decode(_ text: some Sequence<UInt8>, isForm: Bool) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(Hexadecimal.value), let low = rest.next().flatMap(Hexadecimal.value) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where isForm: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
