#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a `Set-Cookie` field says, before its sender is checked (RFC 6265, section 5.2).
///
/// Reads the field once from left to right and keeps nothing of attributes it does not know, so that a field of any size costs time in
/// proportion.
struct SetCookie {
    private(set) var name: String
    private(set) var value: String
    /// In lower case, without the leading dot; empty for an attribute of nothing but that dot.
    private(set) var domain: String?
    /// `nil` when there is none, or it does not begin with a slash: the default path holds then.
    private(set) var path: String?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false
    /// `Strict`, `Lax` or `None`; anything else counts as absent.
    private(set) var sameSite: String?
    private var expires: Date?
    private var maximumAge: Double?

    private typealias Bytes = Substring.UTF8View

    /// Reads a field's value, or returns `nil` if it sets no cookie.
    init?(_ field: String, limits: CookieJar.Limits) {
        let field = field[...].utf8
        guard !Self.hasControlCharacter(field) else { return nil }
        var rest = field[...]
        let pair = Self.next(&rest)
        // A cookie without a name is none (step 5); what browsers make of `=x` differs, and servers that need it are not known.
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = Self.trimmed(pair[..<equals])
        let value = Self.trimmed(pair[pair.index(after: equals)...])
        guard !name.isEmpty, name.count + 1 + value.count <= limits.pairBytes else { return nil }
        self.name = String(Substring(name))
        self.value = String(Substring(value))
        while !rest.isEmpty { take(attribute: Self.next(&rest), limit: limits.attributeBytes) }
    }

    /// When the cookie's time is over: `Max-Age` counts more than `Expires`; `nil` for the end of the session.
    func expiry(at now: Date) -> Date? {
        guard let maximumAge else { return expires }
        guard maximumAge > 0 else { return .distantPast }
        return min(now.addingTimeInterval(maximumAge), .distantFuture)
    }

    /// Whether there is a character that no field may have; the tab is the exception.
    static func hasControlCharacter(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }

    private mutating func take(attribute: Bytes, limit: Int) {
        let equals = attribute.firstIndex(of: UInt8(ascii: "="))
        let name = Self.trimmed(attribute[..<(equals ?? attribute.endIndex)])
        let value = Self.trimmed(equals.map { attribute[attribute.index(after: $0)...] } ?? attribute[attribute.endIndex...])
        // The lengths of the names below; most of what a hostile field is made of ends here.
        guard (4...8).contains(name.count), value.count <= limit else { return }
        switch String(Substring(name)).lowercased() {
        case "expires": expires = CookieDate.date(from: Substring(value)) ?? expires
        case "max-age": maximumAge = Self.seconds(value) ?? maximumAge
        case "domain":
            // An empty one is to be ignored, and the one before it stays (section 5.2.3).
            guard !value.isEmpty else { return }
            domain = String(Substring(value.first == UInt8(ascii: ".") ? value.dropFirst() : value)).lowercased()
        case "path": path = value.first == UInt8(ascii: "/") ? String(Substring(value)) : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite":
            let given = String(Substring(value)).lowercased()
            sameSite = ["Strict", "Lax", "None"].first { $0.lowercased() == given }
        default: break
        }
    }

    /// Digits with or without a minus; anything else is no age (section 5.2.2).
    private static func seconds(_ bytes: Bytes) -> Double? {
        let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Double(Substring(bytes))
    }

    /// The bytes up to the next semicolon, which is skipped.
    private static func next(_ rest: inout Bytes) -> Bytes {
        let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
        let piece = rest[..<end]
        rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
        return piece
    }

    private static func trimmed(_ bytes: Bytes) -> Bytes {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let leading = bytes.drop(while: isSpace)
        guard let last = leading.lastIndex(where: { !isSpace($0) }) else { return leading }
        return leading[...last]
    }
}
