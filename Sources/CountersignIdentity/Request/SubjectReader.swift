internal import Countersign
internal import SwiftASN1
internal import X509

/// Parses the text form of distinguished names (RFC 4514, section 3).
struct SubjectReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Returns the levels, in the order of the text.
    mutating func read() throws(IdentityError) -> [RelativeDistinguishedName] {
        guard bytes.count <= CertificateSubject.maximumSize else {
            throw IdentityError(.malformedSubject, detail: "The subject is longer than \(CertificateSubject.maximumSize) bytes.")
        }
        skipSpace()
        guard position < bytes.count else { return [] }
        var levels: [RelativeDistinguishedName] = []
        var level = [try attribute()]
        while position < bytes.count {
            let separator = bytes[position]
            position += 1
            if separator != UInt8(ascii: "+") {
                levels.append(RelativeDistinguishedName(level))
                level = []
            }
            level.append(try attribute())
        }
        return levels + [RelativeDistinguishedName(level)]
    }

    private func failure(_ what: String) -> IdentityError {
        IdentityError(.malformedSubject, detail: "The subject \(what), at byte \(position).")
    }

    private mutating func skipSpace() { while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 } }

    private mutating func attribute() throws(IdentityError) -> RelativeDistinguishedName.Attribute {
        skipSpace()
        guard let equals = bytes[position...].firstIndex(of: UInt8(ascii: "=")) else {
            throw failure("has an attribute without a value")
        }
        let name = String(decoding: bytes[position..<equals], as: UTF8.self)
        guard let type = CertificateSubject.AttributeType(String(name.reversed().drop { $0 == " " }.reversed())) else {
            throw failure("has an attribute with an unknown name")
        }
        position = equals + 1
        skipSpace()
        if position < bytes.count, bytes[position] == UInt8(ascii: "#") { return try encodedValue(of: type) }
        return try type.attribute(try value())
    }

    /// Parses a value in text form, up to the separator.
    private mutating func value() throws(IdentityError) -> String {
        var value: [UInt8] = []
        // Trailing spaces are ignored unless they are escaped.
        var length = 0
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "+"):
                return try text(value.prefix(length))
            case UInt8(ascii: "\\"):
                position += 1
                value.append(try escaped())
                length = value.count
            case UInt8(ascii: "\""), UInt8(ascii: ";"), UInt8(ascii: "<"), UInt8(ascii: ">"), 0:
                throw failure("has a character that needs a backslash before it")
            default:
                value.append(byte)
                position += 1
                if byte != UInt8(ascii: " ") { length = value.count }
            }
        }
        return try text(value.prefix(length))
    }

    private func text(_ bytes: some Collection<UInt8>) throws(IdentityError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw failure("has bytes that are not UTF-8") }
        return text
    }

    /// Parses an escape after its backslash: a special character, or a byte in hexadecimal.
    private mutating func escaped() throws(IdentityError) -> UInt8 {
        guard position < bytes.count else { throw failure("ends with a backslash") }
        if " \"#+,;<=>\\".utf8.contains(bytes[position]) {
            position += 1
            return bytes[position - 1]
        }
        guard let byte = hexadecimalByte() else { throw failure("has a backslash before a character that needs none") }
        return byte
    }

    private mutating func hexadecimalByte() -> UInt8? {
        guard position + 1 < bytes.count, let high = Hexadecimal.value(of: bytes[position]),
            let low = Hexadecimal.value(of: bytes[position + 1])
        else { return nil }
        position += 2
        return high << 4 | low
    }

    /// Parses a value in encoded form, which is `#` and hexadecimal digits, up to the separator.
    private mutating func encodedValue(of type: CertificateSubject.AttributeType) throws(IdentityError)
        -> RelativeDistinguishedName.Attribute
    {
        position += 1
        var encoded: [UInt8] = []
        while let byte = hexadecimalByte() { encoded.append(byte) }
        skipSpace()
        let separators = [UInt8(ascii: ","), UInt8(ascii: "+")]
        guard position == bytes.count || separators.contains(bytes[position]), let value = try? ASN1Any(derEncoded: encoded) else {
            throw failure("has a value after # that is not DER in hexadecimal")
        }
        return RelativeDistinguishedName.Attribute(type: type.identifier, value: value)
    }
}
