/// The name-value pairs of a query or form, decoded as `application/x-www-form-urlencoded` in UTF-8.
///
/// The decoding is strict: an invalid escape or invalid UTF-8 makes the whole form invalid, and a repeated name has no value.
package struct FormFields: Sendable {
    /// The names and values in order.
    package let pairs: [(name: String, value: String)]

    /// Reads the text of a query or the body of a form; `nil` if it cannot be decoded.
    init?(_ text: some Sequence<UInt8>) {
        var pairs: [(name: String, value: String)] = []
        for pair in Array(text).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]), let value = Self.decode(parts.count > 1 ? parts[1] : []) else { return nil }
            pairs.append((name, value))
        }
        self.pairs = pairs
    }

    /// The value of a name that occurs exactly once.
    package subscript(name: String) -> String? {
        let values = pairs.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    /// Encodes pairs in the form that ``init(_:)`` decodes.
    package static func encode(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    private static func decode(_ escaped: some Sequence<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(escaped)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexadecimalValue), let low = rest.popFirst().flatMap(hexadecimalValue)
                else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
        Character(Unicode.Scalar(digit)).hexDigitValue.map { UInt8($0) }
    }

    private static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isUnreserved =
                scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-._".unicodeScalars.contains(scalar))
            if isUnreserved { return String(scalar) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
