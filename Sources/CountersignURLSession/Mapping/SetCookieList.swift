/// The values of several `Set-Cookie` fields that were joined with commas, which RFC 6265 (section 3) warns of: dates contain commas.
enum SetCookieList {
    /// Separates the values: a new one begins after a comma with a cookie's name and `=`. A cookie without `=` remains a part of the
    /// one before, and a value with such a comma in it, which RFC 6265 (section 4.1.1) forbids, is separated.
    static func parts(of joined: String) -> [String] {
        let bytes = Array(joined.utf8)
        var parts: [String] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: ",") {
            guard beginsCookie(bytes[(index + 1)...]) else { continue }
            parts.append(text(bytes[start..<index]))
            start = index + 1
        }
        parts.append(text(bytes[start...]))
        return parts.filter { !$0.isEmpty }
    }

    /// Whether a text begins with white space, a name (a token, RFC 9110, section 5.6.2) and `=`.
    private static func beginsCookie(_ bytes: ArraySlice<UInt8>) -> Bool {
        let name = bytes.drop(while: isSpace)
        let rest = name.drop(while: isTokenByte)
        return rest.count < name.count && rest.first == UInt8(ascii: "=")
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
